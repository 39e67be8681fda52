"""A command line that a user wrote, as the words to start a program with. No shell is ever asked."""

import os
import shlex
import shutil


def split_command(text: str, folders: list[str], start: str = "") -> list[str]:
    """Split a command line, its program found in `folders`; raise ValueError if there is none.

    A program that is named by a path is looked for from the folder `start`.
    """
    posix = os.name == "posix"
    try:
        words = shlex.split(text, posix=posix)
    except ValueError as error:
        raise ValueError(f"{text!r} is no command line: {error}") from None
    if not posix:  # where a backslash is no escape, shlex also leaves the quotes
        words = [word.strip("\"'") for word in words]
    if not words:
        raise ValueError("an empty command line starts nothing: name a program")
    name = os.path.join(start, words[0]) if os.path.dirname(words[0]) else words[0]
    program = shutil.which(name, path=os.pathsep.join(folders))
    if program is None:
        raise ValueError(f"there is no program {words[0]!r}")
    return [program, *words[1:]]
