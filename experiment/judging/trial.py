"""A match in which an agent is judged by an opponent."""

from dataclasses import dataclass, field

import numpy as np

from experiment.match.loop import Match
from experiment.match.summary import Summary


@dataclass(frozen=True)
class Trial(Match):
    """A match whose B draws as the opponent of an environment does that was told the same seed and episode.

    So an agent that draws nothing plays the same games over RL-Glue as in this process.
    """

    agent: str = ""
    """What to call A; `a` may be a command line, or "" for an agent that has connected."""
    opponent: str = ""
    """What to call B."""

    def luck(self, number: int) -> tuple[np.random.Generator, np.random.Generator]:
        """Return the randomness of A and of B in a game."""
        keys = (number, 0), (number,)
        own, other = (np.random.SeedSequence(self.seed, spawn_key=key) for key in keys)
        return np.random.default_rng(own), np.random.default_rng(other)


@dataclass
class Judgement:
    """What came of a trial."""

    trial: Trial
    summary: Summary = field(init=False)
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the agent went on learning."""

    def __post_init__(self) -> None:
        self.summary = Summary(self.trial)
