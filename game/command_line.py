"""Command lines: one that a user wrote as the words to start a program with, and our own for a user to paste.

No shell is ever asked.
"""

import os
import shlex
import shutil
import sys
from pathlib import Path


def split_command(text: str, folders: list[str]) -> list[str]:
    """Split a command line, its program found in `folders`; raise ValueError if there is none."""
    posix = os.name == "posix"
    try:
        words = shlex.split(text, posix=posix)
    except ValueError as error:
        raise ValueError(f"{text!r} is no command line: {error}") from None
    if not posix:  # where a backslash is no escape, shlex also leaves the quotes
        words = [word.strip("\"'") for word in words]
    if not words:
        raise ValueError("an empty command line starts nothing: name a program")
    program = shutil.which(words[0], path=os.pathsep.join(folders))
    if program is None:
        raise ValueError(f"there is no program {words[0]!r}")
    return [program, *words[1:]]


def pasteable(*words: str) -> str:
    """Return the command line that calls `othello` with these words, from where this program was called."""
    return f"{_othello(sys.argv[0])} {shlex.join(words)}"


def _othello(called: str) -> str:
    """Return what a shell finds `othello` by: its name if that is us, else the path we were called by."""
    found, program = shutil.which("othello"), Path(called)
    if program.suffix != ".py" and program.is_file() and not (found and program.samefile(found)):
        return shlex.quote(os.path.normpath(program) if program.is_absolute() else os.path.relpath(program))
    return "othello" if found else f"{shlex.quote(sys.executable)} -m othello"
