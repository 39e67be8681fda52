"""Pairings of two players, and functions that play their games. Two policies play games in batches."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import STAY, BatchGames, Positions
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.catalogue import make
from othello_lab.game.game import Game, replay
from othello_lab.game.luck import Luck, turn_generator
from othello_lab.game.notation import PASS
from othello_lab.game.openings import standard_openings
from othello_lab.game.players.player import Forfeit, Player, Policy
from othello_lab.game.records.record import Forfeited, Record

# The maximum number of games in a part. Larger parts are faster, but fewer processes can share the work.
TOGETHER: Final = 128


@dataclass(frozen=True)
class Pairing:
    """The games of two players. In each of `repeat` rounds, A plays every opening with both colours."""

    a: str  # The registry text of player A.
    b: str
    size: int = 8
    openings: tuple[str, ...] = ("",)  # Transcripts without duplicates. "" is the standard start.
    repeat: int = 1
    seed: int = 0  # The seed of all random choices.

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * len(self.openings) * self.repeat

    def colour_of_a(self, number: int) -> Colour:
        """Return the colour of A in game `number`. A is black if `number` is even."""
        return Colour.WHITE if number % 2 else Colour.BLACK

    def place(self, number: int) -> int:
        """Return the index of a game's opening in `openings`."""
        return number // 2 % len(self.openings)

    def opening(self, number: int) -> str:
        """Return the transcript of the opening of a game."""
        return self.openings[self.place(number)]

    def at(self, place: int) -> Iterator[int]:
        """Yield the numbers of the games with the opening `openings[place]`."""
        for repeat in range(self.repeat):
            first = 2 * (repeat * len(self.openings) + place)
            yield from (first, first + 1)

    def luck(self, number: int) -> Luck:
        """Return the source of all random draws in a game."""
        repeat = number // (2 * len(self.openings))
        return Luck(self.seed, self.opening(number), repeat, turned=self.a == self.b and number % 2 == 1)


@dataclass(frozen=True)
class Played:
    """A finished game of a pairing."""

    record: Record
    colour: Colour  # The colour of A.

    @property
    def opening(self) -> str:
        """The position after the opening, as a text with the side to move."""
        return str(self.record.game.boards[self.record.opening])

    @property
    def points(self) -> float:
        """The points of A, which are 1 for a win, 0.5 for a draw and 0 for a loss."""
        winner = self.record.winner
        return 0.5 if winner is None else float(winner is self.colour)

    @property
    def disc_diff(self) -> int | None:
        """A's discs minus B's discs, or None if a player has forfeited the game."""
        outcome = self.record.game.board.outcome()
        if outcome is None or self.record.forfeit:
            return None
        return outcome.disc_diff if self.colour is Colour.BLACK else -outcome.disc_diff


class Turn(NamedTuple):
    """The games in which the side to move has a legal square. All arrays are [n]."""

    games: NDArray[np.int64]  # The indices of the games in the batch.
    positions: Positions
    black_to_move: NDArray[np.bool_]

    def take(self, which: NDArray[np.integer]) -> "Turn":
        """Return the games at the indices `which`."""
        return Turn(self.games[which], self.positions.take(which), self.black_to_move[which])


# A callback that returns a legal square for each game in a Turn, [n].
Choose = Callable[[Turn], NDArray[np.integer]]


def play_out(games: BatchGames, choose: Choose) -> NDArray[np.int16]:
    """Play to the end. Return the moves, padded with PASS, int16 [plies, games]. Raises IllegalMoveError."""
    plies = []
    while not games.finished.all():
        moves = np.full(len(games), PASS)
        asked = np.flatnonzero(games.can_move)
        moves[asked] = choose(Turn(asked, games.positions.take(asked), games.black_to_move[asked]))
        if (moves == STAY).any():
            raise IllegalMoveError(f"{STAY} is no square")
        games.play(moves)
        plies.append(moves)
    return np.array(plies, np.int16).reshape(-1, len(games))


def parts(numbers: Sequence[int], together: bool) -> list[Sequence[int]]:
    """Split the numbers of games into parts. With `together`, a part has up to TOGETHER games, else 1."""
    most = TOGETHER if together else 1
    return [numbers[first : first + most] for first in range(0, len(numbers), most)]


def is_policy(text: str, size: int) -> bool:
    """Return whether a registry text names a policy. Raises RegistryError for an invalid text."""
    with closing(make(text, size)) as player:
        return isinstance(player, Policy)


def plays_together(pairing: Pairing) -> bool:
    """Return whether both players are policies. Raises RegistryError for an invalid text."""
    return all(is_policy(text, pairing.size) for text in {pairing.a, pairing.b})


def play_parts(
    pairing: Pairing, every: Sequence[Sequence[int]], which: Iterable[int]
) -> Iterator[list[Played]]:
    """Yield the games of the part every[i] for each i in `which`. Raises RegistryError or UnplayableError."""
    with closing(make(pairing.a, pairing.size)) as a, closing(make(pairing.b, pairing.size)) as b:
        for part in which:
            yield play_some(pairing, every[part], a, b)


def play_games(pairing: Pairing, numbers: Sequence[int]) -> Iterator[Played]:
    """Play the games `numbers`, and yield each game. Raises RegistryError or UnplayableError."""
    with closing(make(pairing.a, pairing.size)) as a, closing(make(pairing.b, pairing.size)) as b:
        for part in parts(numbers, isinstance(a, Policy) and isinstance(b, Policy)):
            yield from play_some(pairing, part, a, b)


def play_some(pairing: Pairing, numbers: Sequence[int], a: Player, b: Player) -> list[Played]:
    """Play the games `numbers`, and return the games in this order. Raises UnplayableError."""
    if isinstance(a, Policy) and isinstance(b, Policy) and len(numbers) > 1:
        try:
            return _play_together(pairing, numbers, a, b)
        except (Forfeit, IllegalMoveError):
            pass  # play the games one by one instead, to find which game is forfeited and why
    return [play_game(pairing, number, a, b) for number in numbers]


def _play_together(pairing: Pairing, numbers: Sequence[int], a: Policy, b: Policy) -> list[Played]:
    a_is_black, lucks = np.array(numbers) % 2 == 0, [pairing.luck(number) for number in numbers]
    black, white = (np.array([luck.seat_seed(colour) for luck in lucks], np.uint64) for colour in Colour)
    seats = [
        (a, a_is_black, np.where(a_is_black, black, white)),
        (b, ~a_is_black, np.where(a_is_black, white, black)),
    ]

    def choose(turn: Turn) -> NDArray[np.integer]:
        squares = np.empty(len(turn.games), np.int64)
        for policy, is_black, luck in seats:
            own = np.flatnonzero(turn.black_to_move == is_black[turn.games])
            if len(own):
                squares[own] = policy.choose_many(turn.positions.take(own), luck[turn.games[own]])
        return squares

    texts = {luck.opening for luck in lucks}
    openings = {text: Game.from_transcript(text, pairing.size) for text in texts}
    games = [openings[luck.opening] for luck in lucks]
    boards = [game.board for game in games]
    black_to_move = np.array([board.turn is Colour.BLACK for board in boards])
    moves = play_out(BatchGames(Positions.of(boards), black_to_move), choose)
    played = []
    for number, opening, column in zip(numbers, games, moves.T, strict=True):
        game = replay(opening.start, [*opening.moves, *column[column != PASS].tolist()])
        played.append(_played(pairing, number, game, len(opening.moves)))
    return played


# A callback of (game, player) that runs before each move of a player.
BeforeMove = Callable[[Game, Player], None]


def play_game(
    pairing: Pairing, number: int, a: Player, b: Player, before_move: BeforeMove = lambda game, player: None
) -> Played:
    """Play one game of a pairing. Raises UnplayableError if a player does not support the game."""
    game = Game.from_transcript(pairing.opening(number), pairing.size)
    opening, luck, colour = len(game.moves), pairing.luck(number), pairing.colour_of_a(number)
    seeds = {side: luck.seat_seed(side) for side in Colour}
    forfeit = _play_on(game, {colour: a, colour.other: b}, seeds, before_move)
    return _played(pairing, number, game, opening, forfeit)


def _play_on(
    game: Game, players: Mapping[Colour, Player], seeds: Mapping[Colour, int], before_move: BeforeMove
) -> Forfeited | None:
    """Play a game to the end. If a player forfeits, stop and return the colour and the reason."""
    for colour, player in players.items():
        try:
            player.start(game)
        except Forfeit as forfeit:
            return Forfeited(colour, str(forfeit))
    while not game.board.is_over:
        colour = game.board.turn
        try:
            move = PASS
            if game.board.legal_moves:
                before_move(game, players[colour])
                move = players[colour].choose(game, turn_generator(seeds[colour], game.board))
            game.play(move)
        except Forfeit as forfeit:
            return Forfeited(colour, str(forfeit))
        except IllegalMoveError as error:
            return Forfeited(colour, f"illegal move: {error}")
        for player in players.values():
            player.observe(move)
    return None


def _played(
    pairing: Pairing, number: int, game: Game, opening: int, forfeit: Forfeited | None = None
) -> Played:
    colour = pairing.colour_of_a(number)
    black, white = (pairing.a, pairing.b) if colour is Colour.BLACK else (pairing.b, pairing.a)
    return Played(Record(game, black, white, opening, pairing.seed, number, forfeit), colour)


def sampled_positions(
    player: str, size: int, count: int, fewest: int, most: int, seed: int
) -> Iterator[Board]:
    """Yield `count` self-play positions with `fewest` to `most` empty squares and two or more moves."""
    pairing = Pairing(player, player, size, standard_openings(size), seed=seed)
    rng, number = np.random.default_rng(seed), 0
    while count > 0:
        empties = rng.integers(fewest, most + 1)
        (played,) = play_games(pairing, [number])
        number += 1
        found = [board for board in played.record.game.boards if board.empties == empties]
        if found and len(found[-1].legal_moves) > 1:
            count -= 1
            yield found[-1]
