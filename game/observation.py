"""The observation of the environment, a flat array of 0 and 1 with four planes."""

from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.game.board import Board, Colour, known_board
from othello_lab.game.game import Game
from othello_lab.game.kernels.bitboard import planes_of
from othello_lab.game.notation import PASS

# The discs of the agent and the opponent, and then the legal squares of the agent and the opponent.
PLANES = ("own", "opponent", "legal", "opponent_legal")


def encode(board: Board, colour: Colour) -> NDArray[np.int32]:
    """Return the four planes of a position for the side `colour`, int32 [4 * size * size]."""
    own, opponent = (board.black, board.white) if colour is Colour.BLACK else (board.white, board.black)
    return planes_of(own, opponent, board.size)


def sides(observation: ArrayLike) -> tuple[int, int, int]:
    """Return the board size, and the discs of agent and opponent as bits. Raises ValueError."""
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    squares = size * size
    bits = np.packbits(numbers[: 2 * squares].astype(np.bool_), bitorder="little")
    both = int.from_bytes(bits.tobytes(), "little")
    return size, both & (1 << squares) - 1, both >> squares


def of_size(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation as int32 [4 * size * size]. Raises ValueError for another length."""
    numbers, expected = np.asarray(observation, np.int32), 4 * size * size
    if numbers.shape != (expected,):
        raise ValueError(f"{numbers.size} numbers, expected {expected}")
    return numbers


def checked(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation as int32 [4 * size * size]. Raises ValueError for inconsistent planes."""
    numbers = of_size(observation, size)
    _, own, opponent = sides(numbers)
    if own & opponent:
        raise ValueError("two discs on one square")
    if not np.array_equal(numbers, planes_of(own, opponent, size)):
        raise ValueError("its planes are not the discs of both sides and where the rules let them move")
    return numbers


def size_of(numbers: int) -> int:
    """Return the board size for an observation of this length. Raises ValueError if no size fits."""
    size = isqrt(numbers // 4)
    if numbers != 4 * size * size or size == 0:
        raise ValueError(f"an observation has 4*N*N numbers, this one has {numbers}")
    return size


def board_of(numbers: NDArray[np.int32], size: int) -> Board:
    """Return the position of an observation without a check. The agent is black and to move."""
    squares = size * size
    bits = np.packbits(numbers[: 3 * squares].astype(np.bool_), bitorder="little")
    planes, board = int.from_bytes(bits.tobytes(), "little"), (1 << squares) - 1
    return known_board(size, planes & board, planes >> squares & board, Colour.BLACK, planes >> 2 * squares)


def follow(game: Game | None, numbers: ArrayLike) -> Game:
    """Return `game` if at most one more move leads to the observation. Otherwise return a new game.

    In a new game the agent is black, unless the position is one move after the standard start. Raises
    ValueError if the planes of a new game break the rules.
    """
    size, own, opponent = sides(numbers)
    game = game or Game(Board.start(size))
    board = game.board
    if (board.own, board.opponent) == (own, opponent):
        return game
    placed = (own | opponent) & ~(board.black | board.white)
    move = placed.bit_length() - 1  # PASS if there is no new disc
    legal = board.must_pass if move == PASS else placed == 1 << move and placed & board.legal_moves.bits
    if legal:
        board = game.play(move)
        if (board.own, board.opponent) == (own, opponent):
            return game
    checked(numbers, size)
    return Game(Board(size, own, opponent, Colour.BLACK))


def is_seen(board: Board, numbers: ArrayLike) -> bool:
    """Tell whether an observation shows the position `board`, seen from the side to move."""
    return sides(numbers) == (board.size, board.own, board.opponent)
