"""Thousands of positions as arrays of words, and random games from these positions to the end."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game
from othello_lab.game.kernels import arrays
from othello_lab.game.kernels.bits import from_int, words_of


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


@dataclass(frozen=True)
class Playouts:
    """The results of random games. Every array is int16 [n, 2]: column 0 is the side to move at the start
    (black, in games from the standard start), column 1 the other side.
    """

    discs: NDArray[np.int16]
    """Discs at the end."""
    placements: NDArray[np.int16]
    passes: NDArray[np.int16]
    choices: NDArray[np.int16]
    """The sum of the numbers of legal moves at the placements."""
    forced: NDArray[np.int16]
    """Placements with only one legal move."""

    @property
    def disc_diff(self) -> NDArray[np.int16]:
        """The first side's discs minus the other's, int16 [n]."""
        return self.discs[:, 0] - self.discs[:, 1]


def play_out(positions: Positions, seed: int, threads: int = 1) -> Playouts:
    """Play a game of uniformly random legal moves from each position.

    The games depend on the seed, but not on the number of threads. With more positions the first games are
    the same.
    """
    results = np.zeros((len(positions), 2, 5), np.int16)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    kind = from_int(0, positions.size)

    def work(part: slice) -> None:
        own, opponent = positions.own[part], positions.opponent[part]
        arrays.play_out(own, opponent, kind, positions.size, key, part.start, results[part])

    in_parts(work, len(positions), threads)
    return Playouts(*(results[:, :, column].copy() for column in range(5)))


def random_games(size: int, games: int, seed: int, threads: int = 1) -> Playouts:
    """Play random games from the standard start; raise ValueError for a size that does not exist."""
    return play_out(repeated(Board.start(size), games), seed, threads)


def in_parts(work: Callable[[slice], None], n: int, threads: int) -> None:
    """Call `work` in `threads` threads for slices that cover 0 to n; raise ValueError for less than 1."""
    if threads < 1:
        raise ValueError(f"work needs at least one thread, not {threads}")
    if threads == 1:
        work(slice(0, n))
        return
    # There are more parts than threads, so a busy core gets fewer parts.
    bounds = np.linspace(0, n, 4 * threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, map(slice, bounds, bounds[1:])))
