"""Commands to paste: as they work in the folder that this process was started from."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def othello(*words: str) -> str:
    """Return the command line of `othello WORDS...`."""
    return shlex.join([*_program("othello", "othello"), *words])


def resume(folder: Path, command: str) -> str:
    """Return the command line that goes on with the run of a folder that `othello COMMAND` began."""
    folder = folder if folder.name else folder.resolve()  # of the path `.`
    return othello(*command.split(), "--resume", folder.name, *where(folder.parent))


def where(runs: Path) -> list[str]:
    """Return the option that says in which folder runs are, if that must be said."""
    return [] if runs == Path("runs") else ["--runs-dir", str(runs)]


def tensorboard(folder: Path) -> str:
    """Return the command line that shows the curves of the runs in a folder."""
    return shlex.join([*_program("tensorboard", "tensorboard.main"), "--logdir", str(folder)])


def _program(name: str, module: str) -> list[str]:
    """How to call a program of this Python: by its name only where that name is found to be this one."""
    own = shutil.which(name, path=str(Path(sys.executable).parent))
    if own is None:
        return [sys.executable, "-m", module]
    found = shutil.which(name)
    return [name] if found and os.path.samefile(found, own) else [_shortest(own)]


def _shortest(path: str) -> str:
    """Return a path as it is reached from here, if that is not longer."""
    try:
        near = os.path.join(os.curdir, os.path.relpath(path))
    except ValueError:  # another drive
        return path
    return min(path, near, key=len)
