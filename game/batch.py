"""Many positions and games as arrays, with the rules in compiled code."""

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
"""A move of this number leaves a game unchanged."""
Number = TypeVar("Number", np.uint8, np.float32)


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one board size from the view of the side to move, without colours."""

    size: int
    own: NDArray[np.uint64]  # [n, words]: square s is bit s % 64 of word s // 64
    opponent: NDArray[np.uint64]  # [n, words]

    @staticmethod
    def of(boards: Sequence[Board]) -> "Positions":
        """Return the positions of one or more boards of the same size."""
        size = boards[0].size
        own = _pack([board.own for board in boards], size)
        return Positions(size, own, _pack([board.opponent for board in boards], size))

    @staticmethod
    def along(game: Game) -> "Positions":
        """Return all positions of a game, from the start to the position after the last move."""
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
        """Return the positions with the indices `which`. A slice of indices gives views of the arrays."""
        return Positions(self.size, self.own[which], self.opponent[which])

    def board(self, index: int, black_to_move: bool | np.bool_ = True) -> Board:
        """Return one position as a board with colours."""
        own, opponent = (int.from_bytes(row[index].tobytes(), "little") for row in (self.own, self.opponent))
        if black_to_move:
            return Board(self.size, own, opponent, Colour.BLACK)
        return Board(self.size, opponent, own, Colour.WHITE)


def count_squares(squares: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """Return the number of squares in each set, int64 [n]. `squares` is uint64 [n, words]."""
    numbers = np.empty(len(squares), np.int64)
    arrays.counts(squares, from_int(0, size), numbers)
    return numbers


def repeated(board: Board, n: int) -> Positions:
    """Return `n` copies of the position of a board."""
    one = Positions.of([board])
    return Positions(board.size, one.own.repeat(n, axis=0), one.opponent.repeat(n, axis=0))


def _pack(squares: list[int], size: int) -> NDArray[np.uint64]:
    words = words_of(size)
    data = b"".join(bits.to_bytes(8 * words, "little") for bits in squares)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(squares), words)


def play_out(positions: Positions, seed: int) -> NDArray[np.int16]:
    """Play a random game from each position. Return the numbers of discs at the end, int16 [n, 2].

    Column 0 belongs to the side that moves first.
    """
    discs = np.empty((len(positions), 2), np.int16)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    arrays.play_out(
        positions.own, positions.opponent, from_int(0, positions.size), positions.size, key, discs
    )
    return discs


@dataclass(frozen=True)
class Outcomes:
    """The results of n games from black's view. Each array is [n], with 0 for an unfinished game."""

    winner: NDArray[np.int8]
    """1 if black has won, -1 if white has won, 0 for a draw."""
    disc_diff: NDArray[np.int64]
    """Black's discs minus white's."""
    final_score: NDArray[np.int64]
    """Black's discs minus white's, where the empty squares count for the winner."""


class BatchGames:
    """Games of one board size that are played together. `play` makes one ply in each game.

    The state is `positions`, `black_to_move` bool [n], `legal` uint64 [n, words] and `finished` bool [n].
    `play` changes these arrays, so a caller must copy an array to keep the state.
    """

    def __init__(self, positions: Positions, black_to_move: NDArray[np.bool_] | None = None) -> None:
        """Begin games from copies of `positions`. By default black is to move in all games."""
        n = len(positions)
        self.positions = Positions(positions.size, positions.own.copy(), positions.opponent.copy())
        self.black_to_move = np.ones(n, np.bool_) if black_to_move is None else black_to_move.copy()
        self.legal = np.zeros_like(self.positions.own)
        self.finished = np.zeros(n, np.bool_)
        self._kind = from_int(0, positions.size)
        self._look()

    @classmethod
    def start(cls, size: int, games: int) -> "BatchGames":
        """Begin games from the standard start. Raises ValueError for a size that does not exist."""
        return cls(repeated(Board.start(size), games))

    def __len__(self) -> int:
        return len(self.finished)

    @property
    def size(self) -> int:
        """The length of a side of the boards."""
        return self.positions.size

    @property
    def must_pass(self) -> NDArray[np.bool_]:
        """True for each game in which the side to move must pass, bool [n]."""
        return ~(self.finished | self.can_move)

    @property
    def can_move(self) -> NDArray[np.bool_]:
        """True for each game in which the side to move has a legal square, bool [n]."""
        # A reduction along rows of one word would be ten times as slow.
        some: NDArray[np.bool_] = np.bitwise_or.reduce(self.legal.T) != 0
        return some

    def board(self, index: int) -> Board:
        """Return the position of one game, with colours."""
        return self.positions.board(index, self.black_to_move[index])

    def play(self, moves: NDArray[np.integer]) -> None:
        """Make one move in each game, integers `moves` [n]. The move STAY leaves a game unchanged.

        In a game without a legal square, the move is PASS. If a move is illegal, raises IllegalMoveError and
        changes no game. Raises ValueError if there are not n moves.
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
        """Return whether each move is legal, bool [n]. Raises ValueError if there are not n moves."""
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
        """Return the number of black discs and the number of white discs, each int64 [n]."""
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
    """Return the legal squares of the side to move in each position, uint64 [n, words]."""
    moves = np.empty_like(positions.own)
    arrays.legal_moves(positions.own, positions.opponent, from_int(0, positions.size), positions.size, moves)
    return moves


def planes(positions: Positions, dtype: type[Number]) -> NDArray[Number]:
    """Return the planes of `observation.py` for the side to move, 0 or 1, [n, 4, size, size]."""
    size = positions.size
    out = np.zeros((len(positions), 4 * size * size), dtype)
    arrays.planes(positions.own, positions.opponent, from_int(0, size), size, out)
    return out.reshape(-1, 4, size, size)


def to_mask(squares: NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Convert sets of squares, uint64 [..., words], to masks, bool [..., size * size]."""
    octets = np.ascontiguousarray(squares, "<u8").view(np.uint8)
    # One operation on all words is faster than an operation along the short rows.
    bits = np.unpackbits(octets.reshape(-1), bitorder="little").view(np.bool_)
    rows = bits.reshape(*octets.shape[:-1], 8 * octets.shape[-1])
    return np.ascontiguousarray(rows[..., : size * size])


def from_mask(cells: NDArray[np.bool_ | np.uint8 | np.int8], size: int) -> NDArray[np.uint64]:
    """Convert masks, 0 or 1, [..., size * size], to sets of squares, uint64 [..., words]."""
    packed = np.packbits(cells, axis=-1, bitorder="little")
    octets = np.zeros((*packed.shape[:-1], 8 * words_of(size)), np.uint8)
    octets[..., : packed.shape[-1]] = packed
    return octets.view("<u8").astype(np.uint64, copy=False)


def pick_each(squares: NDArray[np.uint64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random square of each set, or PASS for an empty set, int64 [n]. Sets are uint64 [n, words]."""
    chosen = np.empty(len(squares), np.int64)
    arrays.pick(squares, from_int(0, size), rng.integers(2**64, dtype=np.uint64), chosen)
    return chosen
