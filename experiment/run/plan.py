"""Plan a new or resumed run, and create and lock run folders."""

import os
import platform
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from othello_lab.experiment.run import lock
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
from othello_lab.experiment.run.run_folder import START, SUFFIX, RunFolder, RunFolderError, is_name, new_name
from othello_lab.experiment.workers.trio import AGENT_THREADS, RefusedOptionError
from othello_lab.experiment.workers.versions import commit, processor, versions
from othello_lab.game.program_trust import note
from othello_lab.game.safe_files import replace as write_file


@dataclass(frozen=True)
class Plan:
    """All settings of a new or resumed run."""

    config: TrainingConfig
    folder: RunFolder
    seeds: Seeds
    agent: AgentPart
    environment: EnvironmentPart
    record: dict[str, Any]  # The content of config.json.
    selfplay: SelfPlayConfig | None = None  # Options of batched self-play. None for games over RL-Glue.
    # The record before a resume, or an empty record for a new run.
    before: RunRecord = field(default_factory=RunRecord)
    checkpoints: tuple[Checkpoint, ...] = ()  # Checkpoints to resume from, the newest first.
    begun: float = field(default_factory=time.monotonic)


def new_plan(
    runs: Path,
    name: str | None,
    config: TrainingConfig,
    seed: int,
    agent: AgentPart,
    environment: EnvironmentPart,
    selfplay: SelfPlayConfig | None = None,
    start: bytes | None = None,
) -> Plan:
    """Create a run folder and the plan. The checkpoint START contains `start`. Raises RunFolderError."""
    name, seeds = name or new_name(), derive(seed)
    record = {
        "run": name,
        "versions": versions(),
        "sessions": [_session(agent)],
        "seed": seed,
        "seeds": asdict(seeds),
        "experiment": asdict(config),
        "environment": table_of(environment),
        "agent": table_of(agent),
        **({"selfplay": asdict(selfplay)} if selfplay else {}),
    }
    return Plan(config, create(runs, name, record, start), seeds, agent, environment, record, selfplay)


def resumed_plan(
    runs: Path, name: str, episodes: int | None, selfplay: bool = False, minutes: float | None = None
) -> Plan:
    """Return the plan of a recorded run, with the new length `episodes` or `minutes` if given.

    Raises RunFolderError if the run does not exist, cannot resume, or has more than `episodes` games.
    """
    folder = RunFolder.open(runs, name)
    values = folder.config()
    note(folder.record, values)
    try:
        record = read(values)
    except ValueError as error:
        raise RunFolderError(f"{folder.record} is not a run's: {error}") from None
    if bool(record.selfplay) != selfplay:
        command = "othello selfplay" if record.selfplay else "othello run"
        raise RunFolderError(f"{folder.path} is a run of {command}: go on with {command} --resume")
    if cannot_go_on(folder, record.experiment, selfplay):
        raise RunFolderError(f"{folder.path} has no checkpoint to go on from: its agent saved none")
    checkpoints = tuple(reversed(folder.saved()))
    done = checkpoints[0].episode if checkpoints else 0
    if episodes is not None and done > episodes:
        option = "--games" if selfplay else "--episodes"
        raise RunFolderError(f"{folder.path} has {done} episodes: ask for more {option}")
    config = record.experiment
    if episodes is not None:
        config = replace(config, episodes=episodes, minutes=0.0)
    elif minutes is not None:
        config = replace(config, minutes=minutes)
    sessions = [*record.sessions, _session(record.agent)]
    values |= {"experiment": asdict(config), "sessions": sessions}
    parts = record.seeds, record.agent, record.environment
    return Plan(config, folder, *parts, values, record.selfplay, record, checkpoints)


NOTHING_SAVED = "its agent has saved no checkpoint: start a new run"  # The advice if a run cannot resume.


def cannot_go_on(folder: RunFolder, config: TrainingConfig, selfplay: bool) -> bool:
    """Return whether a run cannot resume because a due checkpoint is missing."""
    if selfplay or folder.saved():
        return False
    due = min(max(0, config.save_every) or config.episodes, config.episodes)
    return any(episode.index > due for episode in folder.episodes()) or any(
        evaluation.episode >= due for evaluation in folder.evaluations()
    )


_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def _session(agent: AgentPart) -> dict[str, Any]:
    """Return the record of this session, with values that may differ between the sessions of a run."""
    return {
        "begun": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "command_line": lock.command_line(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "threads": {
            "agent": None if agent.text is None else AGENT_THREADS,
            **{name: os.environ.get(name) for name in _THREADS},
        },
        "versions": versions(),
        "commit": commit(),
    }


def create(runs: Path, name: str, config: dict[str, Any], start: bytes | None = None) -> RunFolder:
    """Create a run folder with config.json. Raises RunFolderError for an invalid or existing name."""
    if not is_name(name):
        raise RunFolderError(f"{name!r} is no name of a run: use letters, digits, '-', '_' and '.' only")
    folder, making = RunFolder(runs / name), RunFolder(runs / f".{name}.{secrets.token_hex(4)}")
    try:
        making.logs.mkdir(parents=True)
        making.write_config(config)
        if start is not None:
            making.checkpoints.mkdir()
            write_file(making.checkpoints / f"{START}{SUFFIX}", start)
        if folder.path.exists():  # `rename` would replace an empty folder
            raise FileExistsError
        making.path.rename(folder.path)
    except OSError as error:
        if folder.path.exists():  # another process may have just created the folder
            raise RunFolderError(
                f"{folder.path} exists already: give another --name, or go on with it by --resume {name}"
            ) from None
        raise RunFolderError(f"{folder.path} could not be made: {error.strerror}") from None
    finally:
        shutil.rmtree(making.path, ignore_errors=True)
    return folder


@contextmanager
def held(folder: RunFolder, is_new: bool = False) -> Iterator[None]:
    """Lock a run folder for this process. Raises InUseError.

    On exit, remove a new folder if the run never began, and left no log or refused an option.
    """
    with lock.held(folder.path):
        has_log = True
        try:
            yield
        except RefusedOptionError:
            has_log = False  # the error message contains the whole log
            raise
        finally:
            start = folder.checkpoints / f"{START}{SUFFIX}"
            saved = any(path != start for path in folder.checkpoints.glob("*"))
            has_log = has_log and any(folder.logs.glob("*"))
            with suppress(OSError, RunFolderError):
                if is_new and not (saved or has_log or folder.began):
                    shutil.rmtree(folder.path)
                    folder.path.parent.rmdir()  # fails if there are other runs
