"""The observation of the environment: four planes of 0 and 1 as one flat array.

Only this module knows the planes. `follow` finds the game that observations belong to.
"""

from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.game.board import Board, Colour, known_board
from othello_lab.game.game import Game
from othello_lab.game.kernels.bitboard import planes_of
from othello_lab.game.notation import PASS

PLANES = ("own", "opponent", "legal", "opponent_legal")
"""The agent's discs, the opponent's discs, the agent's legal moves, the opponent's legal moves."""


@dataclass(frozen=True, slots=True)
class Planes:
    """A decoded observation; each field is bool [size * size]."""

    own: NDArray[np.bool_]
    opponent: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    opponent_legal: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """The length of a side of the board."""
        return isqrt(len(self.own))


def encode(board: Board, colour: Colour) -> NDArray[np.int32]:
    """Return the four planes from the view of the side `colour`, int32 [4 * size * size].

    Each move plane has the moves of a side if it were its turn. Both are empty at the end of a game.
    """
    own, opponent = (board.black, board.white) if colour is Colour.BLACK else (board.white, board.black)
    return planes_of(own, opponent, board.size)


def decode(observation: ArrayLike) -> Planes:
    """Split an observation of 4 * size * size numbers; raise ValueError for another count of numbers."""
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    return Planes(*numbers.reshape(4, size * size).astype(np.bool_))


def sides(observation: ArrayLike) -> tuple[int, int, int]:
    """Return the board size, and as bits (square s is bit s) the agent's discs and the opponent's discs.

    Raises ValueError for a count of numbers that is not 4 * size * size.
    """
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    squares = size * size
    bits = np.packbits(numbers[: 2 * squares].astype(np.bool_), bitorder="little")
    both = int.from_bytes(bits.tobytes(), "little")
    return size, both & (1 << squares) - 1, both >> squares


def of_size(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation as int32 [4 * size * size]; raise ValueError for another count of numbers."""
    numbers, expected = np.asarray(observation, np.int32), 4 * size * size
    if numbers.shape != (expected,):
        raise ValueError(f"{numbers.size} numbers, expected {expected}")
    return numbers


def checked(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation of a board of `size` as int32 [4 * size * size].

    Raises ValueError if its planes are not those of `encode` for its discs.
    """
    numbers = of_size(observation, size)
    _, own, opponent = sides(numbers)
    if own & opponent:
        raise ValueError("two discs on one square")
    if not np.array_equal(numbers, planes_of(own, opponent, size)):
        raise ValueError("its planes are not the discs of both sides and where the rules let them move")
    return numbers


def size_of(numbers: int) -> int:
    """Return the board size of an observation with this many numbers; raise ValueError if there is none."""
    size = isqrt(numbers // 4)
    if numbers != 4 * size * size or size == 0:
        raise ValueError(f"an observation has 4*N*N numbers, this one has {numbers}")
    return size


def board_of(numbers: NDArray[np.int32], size: int) -> Board:
    """Return the position of an observation: the agent is black, and the third plane has its legal moves.

    The function does not check the planes; `checked` does.
    """
    squares = size * size
    bits = np.packbits(numbers[: 3 * squares].astype(np.bool_), bitorder="little")
    planes, board = int.from_bytes(bits.tobytes(), "little"), (1 << squares) - 1
    return known_board(size, planes & board, planes >> squares & board, Colour.BLACK, planes >> 2 * squares)


def follow(game: Game | None, numbers: ArrayLike) -> Game:
    """Return `game`, continued to the position of an observation, or a new game if it does not lead there.

    Raises ValueError if a new game's planes break the rules. Within a game only the discs are read: they must
    be those after the game's next move.

    In self-play `game` already has the position of the observation. Against an opponent it lacks the
    opponent's move. An observation does not say which side is black. If the game so far does not say it
    either (at its start, or if the environment set up a position), the agent is black, unless the position is
    one black move after the standard start.
    """
    size, own, opponent = sides(numbers)
    game = game or Game(Board.start(size))
    board = game.board
    if (board.own, board.opponent) == (own, opponent):
        return game
    placed = (own | opponent) & ~(board.black | board.white)
    move = placed.bit_length() - 1  # one disc, or none for a pass; anything else is another game
    legal = board.must_pass if move == PASS else placed == 1 << move and placed & board.legal_moves.bits
    if legal:
        board = game.play(move)
        if (board.own, board.opponent) == (own, opponent):
            return game
    checked(numbers, size)
    return Game(Board(size, own, opponent, Colour.BLACK))


def is_seen(board: Board, numbers: ArrayLike) -> bool:
    """Tell whether an observation shows a position from the view of its side to move."""
    return sides(numbers) == (board.size, board.own, board.opponent)
