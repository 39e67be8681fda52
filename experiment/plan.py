"""A run that is about to begin, or to go on."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from experiment.config import TrainingConfig
from experiment.run_folder import Checkpoint, RunFolder, RunFolderError, new_name, versions
from experiment.seeds import Seeds, derive

Part = dict[str, Any] | None
"""What is known about the agent or the environment: its options, its command, or None for nothing."""


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
    checkpoint: Checkpoint | None = None
    """Where to go on."""

    @property
    def prefix(self) -> str:
        """What the names of checkpoints begin with: the run's name if the agent may serve other runs too.

        An agent that is made for this run saves into the run folder, any other one where it likes.
        """
        return "" if self.agent and "text" in self.agent else f"{self.folder.path.name}-"


def new_plan(
    runs: Path, name: str | None, config: TrainingConfig, seed: int, agent: Part, environment: Part
) -> Plan:
    """Make the run folder of a new run; raise RunFolderError if that cannot be."""
    folder = RunFolder.create(runs, name or new_name())
    seeds = derive(seed)
    record = {
        "run": folder.path.name,
        "versions": versions(),
        "seed": seed,
        "seeds": asdict(seeds),
        "experiment": asdict(config),
        "environment": environment,
        "agent": agent,
    }
    return Plan(config, folder, seeds, agent, environment, record)


def resumed_plan(runs: Path, name: str, episodes: int | None) -> Plan:
    """Take up a run as it was recorded, perhaps for another number of episodes.

    Raises RunFolderError if there is no such run or no checkpoint to go on from.
    """
    folder = RunFolder.open(runs, name)
    record = folder.config()
    try:
        config, seeds = TrainingConfig(**record["experiment"]), Seeds(**record["seeds"])
        agent, environment = record["agent"], record["environment"]
    except (KeyError, TypeError) as error:
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's: {error}") from None
    checkpoint = folder.newest_checkpoint()
    if checkpoint is None:
        raise RunFolderError(f"{folder.path} has no checkpoint to go on from: start a new run")
    config = replace(config, episodes=config.episodes if episodes is None else episodes)
    if checkpoint.episode > config.episodes:
        raise RunFolderError(f"{folder.path} has {checkpoint.episode} episodes: ask for more --episodes")
    record = {**record, "experiment": asdict(config)}
    return Plan(config, folder, seeds, agent, environment, record, checkpoint)
