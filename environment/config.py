"""The configuration of an Othello environment."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.game.board import Colour, Outcome

FIRST = ("agent", "opponent", "alternate", "random")
"""Which side plays black and moves first; with `alternate` the agent does in even episodes."""

ILLEGAL_ACTION = ("loses", "ignored")
"""The effect of an illegal action: the agent loses the game, or must act again."""

REWARDS = ("result", "discs")
"""The final reward: a number for a win, a draw or a loss; or the difference of discs."""

MOST_IGNORED = 10_000
"""Ignored illegal actions in a row after which the game is lost: a frozen agent may repeat one for ever."""

LARGEST_REWARD = 1e6
"""Largest absolute reward: larger ones would overflow the numbers of a network."""

SELF = "self"
"""The opponent of an agent that plays both sides."""


@dataclass(frozen=True)
class EnvironmentConfig:
    """All options of an environment. Raises ValueError for invalid or contradictory values."""

    size: int = USUAL_SIZE
    opponent: str = "corner-greedy"
    """Registry text, or `self`: the agent plays both sides, and every step is one ply."""
    first: str = "agent"
    random_opening: int = 0
    """Maximum number of random plies after the standard start; each episode draws how many."""
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
            raise ValueError(
                f"illegal_action is {self.illegal_action!r}, expected {' or '.join(ILLEGAL_ACTION)}"
            )
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
        """The rewards of a win, a draw and a loss: +1, 0 and -1 in self-play.

        With rewards in discs they are the extremes: all squares, 0, minus all squares, which is also the
        reward of a forfeit.
        """
        if self.in_discs:
            return float(self.size**2), 0.0, -float(self.size**2)
        if self.opponent == SELF:
            return 1.0, 0.0, -1.0
        return self.reward_win, self.reward_draw, self.reward_loss

    def reward_of(self, outcome: "Outcome", colour: "Colour") -> float:
        """Return the final reward of a side for a game played to its end."""
        if self.in_discs:
            return float(abs(outcome.disc_diff) * (1 if outcome.winner is colour else -1))
        win, draw, loss = self.rewards
        if outcome.winner is None:
            return draw
        return win if outcome.winner is colour else loss

    @property
    def in_discs(self) -> bool:
        """Whether the final reward is the difference of discs."""
        return self.reward == "discs"

    @property
    def ignores_illegal(self) -> bool:
        """Whether an illegal action has no effect and no reward."""
        return self.illegal_action == "ignored"

    def task_spec(self) -> str:
        """Return the task specification in the grammar of RL-Glue 3.0.

        EXTRA has the board size, the planes, the rewards, and whether illegal actions are ignored.
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
