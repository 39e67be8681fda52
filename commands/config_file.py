"""`--config FILE.toml`: options from a file.

What stands on the command line wins over the file, the file over environment variables and defaults.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from othello_lab.game.files import read_text
from othello_lab.game.launching import note

_FILE: Final = "othello.config_file"
"""Where a context keeps the path of the file of each parameter that a file has."""
_KINDS: Final[tuple[tuple[type[click.ParamType[Any]], tuple[type, ...], str], ...]] = (
    (type(click.BOOL), (bool,), "true or false"),
    (type(click.INT), (int,), "a whole number"),
    (type(click.FLOAT), (int, float), "a number"),
    (type(click.STRING), (str,), "a text"),
    (click.Choice, (str,), "a text"),
    (click.Path, (str,), "a text"),
)
"""The TOML values of a type of option, where the type itself would take others as well."""


def use_file(context: click.Context, option: click.Parameter, path: Path | None) -> None:
    """Take options from a file, if there is one; raise UsageError for what the command does not take.

    Of two files the one that is read last wins.
    """
    if path is not None:
        values = checked(context, read_toml(path), str(path))
        context.meta.setdefault(_FILE, {}).update(dict.fromkeys(values, path))
        context.default_map = {**(context.default_map or {}), **values}


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds; raise UsageError if it cannot be read."""
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # what is no TOML, or no UTF-8
        raise click.UsageError(f"{path} is no TOML file: {error}") from None
    except RecursionError:
        raise click.UsageError(f"{path} is no TOML file: it is nested too deeply") from None


def checked(context: click.Context, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the values of a table by the names of the command's parameters.

    Raises UsageError, which begins with `where`, for a key or a value that the command does not take.
    """
    known = {
        long_name(parameter): parameter for parameter in context.command.params if parameter.expose_value
    }
    values = {}
    for written, value in table.items():
        key = written.replace("_", "-")
        if key not in known:
            line = f"{where}: there is no option {written!r}, --help lists them."
            raise click.UsageError(click.NoSuchOption(key, line, known).format_message())
        parameter = known[key]
        if parameter.name in values:
            raise click.UsageError(f"{where}: {key} is there twice: say it once")
        try:
            _check(context, parameter, value)
        except click.BadParameter as error:
            raise click.UsageError(f"{where}: {written}: {error.message}") from None
        values[str(parameter.name)] = value
    return values


def note_values(context: click.Context) -> None:
    """Record which texts of a command were read from files of options."""
    for name, path in context.meta.get(_FILE, {}).items():
        note(path, (context.default_map or {})[name])


def long_name(parameter: click.Parameter) -> str:
    """Return the long name of an option without its dashes, or the name of an argument."""
    longs = [spelling for spelling in parameter.opts if spelling.startswith("--")]
    return (longs[0] if longs else str(parameter.name)).removeprefix("--").replace("_", "-")


def _check(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Raise BadParameter for a value of the wrong type, or out of range."""
    many = parameter.multiple or parameter.nargs == -1
    if many and not isinstance(value, list):
        raise click.BadParameter(f"{json.dumps(value, default=str)} is no list: put it into square brackets")
    for item in value if isinstance(value, list) and many else [value]:
        for kind, types, said in _KINDS:
            # Whatever is true or false is a whole number to Python.
            fits = isinstance(item, types) and not (isinstance(item, bool) and bool not in types)
            if isinstance(parameter.type, kind) and not fits:
                raise click.BadParameter(f"{json.dumps(item, default=str)} is not {said}")
    parameter.type_cast_value(context, value)


def spelled(name: str, otherwise: str = "") -> str:
    """Say where the value of a parameter of that name, or long name, comes from.

    That is its key and the file. If it is of no file, `otherwise` or else the option is returned.
    """
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context else ():
        key = long_name(parameter)
        if context and name.removeprefix("--") in (parameter.name, key):
            if context.get_parameter_source(str(parameter.name)) is ParameterSource.DEFAULT_MAP:
                return f"{key} in {context.meta[_FILE][parameter.name]}"
            return otherwise or f"--{key}"
    return otherwise or name
