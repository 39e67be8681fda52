"""Many games at once, without a Python step for each game: the kernels of Board, applied to arrays.

Squares are bits of uint64 words [n, words], as in Positions. `threads` spreads the work over cores and does
not change results. To start threads takes about 0.1 ms a call, the time for a few thousand positions.
"""

from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions, in_parts, repeated
from othello_lab.game.board import Board, IllegalMoveError
from othello_lab.game.kernels import arrays
from othello_lab.game.kernels.bits import from_int, words_of

STAY: Final = arrays.STAY
"""A value in place of a move: this game does not change."""
Number = TypeVar("Number", np.uint8, np.float32)
"""The type of planes."""


@dataclass(frozen=True)
class Outcomes:
    """The results of n games, from black's view; each array is [n], with 0 for an unfinished game."""

    winner: NDArray[np.int8]
    """1 black, -1 white, 0 a draw."""
    disc_diff: NDArray[np.int64]
    """Black's discs minus white's."""
    final_score: NDArray[np.int64]
    """Black's discs minus white's, with the empty squares given to the winner."""


class BatchGames:
    """Games of one size that are played together: `play` makes one ply in each game.

    `positions` (from the view of the side to move), `black_to_move` bool [n], `legal` uint64 [n, words] and
    `finished` bool [n] show the current state. `play` changes these arrays, so copy an array to keep it. If
    neither side can move, a game is finished and does not change.
    """

    def __init__(
        self, positions: Positions, black_to_move: NDArray[np.bool_] | None = None, threads: int = 1
    ) -> None:
        """Start games from copies of these positions; by default black is to move in all games."""
        n = len(positions)
        self.positions = Positions(positions.size, positions.own.copy(), positions.opponent.copy())
        self.black_to_move = np.ones(n, np.bool_) if black_to_move is None else black_to_move.copy()
        self.legal = np.zeros_like(self.positions.own)
        self.finished = np.zeros(n, np.bool_)
        self._threads = threads
        self._kind = from_int(0, positions.size)
        in_parts(self._look, n, threads)

    @classmethod
    def start(cls, size: int, games: int, threads: int = 1) -> "BatchGames":
        """Start games from the standard start; raise ValueError for a size that does not exist."""
        return cls(repeated(Board.start(size), games), threads=threads)

    def __len__(self) -> int:
        return len(self.finished)

    @property
    def size(self) -> int:
        """The length of a side of the boards."""
        return self.positions.size

    @property
    def must_pass(self) -> NDArray[np.bool_]:
        """Whether the side to move has no move while the other side has one, bool [n]."""
        return ~(self.finished | self.can_move)

    @property
    def can_move(self) -> NDArray[np.bool_]:
        """Whether the side to move has a move, bool [n]."""
        return any_of(self.legal)

    def board(self, index: int) -> Board:
        """Return the position of one game, with colours."""
        return self.positions.board(index, self.black_to_move[index])

    def play(self, moves: NDArray[np.integer]) -> None:
        """Make one move in each game, [n]: a legal square; PASS if there is none or the game is over; STAY to
        leave the game unchanged.

        Raises IllegalMoveError for the first game with an illegal move, and then plays in no game. Raises
        ValueError if the number of moves is not n.
        """
        squares: NDArray[np.int64] = moves.astype(np.int64)
        legal = self.are_legal(squares)
        if not legal.all():
            illegal = int(legal.argmin())
            raise IllegalMoveError(f"game {illegal}: {self._why_illegal(illegal, int(moves[illegal]))}")
        in_parts(lambda part: self._play(part, squares), len(self), self._threads)

    def are_legal(self, moves: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return whether `play` accepts each move, bool [n]; raise ValueError unless there are n moves."""
        if moves.shape != (len(self),):
            raise ValueError(f"{len(self)} games take one move each, but the moves have shape {moves.shape}")
        answers = np.empty(len(self), np.bool_)
        arrays.are_legal(moves.astype(np.int64, copy=False), self.legal, self._kind, self.size, answers)
        return answers

    def take(self, indices: NDArray[np.integer]) -> "BatchGames":
        """Return copies of the games with these indices."""
        return BatchGames(self.positions.take(indices), self.black_to_move[indices], self._threads)

    def put(self, indices: NDArray[np.integer], games: "BatchGames") -> None:
        """Replace the games with these indices by other games of the same size."""
        self.positions.own[indices] = games.positions.own
        self.positions.opponent[indices] = games.positions.opponent
        self.black_to_move[indices], self.finished[indices] = games.black_to_move, games.finished
        self.legal[indices] = games.legal

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of black and of white discs, int64 [n] each."""
        own, opponent = self.positions.counts()
        black = np.where(self.black_to_move, own, opponent)
        return black, own + opponent - black

    def outcomes(self) -> Outcomes:
        """Return the results of the finished games."""
        black, white = self.counts()
        difference = np.where(self.finished, black - white, 0)
        winner = np.sign(difference)
        empties = self.size**2 - black - white
        return Outcomes(winner.astype(np.int8), difference, difference + winner * empties)

    def _play(self, part: slice, moves: NDArray[np.int64]) -> None:
        own, opponent = self.positions.own[part], self.positions.opponent[part]
        arrays.play(
            own, opponent, self.black_to_move[part], moves[part], self._kind, self.size, self.finished[part]
        )
        self._look(part)

    def _look(self, part: slice) -> None:
        own, opponent = self.positions.own[part], self.positions.opponent[part]
        arrays.look(own, opponent, self._kind, self.size, self.legal[part], self.finished[part])

    def _why_illegal(self, index: int, move: int) -> str:
        try:
            self.board(index).play(move)
        except IllegalMoveError as error:
            return str(error)
        raise AssertionError("the kernels and Board disagree")  # pragma: no cover


def legal_moves(positions: Positions, threads: int = 1) -> NDArray[np.uint64]:
    """Return the legal moves of each side to move as bits, uint64 [n, words]."""
    own, opponent, moves = positions.own, positions.opponent, np.empty_like(positions.own)
    kind = from_int(0, positions.size)

    def work(part: slice) -> None:
        arrays.legal_moves(own[part], opponent[part], kind, positions.size, moves[part])

    in_parts(work, len(positions), threads)
    return moves


def planes(positions: Positions, dtype: type[Number], threads: int = 1) -> NDArray[Number]:
    """Return the four planes of `observation.py` for the side to move: 0 or 1, [n, 4, size, size]."""
    size = positions.size
    out = np.zeros((len(positions), 4 * size * size), dtype)
    kind = from_int(0, size)

    def work(part: slice) -> None:
        arrays.planes(positions.own[part], positions.opponent[part], kind, size, out[part])

    in_parts(work, len(positions), threads)
    return out.reshape(-1, 4, size, size)


def to_mask(squares: NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Return sets of squares, uint64 [..., words], as bool [..., size * size]."""
    octets = np.ascontiguousarray(squares, "<u8").view(np.uint8)
    # All words at once: an operation along the short rows is slow, as in any_of.
    bits = np.unpackbits(octets.reshape(-1), bitorder="little").view(np.bool_)
    rows = bits.reshape(*octets.shape[:-1], 8 * octets.shape[-1])
    return np.ascontiguousarray(rows[..., : size * size])


def from_mask(cells: NDArray[np.bool_ | np.uint8 | np.int8], size: int) -> NDArray[np.uint64]:
    """Convert 0s and 1s, [..., size * size], to sets of squares, uint64 [..., words]."""
    packed = np.packbits(cells, axis=-1, bitorder="little")
    octets = np.zeros((*packed.shape[:-1], 8 * words_of(size)), np.uint8)
    octets[..., : packed.shape[-1]] = packed
    return octets.view("<u8").astype(np.uint64, copy=False)


def any_of(squares: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return whether each set, uint64 [n, words], has a square, as bool [n]."""
    # By words, not along the rows: a row of one word takes the time of ten words.
    some: NDArray[np.bool_] = np.bitwise_or.reduce(squares.T) != 0
    return some


def pick_each(squares: NDArray[np.uint64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random square of each set, uint64 [n, words], as int64 [n]; PASS for an empty set."""
    chosen = np.empty(len(squares), np.int64)
    arrays.pick(squares, from_int(0, size), rng.integers(2**64, dtype=np.uint64), chosen)
    return chosen
