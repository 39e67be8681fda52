"""The result of a run, for printing."""

from dataclasses import dataclass, field
from typing import NamedTuple

from experiment.run.evaluation.result import Evaluation
from experiment.run.results.checkpoint import Checkpoint


class Work(NamedTuple):
    """Training, without evaluations."""

    games: int = 0
    decisions: int = 0
    """The agent's actions."""
    seconds: float = 0.0


@dataclass
class RunResult:
    """What came of a run."""

    episodes: int = 0
    interrupted: bool = False
    checkpoint: Checkpoint | None = None
    """The newest one."""
    policy: str | None = None
    """The path of the trained policy, if the agent saved one."""
    evaluations: list[Evaluation] = field(default_factory=list)
    """The final ones."""
    held_out: list[Evaluation] = field(default_factory=list)
    """Those against players that the agent has never met in training."""
    yardstick: list[Evaluation] = field(default_factory=list)
    """Those against a program of other people."""
    no_yardstick: str = ""
    """Why there are none; "" where they were turned off or not reached."""
    notes: list[str] = field(default_factory=list)
    work: Work = field(default_factory=Work)
    """The training games of this session, without those that a resumed run had before."""
    seconds: float = 0.0
    """Of this session, with evaluations."""
