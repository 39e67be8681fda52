"""A player, the kind of player that needs no more than the position: a policy, and what moves are worth."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import CHANCES, DISCS_EACH, EXPECTED_DISCS, EXPECTED_RETURN, WON
from othello_lab.game.game import Game
from othello_lab.game.play.luck import Words, generator_of, word_of

DISCS = "discs at the end, exactly"
ESTIMATE = "discs at the end, estimated"
CERTAIN = 1e8
"""Values beyond this, or beyond its negative, are those of a game that a search knows to be won or lost."""
_WHOLE = 9.995
"""From here on there is no room for decimals."""


@dataclass(frozen=True, slots=True)
class MoveValues:
    """What each legal move of a position is worth to the side to move."""

    values: NDArray[np.float64]
    """By ascending square, [moves]; more is better."""
    unit: str
    """What they are, in words."""

    def by_square(self, legal: Iterable[int]) -> dict[int, float]:
        """Return them by the legal squares, which ascend."""
        return dict(zip(legal, self.values.tolist(), strict=True))


class Forfeit(Exception):  # noqa: N818  the game's own word: the player loses, the program goes on
    """Raised by a player that cannot go on with a game: it loses, for the reason in the text (one line)."""


class UnplayableError(ValueError):
    """A game that a player cannot take part in at all: a board size or a start that it does not take."""


class Player(ABC):
    """Picks moves. Match loops call `start` before a game, `observe` after every move, `close` at the end.

    One player may play many games, one at a time, on either side. `start` and `choose` raise Forfeit where
    the player cannot go on, UnplayableError for a game that it cannot play at all.
    """

    made_from: str | None = None
    """The registry text that the catalogue made it from; None for one that a program made."""

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. Only called when there is one: forced passes are made by the
        loop. All randomness comes from `rng`.
        """

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return what each legal move of `game.board` is worth, where there is one; None from a player that
        only chooses. Later moves do not depend on it. Raises as `choose` does.
        """
        return None

    def decide(self, game: Game, luck: int) -> int:
        """Return what it chooses in a game in which its seat has this luck; see `game.play.luck`."""
        return self.choose(game, generator_of(luck, game.board))

    def start(self, game: Game) -> None:  # noqa: B027  optional: most players keep nothing
        """Prepare for a game from its present position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Record a move (a square or PASS) played by either side."""

    def stop(self) -> None:  # noqa: B027  optional: most players answer soon anyway
        """Interrupt a search that runs in another thread; it returns the best move so far.

        A call before the search begins has no effect: call again until there is an answer.
        """

    def close(self) -> None:  # noqa: B027  optional
        """Release what the player holds, such as a process."""


class Policy(Player):
    """A player that needs no more than the position, so that it answers in many games at once."""

    @abstractmethod
    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return a legal square for each of many positions that have one, int64 [n].

        All randomness comes from `luck`, the word of each game, uint64 [n], see `game.play.luck`: what is
        chosen in a position does not depend on the others.
        """

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the square that `choose_many` does with the luck that the generator stands for."""
        return self.decide(game, word_of(rng))

    def decide(self, game: Game, luck: int) -> int:
        """See `Player`."""
        return int(self.choose_many(Positions.of([game.board]), np.array([luck], np.uint64))[0])


def units_of(values: Iterable[MoveValues | None]) -> str:
    """Return what the values along a game are, in words; "" where there are none."""
    return ", later ".join(dict.fromkeys(each.unit for each in values if each))


def value_text(value: float) -> str:
    """Return a value as it stands on a board: short, with its sign; `won` or `lost` if that is sure."""
    if is_certain(value):
        return "won" if value > 0 else "lost"
    if abs(value) >= _WHOLE:
        return f"{value:+.0f}"
    return f"{round(value, 2) + 0.0:+g}"  # without the sum -0.001 were -0


def is_certain(value: float) -> bool:
    """Tell whether a value says that the game is won or lost whatever follows."""
    return abs(value) > CERTAIN


SLOPE = (-0.576, 2.909, -1.964)
"""The share of the board by which a side wins is tanh(slope * atanh(expected result)), where the slope is
this parabola of the share of empty squares, fitted to values of a search."""
# Near the end the solver answers, or a player without a search, whose values are less sure than those.
_LEAST_SLOPE = 0.175
_NEARLY_CERTAIN = 0.9999


def expected_discs(value: float, unit: str, board: Board) -> float:
    """Return a value for the side to move as own discs minus the other side's at the end of the game.

    That is an estimate for an expected result or return, and exact for a result that is sure. Discs stay
    discs, and what has no known relation to them, such as points of an evaluation, stays as it is.
    """
    if is_certain(value):
        by = value - math.copysign(WON, value)  # a search adds the discs by which a game is won or lost
        return by or math.copysign(board.size**2, value)
    if unit not in (*CHANCES, EXPECTED_RETURN):
        return value
    certainty = math.atanh(min(_NEARLY_CERTAIN, max(-_NEARLY_CERTAIN, value)))
    if unit == EXPECTED_DISCS:
        return round(min(DISCS_EACH * abs(certainty), board.size**2) * math.copysign(1, value), 1)
    left = board.empties / board.size**2
    slope = max(_LEAST_SLOPE, sum(number * left**power for power, number in enumerate(SLOPE)))
    return round(board.size**2 * math.tanh(slope * certainty), 1)


def in_discs(found: MoveValues | None, board: Board) -> MoveValues | None:
    """Return the values of a position's moves as people are shown them: an expected result in discs.

    What is certain stays so, and values in other units are shown as they are.
    """
    if found is None or found.unit not in CHANCES:
        return found
    values = [
        value if is_certain(value) else expected_discs(value, found.unit, board) for value in found.values
    ]
    return MoveValues(np.array(values), ESTIMATE)
