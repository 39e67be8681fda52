"""The plan of a run that is about to start, or to be resumed."""

import time
from dataclasses import dataclass, field
from typing import Any

from experiment.run.results.checkpoint import Checkpoint
from experiment.run.results.programs import Program
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.config import SelfPlayConfig, TrainingConfig
from experiment.run.training.run_config import Part
from experiment.run.training.seeds import Seeds


@dataclass(frozen=True)
class Plan:
    """All that a run is made of."""

    config: TrainingConfig
    folder: RunFolder
    seeds: Seeds
    agent: Part
    environment: Part
    record: dict[str, Any]
    """What config.json holds, or is to hold."""
    checkpoints: tuple[Checkpoint, ...] = ()
    """Where to resume: the newest first, those after it in case it is damaged."""
    programs: tuple[Program, ...] = ()
    """The programs that a resumed run starts on this machine, by its record."""
    selfplay: SelfPlayConfig | None = None
    """What a run of batched self-play has besides; None for games over RL-Glue."""
    begun: float = field(default_factory=time.monotonic)

    @property
    def prefix(self) -> str:
        """What the names of checkpoints begin with: the run's name if the agent may serve other runs too.

        An agent that is made for this run saves into the run folder, any other one where it likes.
        """
        return "" if is_ours(self.agent) else f"{self.folder.path.name}-"


def is_ours(agent: Part) -> bool:
    """Tell whether an agent is made for the run, by its text."""
    return agent is not None and "text" in agent
