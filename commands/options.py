"""Options of a command as one declared object, listed in sections by its help.

The fields of a class under `options` are the options of a command: a field gives the name, the type and, by
`option`, `whole_number` or `argument`, the rest. `takes` makes a function the command that has them: it is
called with one such object.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import wraps
from math import isfinite
from types import NoneType
from typing import Any, Final, TypeVar, dataclass_transform, get_args, get_origin

import click
from click.core import ParameterSource

from othello_lab.commands.config_file import allow_programs_option, key_in_file, only_typed_programs, spelled
from othello_lab.commands.errors import expected_errors

T = TypeVar("T")

MOST: Final = 25
"""Options that a help lists; a command with more has its rare ones in one line."""
_READS_FILES: Final = {"config", "runs_dir"}
"""Options whose files may name programs: commands that have one have --allow-programs too."""


def option(text: str, *spellings: str, default: Any = None, **settings: Any) -> Any:
    """Return a field that is an option with this help; `settings` are click's, `section` and `rare`.

    By default it is spelled like the field and has the field's type: a `bool` is a flag, a tuple may be given
    several times. A default is listed unless `show_default` is False or another text. `section` is the title
    above it and the options behind it.
    """
    return field(default=default, metadata={"help": text, "spellings": spellings, **settings})


def whole_number(
    text: str, *spellings: str, lowest: int = 0, highest: int | None = None, **settings: Any
) -> Any:
    """Return a field that is an option of a whole number within limits."""
    return option(text, *spellings, type=click.IntRange(lowest, highest), **settings)


def argument(default: Any = None, **settings: Any) -> Any:
    """Return a field that is an argument; `settings` are click's."""
    return field(default=default, metadata=settings)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option, whole_number, argument)
)
def options(of: type[T]) -> type[T]:
    """Make a class one of options: those of its bases, the last base first, then its own."""
    return dataclass(frozen=True, kw_only=True)(of)


def takes(
    of: type[T], one_thread: bool = False, cls: "type[Command] | None" = None
) -> Callable[[Callable[[T], None]], click.Command]:
    """Return a decorator that makes a function a command with the options of a class.

    `one_thread` limits torch to one thread; `cls` is the class of the command, by default `Command`.
    """
    more = [allow_programs_option()] * any(hasattr(of, name) for name in _READS_FILES)

    def decorate(work: Callable[[T], None]) -> click.Command:
        @wraps(work)
        def called(**values: Any) -> None:
            if one_thread:
                from othello_lab.game.threads import use_threads

                use_threads(1)
            work(of(**values))

        return click.command(cls=cls or Command, params=[*_parameters(of, len(more)), *more])(called)

    return decorate


def _parameters(of: Any, more: int) -> Iterator[click.Parameter]:
    """Yield the options and arguments that the fields of a class are."""
    is_long, title = len(fields(of)) + more > MOST, ""
    for own in fields(of):
        settings = {**_kind(own.type), **own.metadata}
        if own.default is not None:
            settings["default"] = own.default
        title = settings.pop("section", title)
        rare = settings.pop("rare", False)
        if "spellings" not in settings:
            settings.pop("multiple", None)  # an argument has `nargs`
            yield settings.pop("cls", Argument)([own.name], **settings)
            continue
        settings.setdefault("show_default", own.default is not None)
        spellings = settings.pop("spellings") or (f"--{dashed(own.name)}",)
        yield Option([*spellings, own.name], section=title, hidden=rare and is_long, **settings)


def _kind(annotation: Any) -> Mapping[str, Any]:
    """Return click's settings for a field of that type."""
    named = [kind for kind in get_args(annotation) if kind not in (NoneType, Ellipsis)] or [annotation]
    own = {"type": named[0]} if named[0] in (bool, float, int, str) else {}
    if annotation is bool:
        return {"is_flag": True}
    return {"multiple": True, **own} if get_origin(annotation) is tuple else own


@contextmanager
def parsed(command: click.Command, of: type[T], words: Sequence[str], **values: object) -> Iterator[T]:
    """Parse words and values, None as a default, as a command line; raise ValueError for wrong ones."""
    words = [*words, *(f"--{dashed(name)}={value}" for name, value in values.items() if value is not None)]
    try:
        with command.make_context(command.name, words) as context:
            yield of(**context.params)
    except click.UsageError as error:
        raise ValueError(error.format_message()) from None


def values_of(options: object, of: Any) -> dict[str, Any]:
    """Return the values that an object of options has for the fields of another dataclass."""
    return {own.name: getattr(options, own.name) for own in fields(of) if hasattr(options, own.name)}


def given() -> set[str]:
    """Return the names of the options on the command line or in the file of --config."""
    context = click.get_current_context()
    sources = ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP
    return {name for name in context.params if context.get_parameter_source(name) in sources}


def refuse(names: Iterable[str], why: str) -> None:
    """Raise UsageError if one of the options is given."""
    for name in sorted(given() & {*names}):
        raise click.UsageError(f"{spelled(name)}: {why}")


def dashed(name: str) -> str:
    """Return the name of an option or a command with dashes: underscores are taken too."""
    return name.replace("_", "-")


SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "token_normalize_func": dashed}
"""Settings of all contexts. A group hands them on to its commands."""


class Number(click.FloatRange):
    """A finite number within limits."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fail for NaN and infinity too."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class Argument(click.Argument):
    """An argument; an error about its value names the file that the value comes from."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the key and the file, or click's own hint."""
        return key_in_file(ctx, self) or super().get_error_hint(ctx)


class Option(click.Option):
    """An option with the title above it; the file of --config wins over its environment variable."""

    def __init__(self, *spellings: Any, section: str, **settings: Any) -> None:
        """Take the title, "" for none; the rest is click's."""
        super().__init__(*spellings, **settings)
        self.section = section

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the key and the file that the value comes from, or click's own hint."""
        return key_in_file(ctx, self) or super().get_error_hint(ctx)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the variable's value, None if the file has one."""
        return None if self.name in (ctx.default_map or {}) else super().resolve_envvar_value(ctx)


class Command(click.Command):
    """A command with its options in sections; those without a title come last."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: expected errors are one line, and only typed programs start."""
        with expected_errors(), only_typed_programs(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in the order of their first options, and the rare options in one line."""
        rows: dict[str, list[tuple[str, str]]] = {}
        listed = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        for parameter in listed:
            if record := parameter.get_help_record(ctx):
                rows.setdefault(getattr(parameter, "section", ""), []).append(record)
        last = rows.pop("")  # there is always --help
        for title, records in [*rows.items(), ("Options", last)]:
            with formatter.section(title):
                formatter.write_dl(records)
        if rare := [parameter.opts[0] for parameter in listed if parameter.hidden]:
            formatter.write_paragraph()
            formatter.write_text(f"Rarely needed, here or in the file of --config: {', '.join(rare)}.")
