"""The configuration of an Othello environment."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.game.board import Colour, Outcome

# The side that plays black and moves first. With `alternate` the agent plays black in even episodes.
FIRST = ("agent", "opponent", "alternate", "random")

# The effect of an illegal action: the agent loses the game, or the action is ignored.
ILLEGAL_ACTION = ("loses", "ignored")

MOST_IGNORED = 10_000  # The number of consecutive illegal actions after which the agent loses.

LARGEST_REWARD = 1e6  # The maximum absolute reward. A larger reward could overflow in a network.

SELF = "self"  # The value of `opponent` for self-play, in which the agent plays both sides.


@dataclass(frozen=True)
class EnvironmentConfig:
    """All options of an environment. Raises ValueError for a wrong value."""

    size: int = USUAL_SIZE
    # Registry text of a player. With `self` the agent plays both sides, and every step is one ply.
    opponent: str = "corner-greedy"
    first: str = "agent"
    # Maximum number of random plies after the standard start. Each episode draws its number of plies.
    random_opening: int = 0
    seed: int = 0
    illegal_action: str = "loses"
    # The final rewards of a win, a draw and a loss (in self-play 1, 0 and -1), or `discs` (disc difference).
    reward: str = "1,-0.5,-1"
    # Registry texts of players that the message `opponent` accepts in addition to the built-in players.
    allow_opponent: tuple[str, ...] = ()
    render: bool = False

    def __post_init__(self) -> None:
        if self.first not in FIRST:
            raise ValueError(f"first is {self.first!r}, expected one of {', '.join(FIRST)}")
        if self.illegal_action not in ILLEGAL_ACTION:
            raise ValueError(
                f"illegal_action is {self.illegal_action!r}, expected {' or '.join(ILLEGAL_ACTION)}"
            )
        if self.random_opening < 0:
            raise ValueError(f"random_opening is {self.random_opening}, expected 0 or more plies")
        win, draw, loss = self.rewards
        if not win > draw > loss:
            raise ValueError(f"rewards must fall from win over draw to loss, but are {win}, {draw}, {loss}")
        if not max(win, -loss) <= LARGEST_REWARD:
            raise ValueError(f"a reward is at most {LARGEST_REWARD:,.0f} from 0")

    @cached_property
    def rewards(self) -> tuple[float, float, float]:
        """The rewards of a win, a draw and a loss. With `discs`, the rewards of a forfeit: N*N, 0, -N*N."""
        if self.in_discs:
            return float(self.size**2), 0.0, -float(self.size**2)
        try:
            win, draw, loss = map(float, self.reward.split(","))
        except ValueError:
            raise ValueError(
                f"reward is {self.reward!r}, expected the rewards of a win, a draw and a loss, or 'discs'"
            ) from None
        return (1.0, 0.0, -1.0) if self.opponent == SELF else (win, draw, loss)

    def reward_of(self, outcome: "Outcome", colour: "Colour") -> float:
        """Return the final reward of the side `colour` for the outcome of a game."""
        if self.in_discs:
            return float(abs(outcome.disc_diff) * (1 if outcome.winner is colour else -1))
        win, draw, loss = self.rewards
        if outcome.winner is None:
            return draw
        return win if outcome.winner is colour else loss

    @property
    def in_discs(self) -> bool:
        """Whether the final reward is the disc difference."""
        return self.reward == "discs"

    def task_spec(self) -> str:
        """Return the task specification of RL-Glue 3.0, with the board size and the rewards in EXTRA."""
        squares = self.size * self.size
        win, draw, loss = self.rewards
        return (
            "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 "
            f"OBSERVATIONS INTS ({4 * squares} 0 1) ACTIONS INTS (-1 {squares - 1}) "
            f"REWARDS ({loss} {win}) "
            f"EXTRA othello size={self.size} planes=own,opponent,legal,opponent_legal "
            f"win={win} draw={draw} loss={loss}"
            + " reward=discs" * self.in_discs
            + " illegal=ignored" * (self.illegal_action == "ignored")
        )
