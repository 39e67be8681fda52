"""One seed for a run, three that come from it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Seeds:
    """The seeds of a run's parts."""

    environment: int
    agent: int
    evaluation: int
    """Given to the environment while evaluation games are played."""


def derive(seed: int) -> Seeds:
    """Split a run's seed; the three streams have nothing to do with each other."""
    parts = np.random.SeedSequence(seed).spawn(3)
    return Seeds(*(int(part.generate_state(1)[0]) for part in parts))
