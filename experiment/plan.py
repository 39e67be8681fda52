"""A run that is about to begin, or to go on."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from experiment.config import TrainingConfig
from experiment.machine import versions
from experiment.making import create
from experiment.run_folder import Checkpoint, RunFolder, RunFolderError, new_name
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
    checkpoints: tuple[Checkpoint, ...] = ()
    """Where to go on: the newest first, those after it in case it is damaged."""

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
    name, seeds = name or new_name(), derive(seed)
    record = {
        "run": name,
        "versions": versions(),
        "seed": seed,
        "seeds": asdict(seeds),
        "experiment": asdict(config),
        "environment": environment,
        "agent": agent,
    }
    folder = create(runs, name, record)
    return Plan(config, folder, seeds, agent, environment, record)


def resumed_plan(runs: Path, name: str, episodes: int | None) -> Plan:
    """Take up a run as it was recorded, perhaps for another number of episodes.

    A run that was stopped before its first checkpoint begins again. Raises RunFolderError if there is no such
    run, or if its agent saves no checkpoints.
    """
    folder = RunFolder.open(runs, name)
    record = folder.config()
    try:
        config, seeds = _config(record), Seeds(**record["seeds"])
        agent, environment = record["agent"], record["environment"]
        if not isinstance(record.get("environment_stats", {}), dict):
            raise TypeError("environment_stats is no object")
    except (KeyError, TypeError) as error:
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's: {error}") from None
    checkpoints = tuple(reversed(folder.saved()))
    if not checkpoints and _went_past_a_save(folder, config):
        raise RunFolderError(f"{folder.path} has no checkpoint to go on from: its agent saved none")
    config = replace(config, episodes=config.episodes if episodes is None else episodes)
    done = checkpoints[0].episode if checkpoints else 0
    if done > config.episodes:
        raise RunFolderError(f"{folder.path} has {done} episodes: ask for more --episodes")
    record = {**record, "experiment": asdict(config)}
    return Plan(config, folder, seeds, agent, environment, record, checkpoints)


def _config(record: dict[str, Any]) -> TrainingConfig:
    config = TrainingConfig(**record["experiment"])
    for name, default in asdict(TrainingConfig()).items():
        value = getattr(config, name)
        found = tuple if isinstance(value, list) else type(value)  # JSON has no tuples
        if found is not type(default):
            raise TypeError(f"{name} is {value!r}, expected such as {default!r}")
    return config


def _went_past_a_save(folder: RunFolder, config: TrainingConfig) -> bool:
    """Tell whether something was recorded after the first save was due."""
    due = min(config.save_every or config.episodes, config.episodes)
    later_episode = any(episode.index > due for episode in folder.episodes())
    return later_episode or any(evaluation.episode >= due for evaluation in folder.evaluations())
