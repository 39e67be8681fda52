"""Making, locking and removing run folders, and the state of a run.

A folder is made whole or not at all, and removed if nothing was written.
"""

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import StrEnum, auto
from pathlib import Path
from typing import Any

from othello_lab.experiment.run import lock
from othello_lab.experiment.run.names import START, SUFFIX, is_name
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.workers.trio import RefusedOptionError


class NewFolder(RunFolder):
    """The folder of a run that was made a moment ago: nobody misses it if the run never begins."""

    is_first = False
    """Whether the folder of runs was made for it."""


def create(runs: Path, name: str, config: dict[str, Any]) -> NewFolder:
    """Make the folder of a new run, with its config.json or not at all.

    Raises RunFolderError if the name is taken or is none.
    """
    if not is_name(name):
        raise RunFolderError(f"{name!r} is no name of a run: use letters, digits, '-', '_' and '.' only")
    folder, making = NewFolder(runs / name), RunFolder(runs / f".{name}.{secrets.token_hex(4)}")
    folder.is_first = not runs.exists()
    try:
        making.logs.mkdir(parents=True)
        making.write_config(config)
        _rename(making.path, folder.path)
    except FileExistsError:
        raise RunFolderError(
            f"{folder.path} exists already: give another --name, or go on with it by --resume {name}"
        ) from None
    except OSError as error:
        raise RunFolderError(f"{folder.path} could not be made: {error.strerror}") from None
    finally:
        shutil.rmtree(making.path, ignore_errors=True)
    return folder


def _rename(old: Path, new: Path) -> None:
    """Rename a folder; raise FileExistsError if the name is taken."""
    if new.exists():
        raise FileExistsError
    try:
        old.rename(new)
    except OSError:
        if new.exists():  # since a moment ago
            raise FileExistsError from None
        raise


class State(StrEnum):
    """The state of a run."""

    STARTING = auto()
    RUNNING = auto()
    FINISHED = auto()
    STOPPED = auto()
    FAILED = auto()


def state_of(folder: RunFolder, config: Mapping[str, Any], is_complete: bool = False) -> State:
    """Return the state of a run; `is_complete`: all of its training games are played.

    A run whose process was killed seems to be running.
    """
    session = (known(config).sessions or [{}])[-1]
    if (since := lock.held_since(folder.path)) is not None:
        if "task_spec" not in config or since > folder.record.stat().st_mtime:  # of a session before this one
            return State.STARTING
        if "seconds" not in session:
            return State.RUNNING
    if "error" in session:
        return State.FAILED
    return State.FINISHED if is_complete else State.STOPPED


@contextmanager
def held(folder: RunFolder) -> Iterator[None]:
    """Keep other processes from writing to a run folder; raise InUseError if one does.

    At the end a new folder is removed if an option of the run was refused, or if the run never began and left
    no log. One that was there before, of a run that was killed in its first seconds, stays: it may be tried
    again.
    """
    try:
        with lock.held(folder.path):
            is_refused = False
            try:
                yield
            except RefusedOptionError:
                is_refused = True
                raise
            finally:
                if isinstance(folder, NewFolder):
                    _remove_if_never_started(folder, is_refused)
    finally:
        if not folder.record.exists():
            with suppress(OSError):
                (folder.path / lock.LOCK).unlink(missing_ok=True)
                folder.path.rmdir()
                if isinstance(folder, NewFolder) and folder.is_first:
                    folder.path.parent.rmdir()


def _remove_if_never_started(folder: RunFolder, with_logs: bool) -> None:
    """Remove what is in a folder, unless its run began, or there is more than was put there to begin with."""
    start = folder.checkpoints / f"{START}{SUFFIX}"
    with suppress(OSError, RunFolderError):
        if folder.began or any(path != start for path in folder.checkpoints.glob("*")):
            return
        for log in folder.logs.glob("*.log") if with_logs else ():
            log.unlink()
        folder.logs.rmdir()  # not if there is something in it: then all stays
        if folder.checkpoints.exists():
            start.unlink(missing_ok=True)
            folder.checkpoints.rmdir()
        folder.record.unlink()
