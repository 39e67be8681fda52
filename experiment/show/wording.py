"""Format numbers, counts and names, and command lines that a user can copy."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from rlglue.messages import truncate_middle

if TYPE_CHECKING:  # only for types: records load numba
    from othello_lab.game.records import Record

_SPACE = "\u00a0"  # a non-breaking space


def percent(share: float) -> str:
    """Return a share from 0 to 1 as a percentage."""
    return f"{100 * share:.1f}{_SPACE}%"


def between(low: float, high: float) -> str:
    """Return an interval of shares from 0 to 1 as percentages."""
    return f"{100 * low:.1f} to {100 * high:.1f}{_SPACE}%"


def share(value: float, digits: int = 2) -> str:
    """Format a share as a decimal number without a leading zero, such as .95 or 1.00."""
    return f"{value:.{digits}f}".removeprefix("0")


def begun_from(openings: Sequence[str]) -> str:
    """Return a description of openings (transcripts), such as `20 openings` or `the standard start`."""
    return plural(len(openings), "opening") if any(openings) else "the standard start"


def plural(count: int, what: str) -> str:
    """Return a count and its noun, such as `1 game` or `2 games`."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def wrapped(name: str, most: int = 3, width: int = 40) -> str:
    """Wrap a name into at most `most` lines of `width` characters. Truncate a longer name in the middle."""
    return fill(truncate_middle(name, most * width), width, max_lines=most, placeholder="…")


def othello(*arguments: str) -> str:
    """Return an `othello` command line that works in the current folder."""
    return shlex.join([*_program("othello", "othello"), *arguments])


def resume(folder: Path, command: str) -> str:
    """Return the command line that resumes a run of `othello COMMAND`."""
    folder = folder if folder.name else folder.resolve()  # the path `.` has no name
    return othello(*command.split(), "--resume", folder.name, *runs_dir(folder.parent))


def runs_dir(runs: Path) -> list[str]:
    """Return the option `--runs-dir` for a folder of runs, or [] for the default folder."""
    return [] if runs == Path("runs") else ["--runs-dir", str(runs)]


def tensorboard(folder: Path) -> str:
    """Return the TensorBoard command line for the runs in a folder."""
    return shlex.join([*_program("tensorboard", "tensorboard.main"), "--logdir", str(folder)])


def _program(name: str, module: str) -> list[str]:
    """Return the first words of a program's command line: a name on PATH, a path, or `python -m MODULE`."""
    installed = shutil.which(name, path=str(Path(sys.executable).parent))
    if installed is None:
        return [sys.executable, "-m", module]
    first = shutil.which(name)
    return [name] if first and os.path.samefile(first, installed) else [_shortest(installed)]


def _shortest(path: str) -> str:
    """Return a path, or its equivalent relative to the current folder if shorter."""
    try:
        near = os.path.join(os.curdir, os.path.relpath(path))
    except ValueError:  # the paths are on different drives
        return path
    return min(path, near, key=len)


def result_of(record: "Record") -> str:
    """Return the result of a game as a sentence."""
    if forfeit := record.forfeit:
        return f"{forfeit.by.value} forfeits the game: {forfeit.reason}"
    if not record.is_over:
        return "Here the record ends; the game is not over."
    return f"{record.winner.value} wins." if record.winner else "A draw."
