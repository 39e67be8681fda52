"""Games: any games of one size, in columns by how many discs had been placed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.records import Record

AT_START: Final = 4
"""Discs on the board at the start: turn t is played with AT_START + t of them."""
BOTH: Final = "both"
COLOURS: Final = ("black", "white")
"""Names of sides, beside those of players."""


@dataclass(frozen=True)
class Games:
    """Games of one size. Row t of an array is the position with t discs placed: turn t, where one is chosen.

    A forced pass is no turn of its own: it belongs to the turn after it, which the other side then has. So
    each game has at most one decision in a row, and all boards in it have the same number of discs.
    """

    size: int
    own: NDArray[np.uint64]
    """The discs of the side that decides, [turns + 1, games, words]; none where a game never came there."""
    opponent: NDArray[np.uint64]
    black_to_move: NDArray[np.bool_]
    """[turns + 1, games]; of a game that is over whoever would be next."""
    moves: NDArray[np.int16]
    """The square that was chosen, [turns + 1, games]; PASS where the game was over or never came there."""
    reached: NDArray[np.bool_]
    """Whether a game came to this turn, or to its end here, [turns + 1, games]."""
    passed: NDArray[np.bool_]
    """Whether the other side had to pass just before, [turns + 1, games]."""
    complete: NDArray[np.bool_]
    """Whether a game was played to an end on the board, [games]."""
    unit: NDArray[np.int64]
    """What games have in common, from 0: their opening. Intervals are over these. [games]"""
    players: tuple[str, str] = ("", "")
    """Two names; the same twice for games of a player against itself, or of anybody."""
    first_is_black: NDArray[np.bool_] | None = None
    """Whether the first of the players is black, [games]; None where they are the same."""

    @property
    def turns(self) -> int:
        """How many discs can be placed."""
        return len(self.moves) - 1

    def __len__(self) -> int:
        return len(self.complete)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Where a side chose a move, [turns + 1, games]."""
        chosen: NDArray[np.bool_] = self.moves != PASS
        return chosen

    def positions(self, turn: int, which: NDArray[np.bool_]) -> Positions:
        """Return the positions of some games, bool [games], from the view of the side to move."""
        return Positions(self.size, self.own[turn, which], self.opponent[turn, which])

    def board(self, turn: int, game: int) -> Board:
        """Return one position, with its colours."""
        positions = Positions(self.size, self.own[turn], self.opponent[turn])
        return positions.board(game, self.black_to_move[turn, game])

    def game(self, number: int) -> Game:
        """Replay one game, from where its players took over."""
        turns = np.flatnonzero(self.reached[:, number]).tolist()
        game = Game(self.board(turns[0], number))
        for move in self.moves[turns, number].tolist():
            if move != PASS:
                game.pass_if_forced()
                game.play(move)
        return game

    def groups(self) -> dict[str, NDArray[np.bool_]]:
        """Return the decisions of each side by its name, bool [turns + 1, games] each.

        `both`, `black`, `white`; where two players met also each of them, and each as either colour.
        """
        decided, black = self.decided, self.black_to_move
        found = {BOTH: decided, "black": decided & black, "white": decided & ~black}
        if self.first_is_black is None:
            return found
        first = black == self.first_is_black
        for name, own in zip(self.players, (first, ~first), strict=True):
            found[name] = decided & own
            found |= {f"{name} as black": decided & own & black, f"{name} as white": decided & own & ~black}
        return found

    def each_turn(self) -> Iterator[tuple[int, str, NDArray[np.bool_]]]:
        """Yield turn, side and its decisions there, bool [games], for each turn at which a side decides."""
        for side, decided in self.groups().items():
            for turn in np.flatnonzero(decided.any(axis=1)).tolist():
                yield turn, side, decided[turn]

    def sides(self) -> dict[str, NDArray[np.bool_]]:
        """Return in which games a side has black, bool [games], by the name of the side."""
        every = np.ones(len(self), np.bool_)
        found = {"black": every, "white": ~every}
        if self.first_is_black is not None:
            found |= dict(zip(self.players, (self.first_is_black, ~self.first_is_black), strict=True))
        return found

    def ends(self) -> Positions:
        """Return the last position of each game, from the view of whoever would be next."""
        last, game = self._last()
        return Positions(self.size, self.own[last, game], self.opponent[last, game])

    def final_discs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return black's and white's discs in the last position of each game, int64 [games] each."""
        ends = self.ends()
        own, other = ends.counts()
        black = self.last_black_to_move()
        return np.where(black, own, other), np.where(black, other, own)

    def last_black_to_move(self) -> NDArray[np.bool_]:
        """Tell whether black would be next in the last position of each game, bool [games]."""
        return self.black_to_move[self._last()]

    def _last(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        last = len(self.reached) - 1 - self.reached[::-1].argmax(axis=0)
        return last, np.arange(len(self))


class Turns(NamedTuple):
    """Some turns of some games: what is put into the rows. Arrays [n]."""

    game: NDArray[np.int64]
    positions: Positions
    black_to_move: NDArray[np.bool_]
    move: NDArray[np.int64]
    passed: NDArray[np.bool_]


class _Rows:
    """Games that are being put together."""

    def __init__(self, size: int, games: int) -> None:
        self.size, self.shape = size, (size * size - AT_START + 1, games)
        self.own = np.zeros((*self.shape, words_of(size)), np.uint64)
        self.opponent = np.zeros_like(self.own)
        self.black_to_move, self.reached, self.passed = (np.zeros(self.shape, np.bool_) for _ in range(3))
        self.moves = np.full(self.shape, PASS, np.int16)

    def put(self, turns: Turns) -> None:
        """Put turns into their rows; raise ValueError for a board of fewer discs than at the start."""
        positions = turns.positions
        row = positions.discs() - AT_START
        if (row < 0).any():
            raise ValueError(f"a game begins with fewer than {AT_START} discs: that is no game of Othello")
        at = row, turns.game
        self.own[at], self.opponent[at] = positions.own, positions.opponent
        self.black_to_move[at], self.moves[at] = turns.black_to_move, turns.move
        self.passed[at], self.reached[at] = turns.passed, True

    def games(self, complete: NDArray[np.bool_], unit: NDArray[np.int64]) -> Games:
        """Return what was put in."""
        arrays = self.own, self.opponent, self.black_to_move, self.moves, self.reached, self.passed
        return Games(self.size, *arrays, complete, unit)


def of_records(records: Sequence[Record], unit: NDArray[np.int64] | None = None) -> Games:
    """Return recorded games of one size, at least one, without the moves of their openings.

    Without `unit`, games from one opening are one, and those without an opening each stand for themselves.
    Raises ValueError for games of several sizes, and for one that begins with too few discs.
    """
    sizes = sorted({record.game.size for record in records})
    if len(sizes) > 1:
        several = ", ".join(f"{size}x{size}" for size in sizes)
        raise ValueError(f"there are games on boards of {several}: say which --size to look at")
    rows = _Rows(sizes[0], len(records))
    for number, record in enumerate(records):
        rows.put(_turns(number, record))
    over = [record.game.board.is_over and not record.forfeit for record in records]
    return rows.games(np.array(over), _units(records) if unit is None else unit)


def _turns(number: int, record: Record) -> Turns:
    """Return the decisions of a recorded game and its last position."""
    game, first = record.game, record.opening
    moves = np.array([*game.moves, PASS])
    end, chosen = len(game.moves), np.flatnonzero(moves != PASS)
    chosen = chosen[chosen >= first]
    plies = np.append(chosen, end)
    black = (plies % 2 == 0) == (game.start.turn is Colour.BLACK)
    passed = (chosen > first) & (moves[chosen - 1] == PASS)
    positions = Positions.along(game).take(plies)
    return Turns(np.full(len(plies), number), positions, black, moves[plies], np.append(passed, False))


def _units(records: Sequence[Record]) -> NDArray[np.int64]:
    """Number the openings of games."""
    seen: dict[object, int] = {}
    keys = (
        record.game.boards[record.opening] if record.opening else number
        for number, record in enumerate(records)
    )
    return np.array([seen.setdefault(key, len(seen)) for key in keys], np.int64)


def between(games: Games, players: tuple[str, str], first_is_black: NDArray[np.bool_]) -> Games:
    """Say who played; games of a player against itself have one player only."""
    same = players[0] == players[1]
    return replace(games, players=players, first_is_black=None if same else first_is_black)
