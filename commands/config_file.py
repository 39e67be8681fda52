"""`--config FILE.toml`, and the rule that a file starts no program unless --allow-programs is given.

The command line overrides the file. The file overrides environment variables and defaults.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource
from click.types import StringParamType

from othello_lab.game import program_trust
from othello_lab.game.registry import RegistryError, compose, nested
from othello_lab.game.safe_files import read_text

_FILE: Final = "othello.config_file"  # The key in a context's `meta` for the path of --config.
_ALLOWED: Final = "othello.allow_programs"  # The key in a context's `meta` for the value of --allow-programs.


class ProgramText(StringParamType):
    """The type of a text that may be a command line, or the name of a module to import."""


def use_file(context: click.Context, option: click.Parameter, path: Path | None) -> None:
    """Read the options in the file of --config. Raises UsageError for a wrong file or an unknown option."""
    if path is not None:
        context.meta[_FILE] = path
        context.default_map = as_typed(context.command, read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raises UsageError if the file cannot be read or is invalid."""
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # the file is not TOML, or not UTF-8
        raise click.UsageError(f"{path} is no TOML file: {error}") from None
    except RecursionError:
        raise click.UsageError(f"{path} is no TOML file: it is nested too deeply") from None


def as_typed(command: click.Command, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the values of a TOML table as typed texts, by the names of the command's parameters.

    A nested table is a player or learner with its options. Raises UsageError with a message that begins with
    `where`.
    """
    known = {long_name(parameter): parameter for parameter in command.params if parameter.expose_value}
    values: dict[str, Any] = {}
    for key, value in table.items():
        parameter = known.get(key.replace("_", "-"))
        if parameter is None:
            line = f"{where}: there is no option {key!r}, --help lists them."
            raise click.UsageError(click.NoSuchOption(key, line, known).format_message())
        if parameter.name in values:
            raise click.UsageError(f"{where}: {long_name(parameter)} is there twice: write it once")
        many = parameter.multiple or parameter.nargs == -1
        if isinstance(value, list) != many:
            expected = "a list in square brackets" if many else "one value"
            raise click.UsageError(f"{where}: {key}: expected {expected}")
        try:
            texts = [_text(item, parameter.default) for item in (value if many else [value])]
        except RegistryError as error:
            raise click.UsageError(f"{where}: {key}: {error}") from None
        values[str(parameter.name)] = texts if many else texts[0]
    return values


def _text(value: object, default: object) -> str:
    """Return a value as typed text. A nested table without a name gets the name of the default."""
    if isinstance(value, Mapping):
        return compose({**({"name": default} if isinstance(default, str) else {}), **value})
    return str(value).lower() if isinstance(value, bool) else str(value)


def long_name(parameter: click.Parameter) -> str:
    """Return the long name of an option without the leading dashes, or the name of an argument."""
    longs = [spelling for spelling in parameter.opts if spelling.startswith("--")]
    return (longs[0] if longs else str(parameter.name)).removeprefix("--").replace("_", "-")


@contextmanager
def naming_the_file() -> Iterator[None]:
    """Name the key and the file in an error about a value from the file of --config."""
    try:
        yield
    except click.BadParameter as error:
        context = error.ctx or click.get_current_context()
        hint = error.param_hint or (long_name(error.param) if error.param else "")
        for parameter in context.command.params:
            if parameter.name in (context.default_map or {}) and _FILE in context.meta:
                name, source = long_name(parameter), context.get_parameter_source(str(parameter.name))
                if source is ParameterSource.DEFAULT_MAP and str(hint).lower().removeprefix("--") == name:
                    error.param_hint = f"{name} in {context.meta[_FILE]}"
        raise


def allow_programs_option() -> click.Option:
    """Return the option --allow-programs, for a command that reads names of players from files."""

    def keep(context: click.Context, option: click.Parameter, allowed: bool) -> None:
        context.meta[_ALLOWED] = allowed

    return click.Option(
        ["--allow-programs"],
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="Also start programs that a file names, for example a file of a run. Use this option only for "
        "files that you trust.",
    )


def allowed() -> list[str]:
    """Return ["--allow-programs"] if the option is given, else [], to add to a printed command."""
    return ["--allow-programs"] * click.get_current_context().meta.get(_ALLOWED, False)


@contextmanager
def only_typed_programs(context: click.Context) -> Iterator[None]:
    """Return a context manager that lets only typed programs start, unless --allow-programs is given."""
    with program_trust.command_line(context.meta.get(_ALLOWED, False)):
        if _FILE in context.meta:
            program_trust.note(context.meta[_FILE], context.default_map)
        for parameter in context.command.params:
            value = context.params.get(str(parameter.name))
            if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
                for text in value if isinstance(value, tuple) else [value]:
                    _trust(parameter.type, text)
        yield


def _trust(kind: click.ParamType[Any], value: object) -> None:
    if isinstance(value, str):
        program_trust.trust([value] * isinstance(kind, ProgramText), is_command=True)
        program_trust.trust(nested(value))
