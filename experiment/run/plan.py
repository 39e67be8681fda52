"""The plan of a run that is about to start, or to be resumed; and the machine that it is carried out with."""

import os
import platform
import time
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from othello_lab.experiment.run.connecting import AGENT_THREADS
from othello_lab.experiment.run.lifecycle import create
from othello_lab.experiment.run.lock import command_line
from othello_lab.experiment.run.names import new_name
from othello_lab.experiment.run.outcomes import Checkpoint
from othello_lab.experiment.run.record import (
    AgentPart,
    EnvironmentPart,
    RunRecord,
    Seeds,
    SelfPlayConfig,
    TrainingConfig,
    derive,
    read,
    table_of,
)
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.workers.versions import commit, processor, versions
from othello_lab.game.launching import note


@dataclass(frozen=True)
class Plan:
    """All that a run is made of."""

    config: TrainingConfig
    folder: RunFolder
    seeds: Seeds
    agent: AgentPart
    environment: EnvironmentPart
    record: dict[str, Any]
    """What config.json holds, or is to hold."""
    selfplay: SelfPlayConfig | None = None
    """What a run of batched self-play has besides; None for games over RL-Glue."""
    before: RunRecord = field(default_factory=RunRecord)
    """What a resumed run has recorded."""
    checkpoints: tuple[Checkpoint, ...] = ()
    """Where to resume: the newest first, those after it in case it is damaged."""
    begun: float = field(default_factory=time.monotonic)


def new_plan(
    runs: Path,
    name: str | None,
    config: TrainingConfig,
    seed: int,
    agent: AgentPart,
    environment: EnvironmentPart,
    selfplay: SelfPlayConfig | None = None,
) -> Plan:
    """Make the run folder of a new run; raise RunFolderError if that cannot be."""
    name, seeds = name or new_name(), derive(seed)
    record = {
        "run": name,
        "versions": versions(),
        "sessions": [session(own_agent=agent.text is not None)],
        "seed": seed,
        "seeds": asdict(seeds),
        "experiment": asdict(config),
        "environment": table_of(environment),
        "agent": table_of(agent),
        **({"selfplay": asdict(selfplay)} if selfplay else {}),
    }
    folder = create(runs, name, record)
    return Plan(config, folder, seeds, agent, environment, record, selfplay)


def resumed_plan(
    runs: Path,
    name: str,
    episodes: int | None,
    selfplay: bool = False,
    minutes: float | None = None,
    plies: int | None = None,
) -> Plan:
    """Return the plan of a run as it was recorded, perhaps for another number of episodes, minutes or plies.

    A run that was stopped before its first checkpoint begins again. Raises RunFolderError if there is no
    run of that name and kind, or if its agent saves no checkpoints.
    """
    folder = RunFolder.open(runs, name)
    values = folder.config()
    note(folder.record, values)
    record = _read(folder, values)
    _check_kind(folder, record, selfplay)
    checkpoints = tuple(reversed(folder.saved()))
    if cannot_go_on(folder, record.experiment, selfplay):
        raise RunFolderError(f"{folder.path} has no checkpoint to go on from: its agent saved none")
    config = _of_length(record.experiment, episodes, minutes, plies)
    done = checkpoints[0].episode if checkpoints else 0
    if episodes is not None and done > episodes:
        more = "--games" if selfplay else "--episodes"
        raise RunFolderError(f"{folder.path} has {done} episodes: ask for more {more}")
    now = session(own_agent=record.agent.text is not None)
    values |= {"experiment": asdict(config), "sessions": [*record.sessions, now]}
    parts = record.seeds, record.agent, record.environment
    return Plan(config, folder, *parts, values, record.selfplay, record, checkpoints)


def _check_kind(folder: RunFolder, record: RunRecord, selfplay: bool) -> None:
    """Raise RunFolderError for a run that another command goes on with."""
    if bool(record.selfplay) != selfplay:
        command = "othello selfplay" if record.selfplay else "othello run"
        raise RunFolderError(f"{folder.path} is a run of {command}: go on with {command} --resume")


def _of_length(
    config: TrainingConfig, episodes: int | None, minutes: float | None, plies: int | None
) -> TrainingConfig:
    """Return a configuration with another length, if one is given."""
    if episodes is not None:
        return replace(config, episodes=episodes, minutes=0.0, plies=0)
    if minutes is not None:
        return replace(config, minutes=minutes, plies=0)
    return config if plies is None else replace(config, minutes=0.0, plies=plies)


def _read(folder: RunFolder, values: dict[str, Any]) -> RunRecord:
    try:
        return read(values)
    except ValueError as error:
        raise RunFolderError(f"{folder.record} is not a run's: {error}") from None


NOTHING_SAVED = "its agent has saved no checkpoint: start a new run"
"""What is said of a run that cannot go on."""


def cannot_go_on(folder: RunFolder, config: TrainingConfig, selfplay: bool) -> bool:
    """Tell whether a run has no checkpoint although one was due: then a resume of it is refused."""
    return not (selfplay or folder.saved()) and _went_past_a_save(folder, config)


def _went_past_a_save(folder: RunFolder, config: TrainingConfig) -> bool:
    """Tell whether an episode or an evaluation was recorded after the first save was due."""
    due = min(max(0, config.save_every) or config.episodes, config.episodes)
    later_episode = any(episode.index > due for episode in folder.episodes())
    return later_episode or any(evaluation.episode >= due for evaluation in folder.evaluations())


_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def session(own_agent: bool) -> dict[str, Any]:
    """Return what may differ from one session of a run to the next; `own_agent`: it is made for the run."""
    return {
        "begun": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "command_line": command_line(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "threads": {
            "agent": AGENT_THREADS if own_agent else None,
            **{name: os.environ.get(name) for name in _THREADS},
        },
        "versions": versions(),
        "commit": commit(),
    }
