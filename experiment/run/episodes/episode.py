"""A finished episode."""

from dataclasses import dataclass

from experiment.run.episodes.outcomes import Outcome


@dataclass(frozen=True)
class Episode:
    """A finished episode from the agent's side; None or "" where it cannot be known."""

    index: int
    """Counts from 1."""
    outcome: Outcome | None
    reward: float
    """The undiscounted sum of the episode's rewards."""
    steps: int
    """How many actions the agent chose."""
    discs_own: int | None = None
    discs_opponent: int | None = None
    colour: str = ""
    illegal: int | None = None
    """Illegal actions."""
