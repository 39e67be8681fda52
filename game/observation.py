"""The observation of the environment, four planes of 0 and 1, flat; and a game followed by its observations.

The one place that knows the planes.
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
"""The agent's discs, the opponent's, where the agent may move, where the opponent may move."""


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
    """Return the four planes as the side `colour` sees them, int32 [4 * size * size].

    The move planes hold what each side could do if it were to move; both are empty at the end of a game.
    """
    own, opponent = (board.black, board.white) if colour is Colour.BLACK else (board.white, board.black)
    return planes_of(own, opponent, board.size)


def decode(observation: ArrayLike) -> Planes:
    """Split an observation of 4 * size * size numbers; raise ValueError for any other count of numbers."""
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    return Planes(*numbers.reshape(4, size * size).astype(np.bool_))


def sides(observation: ArrayLike) -> tuple[int, int, int]:
    """Return the board's size, the agent's discs and the opponent's as bits (square s is bit s).

    Raises ValueError as `decode` does.
    """
    numbers = np.asarray(observation)
    size = size_of(numbers.size)
    squares = size * size
    bits = np.packbits(numbers[: 2 * squares].astype(np.bool_), bitorder="little")
    both = int.from_bytes(bits.tobytes(), "little")
    return size, both & (1 << squares) - 1, both >> squares


def of_size(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation as int32 [4 * size * size]; raise ValueError for any other count of numbers."""
    numbers, expected = np.asarray(observation, np.int32), 4 * size * size
    if numbers.shape != (expected,):
        raise ValueError(f"{numbers.size} numbers, expected {expected}")
    return numbers


def checked(observation: ArrayLike, size: int) -> NDArray[np.int32]:
    """Return an observation of a board of `size` as int32 [4 * size * size].

    Raises ValueError unless `encode` gives the same for its discs.
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
    """Return the position of an observation, with the agent as black and the moves of its third plane.

    The planes are taken as they are: `checked` says whether they are right.
    """
    squares = size * size
    bits = np.packbits(numbers[: 3 * squares].astype(np.bool_), bitorder="little")
    planes, board = int.from_bytes(bits.tobytes(), "little"), (1 << squares) - 1
    return known_board(size, planes & board, planes >> squares & board, Colour.BLACK, planes >> 2 * squares)


def follow(game: Game | None, numbers: ArrayLike) -> Game:
    """Return the game that led to an observation, or a new one if `game` did not.

    Raises ValueError for an observation of a new game whose planes break the rules. Within a game only the
    discs are read: they have to be those after the game's next move.

    In self-play `game` is there already, against an opponent it lacks the opponent's move. An observation
    does not say which side is black. Where the game so far does not tell (at its start, or when the
    environment set up a position), the agent is taken for black unless the position is one black move after
    the standard start.
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
    """Tell whether an observation is that of the side to move of a position."""
    return sides(numbers) == (board.size, board.own, board.opponent)
