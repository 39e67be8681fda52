"""Positions: thousands of them as arrays of words, for kernels, evaluators and networks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.board import Board, Colour
from game.game import Game
from game.kernels.arrays import counts, trace
from game.kernels.words import from_int, words_of


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one board size, each from the view of its side to move. Colours are not kept."""

    size: int
    own: NDArray[np.uint64]  # [n, words]: square s is bit s % 64 of word s // 64
    opponent: NDArray[np.uint64]  # [n, words]

    @staticmethod
    def of(boards: Sequence[Board]) -> "Positions":
        """Pack boards of one size, at least one."""
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
        trace(from_int(start.own, size), from_int(start.opponent, size), moves, size, own, opponent)
        return Positions(size, own, opponent)

    def __len__(self) -> int:
        return len(self.own)

    def discs(self) -> NDArray[np.int64]:
        """Count the discs on each board, int64 [n]."""
        numbers = np.empty(len(self), np.int64)
        counts(self.own | self.opponent, from_int(0, self.size), numbers)
        return numbers

    def take(self, indices: NDArray[np.integer]) -> "Positions":
        """Return copies of some of the positions, in that order."""
        return Positions(self.size, self.own[indices], self.opponent[indices])

    def board(self, index: int) -> Board:
        """Return one position, its side to move taken for black."""
        own, opponent = (int.from_bytes(row[index].tobytes(), "little") for row in (self.own, self.opponent))
        return Board(self.size, own, opponent, Colour.BLACK)


def _pack(squares: list[int], size: int) -> NDArray[np.uint64]:
    words = words_of(size)
    data = b"".join(bits.to_bytes(8 * words, "little") for bits in squares)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(squares), words)
