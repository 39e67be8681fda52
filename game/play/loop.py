"""The loop: games between two sides, thousands at once where both are policies, else one after another."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import STAY, BatchGames
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.game import Game, replay
from othello_lab.game.notation import PASS
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.luck import turn_generator
from othello_lab.game.play.pairing import Pairing, Played
from othello_lab.game.players.catalogue import make
from othello_lab.game.players.player import Forfeit, Player, Policy
from othello_lab.game.records.record import Forfeited, Record

TOGETHER: Final = 128
"""Games that are played side by side: many enough to be fast, few enough to be shared by processes."""


class Turn(NamedTuple):
    """The games in which a side has to choose a move, arrays [n]."""

    games: NDArray[np.int64]
    """Their numbers among those that are played side by side."""
    positions: Positions
    black_to_move: NDArray[np.bool_]

    def take(self, which: NDArray[np.integer]) -> "Turn":
        """Return some of them, by their places."""
        return Turn(self.games[which], self.positions.take(which), self.black_to_move[which])


Choose = Callable[[Turn], NDArray[np.integer]]
"""Returns a square for each game of a turn, [n]."""


def play_out(games: BatchGames, choose: Choose) -> NDArray[np.int16]:
    """Play games to their ends and return all moves, int16 [plies, games].

    Forced passes are put in; a game that is over has PASS for its moves. Raises IllegalMoveError.
    """
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
    """Return the numbers of games in parts that are each played in one go: single games, or many together."""
    most = TOGETHER if together else 1
    return [numbers[first : first + most] for first in range(0, len(numbers), most)]


def is_policy(text: str, size: int) -> bool:
    """Tell whether a registry text names a policy, which plays many games at once; raises RegistryError."""
    with closing(make(text, size)) as player:
        return isinstance(player, Policy)


def plays_together(pairing: Pairing) -> bool:
    """Tell whether both players are policies; raises RegistryError for a text that names no player."""
    return all(is_policy(text, pairing.size) for text in {pairing.a, pairing.b})


def play_parts(
    pairing: Pairing, every: Sequence[Sequence[int]], which: Iterable[int]
) -> Iterator[list[Played]]:
    """Play some of the parts of a pairing one after another, and yield the games of each.

    Raises RegistryError for a text that names no player, UnplayableError where one cannot play these games.
    """
    with closing(make(pairing.a, pairing.size)) as a, closing(make(pairing.b, pairing.size)) as b:
        for part in which:
            yield play_some(pairing, every[part], a, b)


def play_games(pairing: Pairing, numbers: Sequence[int]) -> Iterator[Played]:
    """Play some games of a pairing; raises as `play_parts`."""
    with closing(make(pairing.a, pairing.size)) as a, closing(make(pairing.b, pairing.size)) as b:
        for part in parts(numbers, isinstance(a, Policy) and isinstance(b, Policy)):
            yield from play_some(pairing, part, a, b)


def play_some(pairing: Pairing, numbers: Sequence[int], a: Player, b: Player) -> list[Played]:
    """Play some games of a pairing, in their order; raises UnplayableError.

    Which are played together changes nothing about any of them.
    """
    if isinstance(a, Policy) and isinstance(b, Policy) and len(numbers) > 1:
        try:
            return _play_together(pairing, numbers, a, b)
        except (Forfeit, IllegalMoveError):
            pass  # one of them is lost by that: which, and why, is seen one by one
    return [play_game(pairing, number, a, b) for number in numbers]


def _play_together(pairing: Pairing, numbers: Sequence[int], a: Policy, b: Policy) -> list[Played]:
    a_is_black, lucks = np.array(numbers) % 2 == 0, [pairing.luck(number) for number in numbers]
    black, white = (np.array([luck.word(colour) for luck in lucks], np.uint64) for colour in Colour)
    seats = [
        (a, a_is_black, np.where(a_is_black, black, white)),
        (b, ~a_is_black, np.where(a_is_black, white, black)),
    ]

    def choose(turn: Turn) -> NDArray[np.integer]:
        squares = np.empty(len(turn.games), np.int64)
        for policy, is_black, luck in seats:
            asked = np.flatnonzero(turn.black_to_move == is_black[turn.games])
            if len(asked):
                squares[asked] = policy.choose_many(turn.positions.take(asked), luck[turn.games[asked]])
        return squares

    openings = {luck.opening: Game.from_transcript(luck.opening, pairing.size) for luck in lucks}
    begun = [openings[luck.opening] for luck in lucks]
    moves = play_out(_begun([opening.board for opening in begun]), choose)
    return [
        _played(
            pairing, number, replay(opening.start, [*opening.moves, *own[own != PASS]]), len(opening.moves)
        )
        for number, opening, own in zip(numbers, begun, moves.T, strict=True)
    ]


def _begun(boards: Sequence[Board]) -> BatchGames:
    """Begin a game at each of some positions, at least one."""
    return BatchGames(Positions.of(boards), np.array([board.turn is Colour.BLACK for board in boards]))


def play_game(pairing: Pairing, number: int, a: Player, b: Player) -> Played:
    """Play one game of a pairing; raises UnplayableError."""
    game = Game.from_transcript(pairing.opening(number), pairing.size)
    opening, luck, colour = len(game.moves), pairing.luck(number), pairing.colour_of_a(number)
    words = {each: luck.word(each) for each in Colour}
    forfeit = _play_on(game, {colour: a, colour.other: b}, words)
    return _played(pairing, number, game, opening, forfeit)


def _play_on(game: Game, players: Mapping[Colour, Player], words: Mapping[Colour, int]) -> Forfeited | None:
    """Play a game to its end, or until a player cannot go on: then return who that was, and why."""
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
                move = players[colour].choose(game, turn_generator(words[colour], game.board))
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
    """Yield positions in which there is a choice of moves, one of each game of a player against itself.

    For each game a number of empty squares is drawn, from `fewest` to `most`. A game that never has so many
    with a choice yields none; in all there are `count` positions.
    """
    pairing = Pairing(player, player, size, standard_openings(size), seed=seed)
    rng, number = np.random.default_rng(seed), 0
    while count > 0:
        left = rng.integers(fewest, most + 1)
        (played,) = play_games(pairing, [number])
        number += 1
        found = [board for board in played.record.game.boards if board.empties == left]
        if found and len(found[-1].legal_moves) > 1:
            count -= 1
            yield found[-1]
