"""Read options from TOML: the file of `--config FILE.toml`, or the variants of a sweep."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from othello_lab.commands.options import long_name
from othello_lab.game.registry import RegistryError, compose
from othello_lab.game.safe_files import read_text


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raises UsageError if the file cannot be read or is invalid."""
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # invalid TOML or UTF-8
        raise click.UsageError(f"{path} is no TOML file: {error}") from None
    except RecursionError:
        raise click.UsageError(f"{path} is no TOML file: it is nested too deeply") from None


def as_typed(command: click.Command, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Convert a TOML table to command-line strings, by parameter name. `where` begins each UsageError."""
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
    """Convert a value to command-line text. In a nested table, `name` defaults to `default`."""
    if isinstance(value, Mapping):
        return compose({**({"name": default} if isinstance(default, str) else {}), **value})
    return str(value).lower() if isinstance(value, bool) else str(value)
