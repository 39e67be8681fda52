"""Many games at once, without a Python step for each game: positions as arrays, and the rules on them.

Squares are bits of uint64 words [n, words], as in Positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.game import Game
from othello_lab.game.kernels import arrays
from othello_lab.game.kernels.bits import from_int, words_of

STAY: Final = arrays.STAY
"""A value in place of a move: this game does not change."""
Number = TypeVar("Number", np.uint8, np.float32)
"""The type of planes."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one board size, each from the view of its side to move, without colours."""

    size: int
    own: NDArray[np.uint64]  # [n, words]: square s is bit s % 64 of word s // 64
    opponent: NDArray[np.uint64]  # [n, words]

    @staticmethod
    def of(boards: Sequence[Board]) -> "Positions":
        """Pack one or more boards of one size."""
        size = boards[0].size
        own = _pack([board.own for board in boards], size)
        return Positions(size, own, _pack([board.opponent for board in boards], size))

    @staticmethod
    def along(game: Game) -> "Positions":
        """Return the positions of a game, before each of its moves and at the end."""
        start, size = game.start, game.size
        own = np.empty((len(game.moves) + 1, words_of(size)), np.uint64)
        opponent = np.empty_like(own)
        moves = np.array(game.moves, np.int64)
        arrays.trace(from_int(start.own, size), from_int(start.opponent, size), moves, size, own, opponent)
        return Positions(size, own, opponent)

    @staticmethod
    def joined(parts: Sequence["Positions"]) -> "Positions":
        """Concatenate the positions of one or more parts."""
        own, opponent = (
            np.concatenate([getattr(part, side) for part in parts]) for side in ("own", "opponent")
        )
        return Positions(parts[0].size, own, opponent)

    def __len__(self) -> int:
        return len(self.own)

    def discs(self) -> NDArray[np.int64]:
        """Count the discs on each board, int64 [n]."""
        return count_squares(self.own | self.opponent, self.size)

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the discs of the side to move and of the other side, each int64 [n]."""
        return count_squares(self.own, self.size), count_squares(self.opponent, self.size)

    def take(self, which: NDArray[np.integer] | NDArray[np.bool_] | slice) -> "Positions":
        """Return the positions with these indices: copies, or views for a slice."""
        return Positions(self.size, self.own[which], self.opponent[which])

    def board(self, index: int, black_to_move: bool | np.bool_ = True) -> Board:
        """Return one position as a board."""
        own, opponent = (int.from_bytes(row[index].tobytes(), "little") for row in (self.own, self.opponent))
        if black_to_move:
            return Board(self.size, own, opponent, Colour.BLACK)
        return Board(self.size, opponent, own, Colour.WHITE)


def count_squares(squares: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """Count the squares of each set, uint64 [n, words], as int64 [n]."""
    numbers = np.empty(len(squares), np.int64)
    arrays.counts(squares, from_int(0, size), numbers)
    return numbers


def repeated(board: Board, n: int) -> Positions:
    """Return the position of `board` n times."""
    one = Positions.of([board])
    return Positions(board.size, one.own.repeat(n, axis=0), one.opponent.repeat(n, axis=0))


def _pack(squares: list[int], size: int) -> NDArray[np.uint64]:
    words = words_of(size)
    data = b"".join(bits.to_bytes(8 * words, "little") for bits in squares)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(squares), words)


def play_out(positions: Positions, seed: int) -> NDArray[np.int16]:
    """Play a game of uniformly random legal moves from each position; return the discs at the end.

    The result is int16 [n, 2]: column 0 is the side to move at the start, column 1 the other side. With more
    positions the first games are the same.
    """
    discs = np.empty((len(positions), 2), np.int16)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    arrays.play_out(
        positions.own, positions.opponent, from_int(0, positions.size), positions.size, key, discs
    )
    return discs


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

    def __init__(self, positions: Positions, black_to_move: NDArray[np.bool_] | None = None) -> None:
        """Start games from copies of these positions; by default black is to move in all games."""
        n = len(positions)
        self.positions = Positions(positions.size, positions.own.copy(), positions.opponent.copy())
        self.black_to_move = np.ones(n, np.bool_) if black_to_move is None else black_to_move.copy()
        self.legal = np.zeros_like(self.positions.own)
        self.finished = np.zeros(n, np.bool_)
        self._kind = from_int(0, positions.size)
        self._look()

    @classmethod
    def start(cls, size: int, games: int) -> "BatchGames":
        """Start games from the standard start; raise ValueError for a size that does not exist."""
        return cls(repeated(Board.start(size), games))

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
        # By words, not along the rows: a row of one word takes the time of ten words.
        some: NDArray[np.bool_] = np.bitwise_or.reduce(self.legal.T) != 0
        return some

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
        own, opponent = self.positions.own, self.positions.opponent
        arrays.play(own, opponent, self.black_to_move, squares, self._kind, self.size, self.finished)
        self._look()

    def are_legal(self, moves: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return whether `play` accepts each move, bool [n]; raise ValueError unless there are n moves."""
        if moves.shape != (len(self),):
            raise ValueError(f"{len(self)} games take one move each, but the moves have shape {moves.shape}")
        answers = np.empty(len(self), np.bool_)
        arrays.are_legal(moves.astype(np.int64, copy=False), self.legal, self._kind, self.size, answers)
        return answers

    def take(self, indices: NDArray[np.integer]) -> "BatchGames":
        """Return copies of the games with these indices."""
        return BatchGames(self.positions.take(indices), self.black_to_move[indices])

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

    def _look(self) -> None:
        own, opponent = self.positions.own, self.positions.opponent
        arrays.look(own, opponent, self._kind, self.size, self.legal, self.finished)

    def _why_illegal(self, index: int, move: int) -> str:
        try:
            self.board(index).play(move)
        except IllegalMoveError as error:
            return str(error)
        raise AssertionError("the kernels and Board disagree")  # pragma: no cover


def legal_moves(positions: Positions) -> NDArray[np.uint64]:
    """Return the legal moves of each side to move as bits, uint64 [n, words]."""
    moves = np.empty_like(positions.own)
    arrays.legal_moves(positions.own, positions.opponent, from_int(0, positions.size), positions.size, moves)
    return moves


def planes(positions: Positions, dtype: type[Number]) -> NDArray[Number]:
    """Return the four planes of `observation.py` for the side to move: 0 or 1, [n, 4, size, size]."""
    size = positions.size
    out = np.zeros((len(positions), 4 * size * size), dtype)
    arrays.planes(positions.own, positions.opponent, from_int(0, size), size, out)
    return out.reshape(-1, 4, size, size)


def to_mask(squares: NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Return sets of squares, uint64 [..., words], as bool [..., size * size]."""
    octets = np.ascontiguousarray(squares, "<u8").view(np.uint8)
    # All words at once: an operation along the short rows is slow, as in `can_move`.
    bits = np.unpackbits(octets.reshape(-1), bitorder="little").view(np.bool_)
    rows = bits.reshape(*octets.shape[:-1], 8 * octets.shape[-1])
    return np.ascontiguousarray(rows[..., : size * size])


def from_mask(cells: NDArray[np.bool_ | np.uint8 | np.int8], size: int) -> NDArray[np.uint64]:
    """Convert 0s and 1s, [..., size * size], to sets of squares, uint64 [..., words]."""
    packed = np.packbits(cells, axis=-1, bitorder="little")
    octets = np.zeros((*packed.shape[:-1], 8 * words_of(size)), np.uint8)
    octets[..., : packed.shape[-1]] = packed
    return octets.view("<u8").astype(np.uint64, copy=False)


def pick_each(squares: NDArray[np.uint64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random square of each set, uint64 [n, words], as int64 [n]; PASS for an empty set."""
    chosen = np.empty(len(squares), np.int64)
    arrays.pick(squares, from_int(0, size), rng.integers(2**64, dtype=np.uint64), chosen)
    return chosen
