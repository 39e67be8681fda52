"""Options of a command as one declared object, and those that several commands share.

The fields of a class under `options` are the options of a command: a field gives the name, the type and, by
`option` or `argument`, the rest. `takes` adds them to the command, which is called with one such object.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import get_annotations
from keyword import iskeyword
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeVar, dataclass_transform, get_args, get_origin

import click
from click.core import ParameterSource
from click.types import IntParamType

from environment.config import EnvironmentConfig
from othello.config_file import FileFirst, spelled
from othello.groups import section
from othello.permission import yes_option
from rlglue.messages import LARGEST_SEED, natural
from rlglue.net.address import CONNECT_TIMEOUT, DEFAULT_HOST, DEFAULT_PORT

DEFAULT_SIZE: Final = EnvironmentConfig().size
"""Of every --size."""
FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)

Command = TypeVar("Command", bound=Callable[..., Any])
T = TypeVar("T")


def option(text: str, *spellings: str, default: Any = None, **settings: Any) -> Any:  # noqa: ANN401  a field of any type
    """Return a field that is an option with this help; `settings` are click's, and `section`.

    It is spelled like the field unless told otherwise. Its type is the field's unless there is another: a
    `bool` is a flag, a tuple may be given several times. A default is shown unless `show_default` says no;
    that may also be a text, or a function of the class that makes one. `section` is the title under which it
    and those behind it are listed.
    """
    return field(default=default, metadata={"help": text, "spellings": spellings, **settings})


def argument(default: Any = None, **settings: Any) -> Any:  # noqa: ANN401  a field of any type
    """Return a field that is an argument; `settings` are click's."""
    return field(default=default, metadata=settings)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(option, argument))
def options(of: type[T]) -> type[T]:
    """Make a class one of options; behind those of its bases, in their order, it has its own."""
    return dataclass(frozen=True, kw_only=True)(of)


def takes(of: type[T]) -> Callable[[Callable[[T], None]], Callable[..., None]]:
    """Return what adds the options of a class to a command, which is called with one object of the class."""

    def decorate(command: Callable[[T], None]) -> Callable[..., None]:
        @wraps(command)
        def called(**values: Any) -> None:  # noqa: ANN401  each option has its type
            command(declared(of, values))

        for add in reversed(_parameters(of, of)):
            called = add(called)
        return called

    return decorate


def declared(of: type[T], values: Mapping[str, Any]) -> T:
    """Return the object of a class of options with the values that click has read."""
    # A word of Python's own has a `_` behind it as a field.
    return of(**{name + "_" * iskeyword(name): value for name, value in values.items()})


def values_of(said: object, of: type) -> dict[str, Any]:
    """Return the values that an object of options has for the fields of another dataclass."""
    return {each.name: getattr(said, each.name) for each in fields(of) if hasattr(said, each.name)}


def _parameters(of: type, declared: type) -> list[Callable[[Command], Command]]:
    """Return what adds each option of a class and of its bases to the command that takes `declared`."""
    found = [each for base in of.__bases__ if is_dataclass(base) for each in _parameters(base, declared)]
    title = ""
    for own in fields(of):
        if own.name in get_annotations(of):  # else it is a base's
            title = own.metadata.get("section", title)
            add = _parameter(own, declared)
            found.append(section(title, add) if title else add)
    return found


def _parameter(own: Field[Any], declared: type) -> Callable[[Command], Command]:
    """Return what adds the option or the argument that a field is."""
    settings = {**_kind(own.type), **own.metadata}
    if own.default is not None:
        settings["default"] = own.default
    name, also = own.name.rstrip("_"), settings.pop("also", None)
    settings.pop("section", None)
    if "spellings" not in settings:
        settings.pop("multiple", None)  # `nargs` says it of arguments
        return click.argument(name, **settings)
    if not settings.keys() & {"is_flag", "multiple"}:
        settings.setdefault("default", None)  # also of --this/--not-this, which is neither until it is said
    shown = settings.setdefault("show_default", own.default is not None)
    settings["show_default"] = shown(declared) if callable(shown) else shown
    add = click.option(*settings.pop("spellings") or ("--" + name.replace("_", "-"),), name, **settings)
    return (lambda command: add(also(command))) if also else add


def _kind(annotation: Any) -> Mapping[str, Any]:  # noqa: ANN401  a type
    """Return what click is to be told about a field of that type."""
    named = [each for each in get_args(annotation) if each not in (NoneType, Ellipsis)] or [annotation]
    own = {"type": named[0]} if named[0] in (bool, float, int, str) else {}
    if annotation is bool:
        return {"is_flag": True}
    return {"multiple": True, **own} if get_origin(annotation) is tuple else own


def given() -> set[str]:
    """Return the names of the options that stand on the command line or in the file of --config."""
    context = click.get_current_context()
    source, said = context.get_parameter_source, (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    return {name for name in context.params if source(name) in said}


def refuse(names: Iterable[str], why: str) -> None:
    """Raise UsageError if one of the options is given."""
    for name in sorted(given() & {*names}):
        raise click.UsageError(f"{spelled(name, '--' + name.replace('_', '-'))}: {why}")


class Seed(IntParamType):
    """A whole number that numpy takes for a seed and that a message can say."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401  as in click
        """Return the number; fail for any but 0 to LARGEST_SEED."""
        # Of a number only whether it fits matters here: one of thousands of digits cannot even be written.
        text = value if isinstance(value, str) else str(max(-1, min(value, LARGEST_SEED + 1)))
        try:
            return natural(text, LARGEST_SEED)
        except ValueError as error:
            self.fail(str(error), param, ctx)


# Fields that several commands have.


def a_seed(text: str = "Seed of all randomness.", **settings: Any) -> Any:  # noqa: ANN401  an int
    """Return the field of --seed."""
    return option(text, default=0, type=Seed(), **settings)


def a_size(whose: str = "", **settings: Any) -> Any:  # noqa: ANN401  an int, None until it is known whose board it is
    """Return the field of --size; without it the board is theirs who are named, if there are any."""
    text = "Length of a side: even, 4 to 16."
    if whose:
        return option(f"{text}  [default: {whose}, or {DEFAULT_SIZE}]", **settings)
    return option(text, default=DEFAULT_SIZE, **settings)


def as_json_flag(what: str = "the result") -> Any:  # noqa: ANN401  a bool
    """Return the field of --json."""
    return option(f"Print {what} as JSON, for programs.", "--json")


def a_runs_dir(text: str = "Where run folders are.", section: str = "") -> Any:  # noqa: ANN401  a Path
    """Return the field of --runs-dir, and add --yes: a run may name programs."""
    return option(text, default=Path("runs"), type=FOLDER, also=yes_option, section=section)


def warn_if_open(context: click.Context, parameter: click.Parameter, host: str) -> str:
    """Warn on the terminal about an address that other machines can reach; a callback of --host."""
    if host != "localhost" and not host.startswith("127."):
        click.echo(
            f"Warning: --host {host} lets in whoever can reach this machine over the network, "
            f"and nobody is asked who they are; {DEFAULT_HOST} keeps it to this machine",
            err=True,
        )
    return host


def a_host(
    text: str = "Address to listen on; 0.0.0.0 lets other machines in, whoever they are.",
    listens: bool = True,
    **settings: Any,  # noqa: ANN401  click's
) -> Any:  # noqa: ANN401  a str
    """Return the field of --host, which RLGLUE_HOST also says; `listens`: others may come in there."""
    own = {"envvar": "RLGLUE_HOST", "show_envvar": True, "metavar": "HOST", "cls": FileFirst}
    return option(text, default=DEFAULT_HOST, callback=warn_if_open if listens else None, **own, **settings)


def a_port(
    text: str = "Port to listen on; 0 takes a free one and prints it.",
    lowest: int = 0,
    default: int = DEFAULT_PORT,
) -> Any:  # noqa: ANN401  an int
    """Return the field of --port, which RLGLUE_PORT also says; the help shows no default of 0."""
    own = {"envvar": "RLGLUE_PORT", "show_envvar": True, "show_default": bool(default), "cls": FileFirst}
    return option(text, default=default, type=click.IntRange(lowest, 65535), **own)


def a_connect_timeout() -> Any:  # noqa: ANN401  a float
    """Return the field of --connect-timeout."""
    text, own = "Seconds to wait for the others to start.", click.FloatRange(min=0)
    return option(text, default=CONNECT_TIMEOUT, type=own, metavar="SECONDS")


@options
class Client:
    """Where the server is that an agent or an environment serves."""

    host: str = a_host("Host of the server.", listens=False, section="Connection")
    port: int = a_port("Port of the server.", 1)
    connect_timeout: float = a_connect_timeout()
    stay: bool = option("When the server ends, wait for the next one.")

    @property
    def served(self) -> tuple[str, int, float, bool]:
        """The same, as `serve_agent` and `serve_environment` take it."""
        return self.host, self.port, self.connect_timeout, self.stay
