"""Options of a command as one declared object, listed in sections by its help.

The fields of a class under `options` are the options of a command: a field gives the name, the type and, by
`option` or `argument`, the rest. `takes` makes a function the command that has them: it is called with one
such object.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import wraps
from keyword import iskeyword
from math import isfinite
from types import NoneType
from typing import Any, Final, TypeVar, dataclass_transform, get_args, get_origin

import click
from click.core import ParameterSource

from othello_lab.commands.config_file import spelled
from othello_lab.commands.programs import one_command

T = TypeVar("T")

_OTHERS: Final = "Options"


def option(text: str, *spellings: str, default: Any = None, **settings: Any) -> Any:  # noqa: ANN401  a field of any type
    """Return a field that is an option with this help; `settings` are click's, and `section`.

    It is spelled like the field unless told otherwise. Its type is the field's unless there is another: a
    `bool` is a flag, a tuple may be given several times. A default is shown unless `show_default` says no;
    that may also be a text, or a function of the class that makes one. `section` is the title under which it
    and those behind it are listed; `also` makes an option that the command then has too, once and last.
    """
    return field(default=default, metadata={"help": text, "spellings": spellings, **settings})


def whole_number(
    text: str,
    *spellings: str,
    lowest: int = 0,
    highest: int | None = None,
    **settings: Any,  # noqa: ANN401  click's
) -> Any:  # noqa: ANN401  an int
    """Return a field that is an option of a whole number within limits."""
    return option(text, *spellings, type=click.IntRange(lowest, highest), **settings)


class Number(click.FloatRange):
    """A number within limits, which is neither infinite nor none."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See click."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


def argument(default: Any = None, **settings: Any) -> Any:  # noqa: ANN401  a field of any type
    """Return a field that is an argument; `settings` are click's."""
    return field(default=default, metadata=settings)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option, whole_number, argument)
)
def options(of: type[T]) -> type[T]:
    """Make a class one of options; behind those of its bases, in their order, it has its own.

    A field of a base that it has anew, such as with another help, stays in its place.
    """
    return dataclass(frozen=True, kw_only=True)(of)


def takes(
    of: type[T],
    one_thread: bool = False,
    cls: "type[Command] | None" = None,
) -> Callable[[Callable[[T], None]], click.Command]:
    """Return a decorator that makes a function a command with the options of a class.

    The function is called with one object of that class. `one_thread` limits torch to one thread, as
    `game.threads` says; `cls` is the class of the command, by default `Command`.
    """

    def decorate(work: Callable[[T], None]) -> click.Command:
        @wraps(work)
        def called(**values: Any) -> None:  # noqa: ANN401  each option has its type
            if one_thread:
                from othello_lab.game.threads import use_threads

                use_threads(1)
            work(declared(of, values))

        return click.command(cls=cls or Command, params=_parameters(of))(called)

    return decorate


def declared(of: type[T], values: Mapping[str, Any]) -> T:
    """Return the object of a class of options with the values that click has read."""
    # A word of Python's own has a `_` behind it as a field.
    return of(**{name + "_" * iskeyword(name): value for name, value in values.items()})


@contextmanager
def parsed(command: click.Command, of: type[T], words: Sequence[str], **values: object) -> Iterator[T]:
    """Parse words and values, None as a default, as a command line; raise ValueError for what is refused."""
    options = {dashed(name): value for name, value in values.items() if value is not None}
    words = [*words, *(f"--{name}={value}" for name, value in options.items())]
    try:
        with command.make_context(command.name, words) as context:
            yield declared(of, context.params)
    except click.UsageError as error:
        raise ValueError(error.format_message()) from None


def values_of(said: object, of: type) -> dict[str, Any]:
    """Return the values that an object of options has for the fields of another dataclass."""
    return {each.name: getattr(said, each.name) for each in fields(of) if hasattr(said, each.name)}


def _parameters(of: type) -> list[click.Parameter]:
    """Return the options and arguments that the fields of a class are, and those that some of them bring."""
    latest, title, found = {each.name: each for each in fields(of)}, "", []
    for name in _names(of):
        title = latest[name].metadata.get("section", title)
        found.append(_parameter(latest[name], of, title))
    brought = (each.metadata["also"] for each in latest.values() if "also" in each.metadata)
    return [*found, *(make() for make in dict.fromkeys(brought))]


def _names(of: type) -> dict[str, None]:
    """Return the names of a class's fields, the bases first; one that it has anew stays in its place."""
    inherited = {name: None for base in of.__bases__ if is_dataclass(base) for name in _names(base)}
    return inherited | dict.fromkeys(each.name for each in fields(of))


def _parameter(own: Field[Any], declared: type, title: str) -> click.Parameter:
    """Return the option or the argument that a field is."""
    settings = {**_kind(own.type), **own.metadata}
    if own.default is not None:
        settings["default"] = own.default
    name = own.name.rstrip("_")
    if "spellings" not in settings:
        settings.pop("multiple", None)  # `nargs` says it of arguments
        kind: type[click.Argument] = settings.pop("cls", click.Argument)
        return kind([name], **settings)
    for ours in ("also", "section"):
        settings.pop(ours, None)
    shown = settings.setdefault("show_default", own.default is not None)
    settings["show_default"] = shown(declared) if callable(shown) else shown
    spellings = settings.pop("spellings") or ("--" + name.replace("_", "-"),)
    return Option([*spellings, name], section=title, **settings)


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
        raise click.UsageError(f"{spelled(name)}: {why}")


def dashed(word: str) -> str:
    """Return an option's or a command's name as we spell it: dashes and underscores are alike."""
    return word.replace("_", "-")


SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "token_normalize_func": dashed}
"""What click is to do everywhere. A group hands it on to its commands."""


class Option(click.Option):
    """An option with the title that it is listed under; a file counts more than its environment variable."""

    def __init__(self, *spellings: Any, section: str, **settings: Any) -> None:  # noqa: ANN401  click's
        """Take the title, "" for none; the rest is click's."""
        super().__init__(*spellings, **settings)
        self.section = section

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the variable's value, None if the file has one."""
        return None if self.name in (ctx.default_map or {}) else super().resolve_envvar_value(ctx)


class Command(click.Command):
    """A command with its options in sections; those that are in none come last."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  as in click
        """Run the command, which starts no programs but those that were typed."""
        with one_command(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in the order of their first options."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                rows.setdefault(getattr(parameter, "section", "") or _OTHERS, []).append(record)
        rows[_OTHERS] = rows.pop(_OTHERS)  # there is always --help
        for title, records in rows.items():
            with formatter.section(title):
                formatter.write_dl(records)
