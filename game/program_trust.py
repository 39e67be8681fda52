"""The rule that a text from a file may not start a program, and the command lines of programs."""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from othello_lab.game.errors import RefusedError

# The environment variable with the rule for child processes, which is "all" or a JSON list of texts.
VARIABLE: Final = "OTHELLO_PROGRAMS"
_ALL: Final = "all"


class UntrustedError(RefusedError):
    """A text from a file names a program, but the user has not allowed files to start programs."""


@dataclass
class _Rule:
    # Whether the rule allows only trusted texts, as for commands. An open rule refuses only noted texts.
    is_closed: bool = False
    allows_all: bool = False
    is_inherited: bool = False
    trusted: set[str] = field(default_factory=set)
    noted: dict[str, str] = field(default_factory=dict)  # Texts from files, and the paths.


def _first_rule() -> _Rule:
    """Return the inherited rule, or by default the open rule. An invalid rule allows nothing."""
    text = os.environ.get(VARIABLE)
    if text is None or text == _ALL:
        return _Rule(text == _ALL, text == _ALL, text == _ALL)
    try:
        return _Rule(True, False, True, {str(trusted) for trusted in json.loads(text)})
    except (ValueError, TypeError):
        return _Rule(True, False, True)


_rules: Final = [_first_rule()]  # A stack of rules. The last rule applies.


def check_may_start(text: str, is_command: bool = False) -> None:
    """Raise UntrustedError if a registry text (with `is_command`, a command line) may not start a program."""
    rule = _rules[-1]
    if rule.allows_all or _key(text, is_command) in rule.trusted:
        return
    path = next((path for noted, path in rule.noted.items() if text in noted), None)
    if path is None and not rule.is_closed:
        return
    why = "add --allow-programs" if rule.is_closed else "write it into your program"
    raise UntrustedError(
        f"{path or 'a file'} names the program {text!r}: a file may not start programs; {why} if you trust it"
    )


def trust(texts: Iterable[str], is_command: bool = False) -> None:
    """Allow these texts to start programs, because the user has typed them or the caller trusts them."""
    if not _rules[-1].is_inherited:
        _rules[-1].trusted.update(_key(text, is_command) for text in texts)
        _export()


def note(path: Path, value: object) -> None:
    """Record that all texts in `value` were read from a file. `value` is a text, a list or a dictionary."""
    if isinstance(value, str):
        _rules[-1].noted[value] = str(path)
    elif isinstance(value, Mapping):
        note(path, [*value.values()])
    elif isinstance(value, list | tuple):
        for item in value:
            note(path, item)


@contextmanager
def command_line(allow_programs: bool) -> Iterator[None]:
    """Use the closed rule while a command runs. A child process inherits the rule of the parent process."""
    if _rules[-1].is_closed:
        yield
        return
    _rules.append(_Rule(True, allow_programs))
    _export()
    try:
        yield
    finally:
        _rules.pop()
        del os.environ[VARIABLE]


def search_path() -> str:
    """Return PATH with the folder of this Python first, so that `python` finds our packages."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def command_words(text: str, folders: list[str], start: str = "") -> list[str]:
    """Return the path of a command's program and the arguments. Raises ValueError if no program is found."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no command line: {error}") from None
    if not words:
        raise ValueError("an empty command line starts nothing: name a program")
    name = os.path.join(start, words[0]) if os.path.dirname(words[0]) else words[0]
    program = shutil.which(name, path=os.pathsep.join(folders))
    if program is None:
        raise ValueError(f"there is no program {words[0]!r}")
    return [program, *words[1:]]


def for_programs() -> dict[str, str]:
    """Return the environment variables of a child program, without VARIABLE."""
    return {name: value for name, value in os.environ.items() if name != VARIABLE}


def _key(text: str, is_command: bool) -> str:
    return f"$ {text}" if is_command else text


def _export() -> None:
    """Export a closed rule to child processes in VARIABLE."""
    rule = _rules[-1]
    if rule.is_closed:
        os.environ[VARIABLE] = _ALL if rule.allows_all else json.dumps(sorted(rule.trusted))
