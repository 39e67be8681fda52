"""The record of a checkpoint, and what files of an agent's are called, which are the agent's own."""

from dataclasses import dataclass

FINAL_POLICY = "policy"
"""What the agent has learned by the end."""


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent has saved: after this many episodes, under that name."""

    episode: int
    name: str


def policy_name(episode: int) -> str:
    """Return what a policy that is kept is called."""
    return f"{FINAL_POLICY}-{episode:08d}"
