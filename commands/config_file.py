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

_FILE: Final = "othello.config_file"
"""The key in a context's `meta` for the files that set parameters, by the name of the parameter."""
_ALLOWED: Final = "othello.allow_programs"
"""The key in a context's `meta` for the value of --allow-programs."""
_POOL: Final = "opponents"
"""The option that lists players with shares, such as `random=0.2,past=0.1`."""


class ProgramText(StringParamType):
    """The type of a text that may be a command line, or the name of a module to import."""


def use_file(context: click.Context, option: click.Parameter, path: Path | None) -> None:
    """Read the options in the file of --config. Raises UsageError for a wrong file or an unknown option."""
    if path is not None:
        values = as_typed(context.command, read_toml(path), str(path))
        context.meta.setdefault(_FILE, {}).update(dict.fromkeys(values, path))
        context.default_map = {**(context.default_map or {}), **values}


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


def key_in_file(context: click.Context | None, parameter: click.Parameter) -> str:
    """Return the key and the file of a value, such as `seed in a.toml`. Return "" for other values."""
    source = context and context.get_parameter_source(str(parameter.name))
    path = context.meta.get(_FILE, {}).get(parameter.name) if context else None
    return f"{long_name(parameter)} in {path}" if path and source is ParameterSource.DEFAULT_MAP else ""


def spelled(name: str, otherwise: str = "") -> str:
    """Return the name of a parameter for an error.

    The result is the key and the file for a value from a file. For other values, the result is `otherwise`,
    or the option if `otherwise` is "".
    """
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context else ():
        if name.removeprefix("--") in (parameter.name, long_name(parameter)):
            return key_in_file(context, parameter) or otherwise or f"--{long_name(parameter)}"
    return otherwise or name


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
        for parameter in context.command.params:
            if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
                _trust(parameter, context.params.get(str(parameter.name)))
        for name, path in context.meta.get(_FILE, {}).items():
            program_trust.note(path, (context.default_map or {})[name])
        yield


def _trust(parameter: click.Parameter, value: object) -> None:
    for text in value if isinstance(value, tuple) else (value,):
        if not isinstance(text, str) or isinstance(parameter.type, click.Path):
            continue
        if isinstance(parameter.type, ProgramText):
            program_trust.trust([text], is_command=True)
        pool = parameter.name == _POOL
        for name in [part.rpartition("=")[0].strip() for part in text.split(",")] if pool else [text]:
            program_trust.trust(nested(name))
