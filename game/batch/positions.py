"""Positions: thousands of them as arrays of words, for kernels, evaluators and networks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.board import Board, Colour
from game.kernels.words import words_of


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

    def __len__(self) -> int:
        return len(self.own)

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
