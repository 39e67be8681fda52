"""`--allow-programs`, and which typed texts may start programs; `game/launching.py` has the rule."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from click.core import ParameterSource

from othello_lab.commands.config_file import note_values
from othello_lab.game import launching
from othello_lab.game.registry import nested

_ALLOWED: Final = "othello.allow_programs"
"""The key of a context's `meta` for the value of --allow-programs."""
_POOL: Final = "opponents"
"""The option that names several players, each with its share."""


class ProgramText(click.ParamType[str]):
    """A text that may be the command line of a program, or name a module to import."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; fail for any other value of a file."""
        if not isinstance(value, str):
            self.fail(f"{value!r} is not a text", param, ctx)
        return value


def allow_programs_option() -> click.Option:
    """Return --allow-programs, for a command that reads texts from files."""

    def keep(context: click.Context, option: click.Parameter, allowed: bool) -> None:
        context.meta[_ALLOWED] = allowed

    return click.Option(
        ["--allow-programs"],
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="Start the programs that a run or another file names: only if you trust who made it.",
    )


def allowed() -> list[str]:
    """Return `--allow-programs` if this command was given it, for a command to paste."""
    return ["--allow-programs"] * click.get_current_context().meta.get(_ALLOWED, False)


@contextmanager
def one_command(context: click.Context) -> Iterator[None]:
    """Let a command start only programs that were typed, unless --allow-programs was given."""
    with launching.command_line(context.meta.get(_ALLOWED, False)):
        for parameter in context.command.params:
            if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
                _trust(parameter, context.params.get(str(parameter.name)))
        note_values(context)
        yield


def _trust(parameter: click.Parameter, value: object) -> None:
    """Let typed texts start programs; a path names none."""
    for text in value if isinstance(value, tuple) else (value,):
        if not isinstance(text, str) or isinstance(parameter.type, click.Path):
            continue
        if isinstance(parameter.type, ProgramText):
            launching.trust([text], is_command=True)
        pool = parameter.name == _POOL
        for name in [part.rpartition("=")[0].strip() for part in text.split(",")] if pool else [text]:
            launching.trust(nested(name))
