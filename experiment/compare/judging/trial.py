"""A match in which an agent is judged by an opponent."""

from dataclasses import dataclass, field

from experiment.compare.match.summary import Summary
from game.play.pairing import Pairing


@dataclass(frozen=True)
class Trial(Pairing):
    """A match with the names of those who play it."""

    agent: str = ""
    """What to call A; `a` may be a command line, or "" for an agent that has connected."""
    opponent: str = ""
    """What to call B."""


@dataclass
class Judgement:
    """What came of a trial."""

    trial: Trial
    summary: Summary = field(init=False)
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the agent went on learning."""

    def __post_init__(self) -> None:
        self.summary = Summary(self.trial)

    @property
    def discs(self) -> float | None:
        """The agent's discs minus the opponent's, the mean; None where every game was forfeited."""
        return self.summary.discs.value if self.summary.discs else None

    def forfeits(self, side: str) -> int:
        """Return how many games the agent, `a`, or the opponent, `b`, forfeited."""
        return self.summary.forfeits[side].total()
