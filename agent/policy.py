"""The policy of a checkpoint as a player and as an evaluator. Each method has a subclass of `Learned`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms, Stored
from othello_lab.game.batch import Positions, count_squares, from_mask, legal_moves
from othello_lab.game.errors import UnplayableError
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.players.player import MoveValues, Player, Policy
from othello_lab.game.players.simple import best_of
from othello_lab.game.search import textbook
from othello_lab.game.values import EXPECTED_RETURN

C = TypeVar("C")
NETWORK = "network."  # Prefix of the arrays of the network that plays, in a checkpoint.
D = TypeVar("D", bound=np.floating[Any])
_MEANING = ("units", "output")  # Options that change a network's outputs, but not its array shapes.
# A function that returns the values of all legal moves in all positions, float64 [moves].
MoveJudge = Callable[[Positions], NDArray[np.float64]]


def move_values(positions: Positions, evaluator: Evaluator, plies: int = 1) -> NDArray[np.float64]:
    """Return the values of all legal moves for the side that moves, float64 [moves], from -1 to 1.

    With one ply, a value is minus the value of the next position, or the result (1, 0 or -1) of a finished
    game. With more plies, a search looks ahead this number of plies, including the move.
    """
    clipped: NDArray[np.float64] = np.clip(textbook.move_values(positions, evaluator, plies), -1.0, 1.0)
    return clipped


def positions_of(frames: NDArray[np.uint8], size: int) -> Positions:
    """Return the positions of packed observations, uint8 [n, squares / 2]."""
    squares = size * size
    planes = np.unpackbits(frames, axis=1)
    own, opponent = planes[:, :squares], planes[:, squares : 2 * squares]
    return Positions(size, from_mask(own, size), from_mask(opponent, size))


class Learned(ABC, Generic[C]):
    """The policy of a checkpoint, for play and evaluation. It does not learn."""

    prefix: ClassVar[str] = ""  # Prefix of the policy's arrays in a checkpoint.
    options: ClassVar[type[Any] | None] = None  # The class of the needed options. None means all options.

    def __init__(self, stored: Stored, size: int, config: C) -> None:
        """Read and check the arrays of a checkpoint for boards of `size`. Raises CheckpointError."""
        self.path, self.size, self.config = stored.path, size, config
        self.arrays = checkpoint.arrays_of(stored, self.prefix, partial(self.forms, config, size))

    @classmethod
    @abstractmethod
    def forms(cls, config: C, size: int, arrays: Arrays) -> Forms:
        """Return the required shapes and dtypes of arrays. Raises ValueError for impossible options.

        This method must not allocate the arrays, because a small file may describe a network of terabytes.
        `arrays` are the file's arrays, for the number of rows if any number is allowed.
        """

    @abstractmethod
    def player(self) -> Player:
        """Return a player that plays the best move."""

    @abstractmethod
    def evaluator(self) -> Evaluator:
        """Return an evaluator of positions. Raises CheckpointError if this policy has none."""

    def check_fits(self, ours: Any, arrays: Arrays) -> None:  # noqa: ANN401  options of a learner
        """Raise CheckpointError if a learner's arrays have other shapes, dtypes or meanings."""
        meanings = [[getattr(config, name, None) for name in _MEANING] for config in (self.config, ours)]
        if checkpoint.forms_of(self.arrays) != checkpoint.forms_of(arrays) or meanings[0] != meanings[1]:
            raise self.refusal(ours)

    def refusal(self, ours: Any) -> CheckpointError:  # noqa: ANN401
        """Return an error that names the different options of the policy and a learner."""
        return CheckpointError(
            f"{self.path} holds another policy: {checkpoint.differences(self.config, ours)}"
        )


class NetworkPolicy(Learned[C]):
    """The policy of a checkpoint with the weights of one torch network."""

    prefix = NETWORK
    make: ClassVar[Callable[..., Any]]  # Returns a new network for a configuration and a board size.

    def __init__(self, stored: Stored, size: int, config: C) -> None:
        from othello_lab.agent.weights import holding  # here, because other policies do not need torch

        super().__init__(stored, size, config)
        self.network: Any = holding(self.arrays, partial(self.make, config, size), self.prefix)

    @classmethod
    def forms(cls, config: C, size: int, arrays: Arrays) -> Forms:
        """Return the shapes and dtypes of the network's arrays. Raises ValueError for impossible options."""
        from othello_lab.agent.weights import network_forms

        return network_forms(partial(cls.make, config, size), cls.prefix)


class MovePolicy(Learned[C]):
    """A policy that values moves."""

    @abstractmethod
    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves]."""

    def player(self) -> Player:
        """Return a player that plays the move with the highest value."""
        return BestMovePolicy(self.move_values, EXPECTED_RETURN)

    def evaluator(self) -> Evaluator:
        """Return an evaluator, which values a position by its best move."""
        return MoveEvaluator(self.move_values)


def finite(outputs: NDArray[D]) -> NDArray[D]:
    """Return the outputs of a network unchanged. Raises UnplayableError if an output is infinite or NaN."""
    if not np.isfinite(outputs).all():
        raise UnplayableError("the network overflows: its weights are too large to play with")
    return outputs


class BestMovePolicy(Policy):
    """Plays the move with the highest value, or the lowest square among equal values."""

    def __init__(self, judge: MoveJudge, unit: str | None) -> None:
        """`unit` is the unit of the values. None means that the values only order moves."""
        self._judge, self._unit = judge, unit

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return the best square of each position, int64 [n]. `luck` is not used."""
        return best_of(finite(self._judge(positions)), positions)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the values of the moves, or None without a unit. `rng` is not used."""
        if self._unit is None:
            return None
        return MoveValues(finite(self._judge(Positions.of([game.board]))), self._unit)


class MoveEvaluator(Evaluator):
    """An evaluator that values a position by its best move. A finished game has the value 0."""

    unit = EXPECTED_RETURN

    def __init__(self, move_values: MoveJudge) -> None:
        self._move_values = move_values

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the expected return of each position for its side to move, float64 [n]."""
        movers, signs = to_move(positions)
        choices = count_squares(legal_moves(movers), movers.size)
        going, best = np.flatnonzero(choices), np.zeros(len(movers))
        if len(going):
            first = (np.cumsum(choices) - choices)[going]
            best[going] = np.maximum.reduceat(self._move_values(movers.take(going)), first)
        return signs * best


def to_move(positions: Positions) -> tuple[Positions, NDArray[np.int64]]:
    """Return the positions after forced passes, and signs, [n]. A sign is -1 after a pass, else 1."""
    passes: NDArray[np.bool_] = legal_moves(positions).any(1, keepdims=True) == 0  # [n, 1]
    own = np.where(passes, positions.opponent, positions.own)
    opponent = np.where(passes, positions.own, positions.opponent)
    return Positions(positions.size, own, opponent), np.where(passes[:, 0], -1, 1)
