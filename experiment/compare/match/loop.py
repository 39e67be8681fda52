"""The match loop: a generator of finished games. Counting, printing and recording consume it."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiment.run.episodes.outcomes import Outcome
from experiment.workers.shards import Workers
from game import PASS, Colour, Game, IllegalMoveError
from game.luck import Luck
from game.players import Player, make
from game.players.base import Forfeit
from game.players.catalogue import files
from game.records import Forfeited, Record


@dataclass(frozen=True)
class Match:
    """Two players, where their games begin, and the seed of all randomness.

    Each opening is played twice, with exchanged colours, and all of that `repeat` times. What is drawn in a
    game follows from its `luck`, so none depends on those before it, nor on who is A.
    """

    a: str
    """A registry text; b likewise."""
    b: str
    size: int = 8
    openings: tuple[str, ...] = ("",)
    """Transcripts, each there once; "" is the standard start."""
    repeat: int = 1
    seed: int = 0

    @property
    def games(self) -> int:
        """How many games are played."""
        return 2 * len(self.openings) * self.repeat

    def colour_of_a(self, number: int) -> Colour:
        """Return who A is in a game: black in those with an even number."""
        return Colour.WHITE if number % 2 else Colour.BLACK

    def opening(self, number: int) -> str:
        """Return where a game begins."""
        return self.openings[number // 2 % len(self.openings)]

    def luck(self, number: int) -> Luck:
        """Return what decides all that is drawn in a game."""
        repeat = number // (2 * len(self.openings))
        return Luck(self.seed, self.opening(number), repeat, turned=self.a == self.b and number % 2 == 1)


@dataclass(frozen=True)
class Played:
    """A finished game of a match."""

    record: Record
    colour: Colour
    """A's."""

    @property
    def opening(self) -> str:
        """Where it began: the position and who was to move."""
        return str(self.record.game.boards[self.record.opening])

    @property
    def outcome(self) -> Outcome:
        """How it ended for A."""
        winner = self.record.winner
        if winner is None:
            return Outcome.DRAW
        return Outcome.WIN if winner is self.colour else Outcome.LOSS

    @property
    def disc_diff(self) -> int | None:
        """A's discs minus B's; None if the game was forfeited before its end."""
        outcome = self.record.game.board.outcome()
        if outcome is None or self.record.forfeit:
            return None
        return outcome.disc_diff if self.colour is Colour.BLACK else -outcome.disc_diff


def play_games(match: Match, numbers: Iterable[int]) -> Iterator[Played]:
    """Play some games of a match one after another.

    Raises RegistryError for a text that names no player, UnplayableError where one cannot play these games.
    """
    with closing(make(match.a, match.size)) as a, closing(make(match.b, match.size)) as b:
        for number in numbers:
            yield play_game(match, number, a, b)


def play(match: Match, workers: Workers) -> Generator[Played, None, None]:
    """Play a match and yield its games in their order, the same for any number of workers.

    Raises as `play_games` and workers do.
    """
    return workers.in_order(partial(play_games, match), match.games, match_files(match))


def match_files(match: Match) -> list[Path]:
    """Return the files that the players of a match are read from."""
    return [path for text in (match.a, match.b) for path in files(text, match.size)]


class Seat(NamedTuple):
    """A player and its randomness in one game."""

    player: Player
    rng: np.random.Generator


def play_game(match: Match, number: int, a: Player, b: Player) -> Played:
    """Play one game of a match."""
    colour = match.colour_of_a(number)
    players, names = {colour: a, colour.other: b}, {colour: match.a, colour.other: match.b}
    record = play_out(match.luck(number), match.size, players)
    black, white = (names[each] for each in Colour)
    return Played(replace(record, black=black, white=white, number=number), colour)


def play_out(luck: Luck, size: int, players: Mapping[Colour, Player]) -> Record:
    """Play the game of a luck to its end, or until a player cannot go on; raises UnplayableError."""
    game = Game.from_transcript(luck.opening, size)
    opening = len(game.moves)
    seats = {colour: Seat(players[colour], luck.of(colour)) for colour in Colour}
    forfeit = _play_on(game, seats)
    return Record(game, opening=opening, seed=luck.seed, forfeit=forfeit)


def _play_on(game: Game, seats: Mapping[Colour, Seat]) -> Forfeited | None:
    """Play a game to its end, or until a player cannot go on: then return who that was, and why."""
    for colour in Colour:
        try:
            seats[colour].player.start(game)
        except Forfeit as forfeit:
            return Forfeited(colour, str(forfeit))
    while not game.board.is_over:
        colour = game.board.turn
        try:
            move = _move(game, seats[colour])
            game.play(move)
        except Forfeit as forfeit:
            return Forfeited(colour, str(forfeit))
        except IllegalMoveError as error:
            return Forfeited(colour, f"illegal move: {error}")
        for seat in seats.values():
            seat.player.observe(move)
    return None


def _move(game: Game, seat: Seat) -> int:
    return seat.player.choose(game, seat.rng) if game.board.legal_moves else PASS
