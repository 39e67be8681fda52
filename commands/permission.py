"""Permission to start the programs that a file names: `--yes`, or an answer at the terminal.

A text that a person types may name any program. One that was read from a file (a run's configuration, options
of `--config`, a sweep, a kept game) comes through here first, since the file may be a stranger's.
"""

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.types import StringParamType

from othello_lab.experiment.run.record import agent_part

if TYPE_CHECKING:
    from othello_lab.experiment.run.programs import Permit, Program

_AGREED: Final = "othello_lab.commands.permission.agreed"
"""Where a context keeps whether --yes was said."""
_NAMED: Final = "othello_lab.commands.permission.named"
"""Where a context keeps the files of its options, each with the programs that it names."""
_SHOWN: Final = "othello_lab.commands.permission.shown"
"""Where a context keeps the programs that a person was shown, and agreed to."""
_ENVIRONMENT: Final = "environment"
"""The option that is a command line in any case, also one that reads like a player."""
_PLAIN: Final = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""An environment's ID, such as CartPole-v1 or ALE/Pong-v5: no module, and no value of an argument."""


class ProgramText(click.ParamType[str]):
    """A text that may be the command line of a program: an agent's, an environment's."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See click; a file may have something else there."""
        if not isinstance(value, str):
            self.fail(f"{value!r} is not a text", param, ctx)
        return value


class CodeText(StringParamType):
    """A text that has Python carry out whatever it names, unless it is one plain name."""


class NotPermittedError(click.UsageError):
    """A file names programs, and nobody has agreed that they start."""


def yes_option() -> click.Option:
    """Return --yes, for a command that reads texts which may name programs."""
    return click.Option(
        ["--yes"],
        is_flag=True,
        expose_value=False,
        callback=_agree,
        help="Start the programs that a run or another file names; do not ask.",
    )


def _agree(context: click.Context, option: click.Parameter, said: bool) -> None:
    """Note whether --yes was said, and decide about the file of options, which was read before."""
    context.meta[_AGREED] = said
    for programs, file in context.meta.get(_NAMED, ()):
        permit(programs, file)


def ask_later(context: click.Context, programs: "Sequence[Program]", file: Path) -> None:
    """Have the programs that a file of options names decided about once all options are read."""
    context.meta.setdefault(_NAMED, []).append((programs, file))


def permit(programs: "Sequence[Program]", source: Path) -> None:
    """Return if these programs of a file may start; raise NotPermittedError if not.

    On a terminal the person is shown them and asked.
    """
    if not programs or is_agreed():
        return
    if not _on_terminal():
        raise _refusal(programs, source)
    click.echo(f"{source} names programs that would be started now:")
    for program in programs:
        click.echo(f"  {program}")
    if not click.confirm("Start them?"):
        raise NotPermittedError(f"the programs of {source} were not started, as you said")
    click.get_current_context().meta.setdefault(_SHOWN, set()).update(programs)


def permit_unasked() -> "Permit":
    """Return what decides as `permit` does where nobody can be asked, such as on a full screen.

    It may be called in another thread, and raises ValueError instead.
    """
    agreed, shown = is_agreed(), click.get_current_context().meta.setdefault(_SHOWN, set())

    def decide(programs: "Sequence[Program]", source: Path) -> None:
        if not agreed and not shown.issuperset(programs):
            raise ValueError(_refusal(programs, source).message)

    return decide


def _refusal(programs: "Sequence[Program]", source: Path) -> NotPermittedError:
    named = "; ".join(map(str, programs))
    return NotPermittedError(f"{source} would start programs ({named}): if you know them, add --yes")


def is_agreed() -> bool:
    """Tell whether --yes was said."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(_AGREED))


def _on_terminal() -> bool:
    """Tell whether there is somebody to ask."""
    return sys.stdin.isatty()


def programs_of(parameter: click.Parameter, value: object) -> "list[Program]":
    """Return the programs that a parameter would start with a value that was read from a file."""
    from othello_lab.experiment.run.programs import Program, programs_in

    found = []
    for text in value if isinstance(value, tuple) else (value,):
        if isinstance(text, str):
            role = str(parameter.name).replace("_", "-")
            found += programs_in(role, text)
            if isinstance(parameter.type, ProgramText):
                found += _command(role, text)
            elif isinstance(parameter.type, CodeText) and not _PLAIN.fullmatch(text):
                found.append(Program(role, text))
    return found


def _command(role: str, text: str) -> "list[Program]":
    """Return the program of a command line, none for a text that is no command line."""
    from othello_lab.experiment.run.programs import Program
    from othello_lab.experiment.workers.trio import CommandError, split_command

    with suppress(CommandError):
        if role == _ENVIRONMENT or agent_part(text).command is not None:
            split_command(text)
            return [Program(f"{role} command", text)]
    return []
