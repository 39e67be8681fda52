"""The record of a checkpoint: the file itself is the agent's."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent has saved: after so many episodes, under that name."""

    episode: int
    name: str
