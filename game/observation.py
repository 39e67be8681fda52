"""The observation of the environment, a flat array of 0 and 1 with four planes."""

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.game.board import Board, Colour, known_board
from othello_lab.game.kernels.bitboard import legal_moves
from othello_lab.game.kernels.bits import ONE_WORD, Bits, from_int, lowest, occupied, without_lowest
from othello_lab.game.kernels.jit import compiled, compiled_for

# The discs of the agent and the opponent, and then the legal squares of the agent and the opponent.
PLANES = ("own", "opponent", "legal", "opponent_legal")


def encode(board: Board, colour: Colour) -> NDArray[np.int32]:
    """Return the four planes of a position for the side `colour`, int32 [4 * size * size]."""
    size, planes = board.size, np.zeros(4 * board.size**2, np.int32)
    own, opponent = (board.black, board.white) if colour is Colour.BLACK else (board.white, board.black)
    if size <= ONE_WORD:
        _write_planes_on_integers()(own, opponent, size, planes)
    else:
        write_planes_on_words(from_int(own, size), from_int(opponent, size), size, planes)
    return planes


def write_planes(own: Bits, opponent: Bits, size: int, planes: NDArray[Any]) -> None:
    """Write the discs and the moves of both sides into `planes` [4 * size * size], which must be zeros."""
    cells = size * size
    _mark(planes[:cells], own)
    _mark(planes[cells : 2 * cells], opponent)
    _mark(planes[2 * cells : 3 * cells], legal_moves(own, opponent, size))
    _mark(planes[3 * cells :], legal_moves(opponent, own, size))


@compiled
def _mark(plane: NDArray[Any], squares: Bits) -> None:
    while occupied(squares):
        plane[lowest(squares)] = 1
        squares = without_lowest(squares)


write_planes_on_words = compiled(write_planes)
_write_planes_on_integers = compiled_for(write_planes, "(uint64, uint64, int64, int32[::1])")


def sides(observation: ArrayLike) -> tuple[int, int, int]:
    """Return the board size, and the discs of agent and opponent as bits. Raises ValueError."""
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    squares = size * size
    bits = np.packbits(numbers[: 2 * squares].astype(np.bool_), bitorder="little")
    both = int.from_bytes(bits.tobytes(), "little")
    return size, both & (1 << squares) - 1, both >> squares


def size_of(numbers: int) -> int:
    """Return the board size for an observation of this length. Raises ValueError if no size fits."""
    size = isqrt(numbers // 4)
    if numbers != 4 * size * size or size == 0:
        raise ValueError(f"an observation has 4*N*N numbers, this one has {numbers}")
    return size


def board_of(numbers: NDArray[np.int32], size: int) -> Board:
    """Return the position of an observation without validation. The agent is black and to move."""
    squares = size * size
    bits = np.packbits(numbers[: 3 * squares].astype(np.bool_), bitorder="little")
    planes, board = int.from_bytes(bits.tobytes(), "little"), (1 << squares) - 1
    return known_board(size, planes & board, planes >> squares & board, Colour.BLACK, planes >> 2 * squares)
