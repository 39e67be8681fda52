"""A run that is about to begin, or to go on."""

import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from experiment.results.lifecycle import create
from experiment.results.machine import session, versions
from experiment.results.run_folder import Checkpoint, RunFolder, RunFolderError, new_name
from experiment.training.config import TrainingConfig
from experiment.training.run_config import Part, Program, Record, programs, read
from experiment.training.seeds import Seeds, derive


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
    programs: tuple[Program, ...] = ()
    """What a run that goes on was recorded to start on this machine."""
    begun: float = field(default_factory=time.monotonic)

    @property
    def prefix(self) -> str:
        """What the names of checkpoints begin with: the run's name if the agent may serve other runs too.

        An agent that is made for this run saves into the run folder, any other one where it likes.
        """
        return "" if _is_ours(self.agent) else f"{self.folder.path.name}-"


def _is_ours(agent: Part) -> bool:
    return agent is not None and "text" in agent


def new_plan(
    runs: Path, name: str | None, config: TrainingConfig, seed: int, agent: Part, environment: Part
) -> Plan:
    """Make the run folder of a new run; raise RunFolderError if that cannot be."""
    name, seeds = name or new_name(), derive(seed)
    record = {
        "run": name,
        "versions": versions(),
        "sessions": [session(_is_ours(agent))],
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
    values = folder.config()
    record = _read(folder, values)
    config = record.experiment
    checkpoints = tuple(reversed(folder.saved()))
    if not checkpoints and _went_past_a_save(folder, config):
        raise RunFolderError(f"{folder.path} has no checkpoint to go on from: its agent saved none")
    config = replace(config, episodes=config.episodes if episodes is None else episodes)
    done = checkpoints[0].episode if checkpoints else 0
    if done > config.episodes:
        raise RunFolderError(f"{folder.path} has {done} episodes: ask for more --episodes")
    values |= {
        "experiment": asdict(config),
        "sessions": [*record.sessions, session(_is_ours(record.agent))],
    }
    own = (record.seeds, record.agent, record.environment)
    return Plan(config, folder, *own, values, checkpoints, tuple(programs(record)))


def _read(folder: RunFolder, values: dict[str, Any]) -> Record:
    try:
        return read(values)
    except ValueError as error:
        raise RunFolderError(f"{folder.record} is not a run's: {error}") from None


def _went_past_a_save(folder: RunFolder, config: TrainingConfig) -> bool:
    """Tell whether something was recorded after the first save was due."""
    due = min(config.save_every or config.episodes, config.episodes)
    later_episode = any(episode.index > due for episode in folder.episodes())
    return later_episode or any(evaluation.episode >= due for evaluation in folder.evaluations())
