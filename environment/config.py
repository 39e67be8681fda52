"""The configuration of an environment."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.game.board import Colour, Outcome

FIRST = ("agent", "opponent", "alternate", "random")
"""Who has black and so moves first; `alternate` gives it to the agent in even episodes."""

ILLEGAL_ACTION = ("loses", "ignored")
"""What comes of an illegal action: the game is lost, or nothing, and the agent is asked again."""

REWARDS = ("result", "discs")
"""What a finished game brings: a number for a win, a draw or a loss; or by how many discs it was won."""

MOST_IGNORED = 10_000
"""Illegal actions in a row after which a game is lost all the same: an agent without learning and exploring
may repeat one for ever."""

LARGEST_REWARD = 1e6
"""How far from 0 a reward is at most: agents refuse others, which would overflow a network's numbers."""

SELF = "self"
"""The opponent of an agent that plays both sides."""


@dataclass(frozen=True)
class EnvironmentConfig:
    """Every value of an environment. Raises ValueError for values that do not fit together."""

    size: int = USUAL_SIZE
    opponent: str = "corner-greedy"
    """Registry text, or `self`: the agent plays both sides, and every step is one ply."""
    first: str = "agent"
    random_opening: int = 0
    """At most this many random plies after the standard start, drawn per episode."""
    seed: int = 0
    illegal_action: str = "loses"
    reward: str = "result"
    reward_win: float = 1.0
    reward_draw: float = -0.5
    reward_loss: float = -1.0
    allow_opponent: tuple[str, ...] = ()
    """Registry texts that the message `opponent` may name besides the built-in players."""
    render: bool = False
    """Print every position."""

    def __post_init__(self) -> None:
        if self.first not in FIRST:
            raise ValueError(f"first is {self.first!r}, expected one of {', '.join(FIRST)}")
        if self.illegal_action not in ILLEGAL_ACTION:
            said = f"illegal_action is {self.illegal_action!r}"
            raise ValueError(f"{said}, expected {' or '.join(ILLEGAL_ACTION)}")
        if self.reward not in REWARDS:
            raise ValueError(f"reward is {self.reward!r}, expected {' or '.join(REWARDS)}")
        if self.random_opening < 0:
            raise ValueError(f"random_opening is {self.random_opening}, expected 0 or more plies")
        if not self.reward_win > self.reward_draw > self.reward_loss:
            raise ValueError(
                "rewards must fall from win over draw to loss, but are "
                f"{self.reward_win}, {self.reward_draw}, {self.reward_loss}"
            )
        if not max(self.reward_win, -self.reward_loss) <= LARGEST_REWARD:
            raise ValueError(f"a reward is at most {LARGEST_REWARD:,.0f} from 0")

    @property
    def rewards(self) -> tuple[float, float, float]:
        """Of a win, a draw and a loss. In self-play one side's gain is the other's loss: +1, 0, -1.

        With rewards in discs these are the extremes: all squares, none, minus all squares. A game that is
        given up is lost by all squares.
        """
        if self.in_discs:
            return float(self.size**2), 0.0, -float(self.size**2)
        if self.opponent == SELF:
            return 1.0, 0.0, -1.0
        return self.reward_win, self.reward_draw, self.reward_loss

    def reward_of(self, outcome: "Outcome", colour: "Colour") -> float:
        """Return what a game that was played to its end brings the side of that colour."""
        if self.in_discs:
            return float(abs(outcome.disc_diff) * (1 if outcome.winner is colour else -1))
        win, draw, loss = self.rewards
        if outcome.winner is None:
            return draw
        return win if outcome.winner is colour else loss

    @property
    def in_discs(self) -> bool:
        """Whether a finished game brings the difference of discs."""
        return self.reward == "discs"

    @property
    def ignores_illegal(self) -> bool:
        """Whether an illegal action changes nothing and has no reward."""
        return self.illegal_action == "ignored"

    def task_spec(self) -> str:
        """Return the task specification (RL-Glue 3.0 grammar); EXTRA says what a return means, and whether
        illegal actions are ignored.
        """
        squares = self.size * self.size
        win, draw, loss = self.rewards
        return (
            "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 "
            f"OBSERVATIONS INTS ({4 * squares} 0 1) ACTIONS INTS (-1 {squares - 1}) "
            f"REWARDS ({loss} {win}) "
            f"EXTRA othello size={self.size} planes=own,opponent,legal,opponent_legal "
            f"win={win} draw={draw} loss={loss}"
            + " reward=discs" * self.in_discs
            + " illegal=ignored" * self.ignores_illegal
        )
