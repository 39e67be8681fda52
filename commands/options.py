"""The options of a command, declared as the fields of a class.

`options` decorates the class. `option`, `whole_number` or `argument` declares a field. `takes` converts a
function of an options object to a command.

The command line overrides the file of --config, which overrides environment variables and defaults. A file
starts no program unless --allow-programs is given.
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
from click.types import StringParamType

from othello_lab.commands.errors import expected_errors
from othello_lab.game import program_trust
from othello_lab.game.registry import nested

T = TypeVar("T")

CONFIG_FILE: Final = "othello.config_file"  # The path of --config in a context's `meta`.
_ALLOWED: Final = "othello.allow_programs"  # The value of --allow-programs in a context's `meta`.

# Options that read program names from files. A command with one of them also has --allow-programs.
_READS_FILES: Final = {"config", "runs_dir"}


def option(text: str, *spellings: str, default: Any = None, **settings: Any) -> Any:
    """Return the field of an option with the help `text`.

    By default, the option has the field's name and type. A `bool` is a flag. A tuple is an option that may be
    repeated. `settings` are arguments of `click.Option`. `section` is the title above this and later options.
    """
    return field(default=default, metadata={"help": text, "spellings": spellings, **settings})


def whole_number(
    text: str, *spellings: str, lowest: int = 0, highest: int | None = None, **settings: Any
) -> Any:
    """Return the field of an integer option from `lowest` to `highest`."""
    return option(text, *spellings, type=click.IntRange(lowest, highest), **settings)


def argument(default: Any = None, **settings: Any) -> Any:
    """Return the field of an argument. `settings` are arguments of `click.Argument`."""
    return field(default=default, metadata=settings)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option, whole_number, argument)
)
def options(of: type[T]) -> type[T]:
    """Convert a class to a frozen dataclass of options. The options of the last base class come first."""
    return dataclass(frozen=True, kw_only=True)(of)


def takes(
    of: type[T], one_thread: bool = False, cls: "type[Command] | None" = None
) -> Callable[[Callable[[T], None]], click.Command]:
    """Return a decorator that converts a function to a command with the options of the class `of`."""
    more = [allow_programs_option()] * any(hasattr(of, name) for name in _READS_FILES)

    def decorate(work: Callable[[T], None]) -> click.Command:
        @wraps(work)
        def called(**values: Any) -> None:
            if one_thread:
                from rlglue.scripts import use_threads

                use_threads(1)
            work(of(**values))

        return click.command(cls=cls or Command, params=[*_parameters(of), *more])(called)

    return decorate


def _parameters(of: Any) -> Iterator[click.Parameter]:
    """Yield a click parameter for each field of a class."""
    title = ""
    for entry in fields(of):
        settings = {**_kind(entry.type), **entry.metadata}
        if entry.default is not None:
            settings["default"] = entry.default
        title = settings.pop("section", title)
        if "spellings" not in settings:
            settings.pop("multiple", None)  # arguments use `nargs` instead
            yield settings.pop("cls", click.Argument)([entry.name], **settings)
            continue
        settings.setdefault("show_default", entry.default is not None)
        spellings = settings.pop("spellings") or (f"--{dashed(entry.name)}",)
        yield Option([*spellings, entry.name], section=title, **settings)


def _kind(annotation: Any) -> Mapping[str, Any]:
    named = [kind for kind in get_args(annotation) if kind not in (NoneType, Ellipsis)] or [annotation]
    kind_of = {"type": named[0]} if named[0] in (bool, float, int, str) else {}
    if annotation is bool:
        return {"is_flag": True}
    return {"multiple": True, **kind_of} if get_origin(annotation) is tuple else kind_of


@contextmanager
def parsed(command: click.Command, of: type[T], args: Sequence[str], **values: object) -> Iterator[T]:
    """Parse `args` and `values`, and yield the options. A None value means the default. Raises ValueError."""
    args = [*args, *(f"--{dashed(name)}={value}" for name, value in values.items() if value is not None)]
    try:
        with command.make_context(command.name, args) as context:
            yield of(**context.params)
    except click.UsageError as error:
        raise ValueError(error.format_message()) from None


def values_of(options: object, of: Any) -> dict[str, Any]:
    """Return a dict of the options that are also fields of the dataclass `of`."""
    return {entry.name: getattr(options, entry.name) for entry in fields(of) if hasattr(options, entry.name)}


def explicit_options() -> set[str]:
    """Return the names of the options set on the command line or in the file of --config."""
    context = click.get_current_context()
    sources = ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP
    return {name for name in context.params if context.get_parameter_source(name) in sources}


def refuse(names: Iterable[str], why: str) -> None:
    """Raise BadParameter with the reason `why` if one of the options `names` is set."""
    for parameter in click.get_current_context().command.params:
        if parameter.name in explicit_options() & {*names}:
            raise click.BadParameter(why, param_hint=f"--{long_name(parameter)}")


def dashed(name: str) -> str:
    """Replace underscores with dashes. Names of options and commands accept both."""
    return name.replace("_", "-")


SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "token_normalize_func": dashed}


class Number(click.FloatRange):
    """The type of a finite number within limits."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse a number. Fails if the number is out of range, NaN or infinite."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class ProgramText(StringParamType):
    """The type of a text that may be a command line, or a module to import."""


def long_name(parameter: click.Parameter) -> str:
    """Return the long name of an option without the leading dashes, or the name of an argument."""
    longs = [spelling for spelling in parameter.opts if spelling.startswith("--")]
    return (longs[0] if longs else str(parameter.name)).removeprefix("--").replace("_", "-")


class Option(click.Option):
    """An option in a section of the help. The file of --config overrides environment variables."""

    def __init__(self, *spellings: Any, section: str, **settings: Any) -> None:
        """Create an option in a help section ("": none). `settings` are arguments of `click.Option`."""
        super().__init__(*spellings, **settings)
        self.section = section

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the environment variable's value, or None if the file of --config sets the option."""
        return None if self.name in (ctx.default_map or {}) else super().resolve_envvar_value(ctx)


class Command(click.Command):
    """A command whose help lists the options in sections. Options without a section come last."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Parse the arguments. An error about a value of --config names the file."""
        with naming_the_file():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Convert expected errors to click exceptions. Refuse programs that nobody typed."""
        with naming_the_file(), expected_errors(), only_typed_programs(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in the order of their first options."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
                rows.setdefault(getattr(parameter, "section", ""), []).append(record)
        last = rows.pop("")  # there is always --help
        for title, records in [*rows.items(), ("Options", last)]:
            with formatter.section(title):
                formatter.write_dl(records)


@contextmanager
def naming_the_file() -> Iterator[None]:
    """Name the key and file in an error about a value from the file of --config."""
    try:
        yield
    except click.BadParameter as error:
        context = error.ctx or click.get_current_context()
        hint = error.param_hint or (long_name(error.param) if error.param else "")
        for parameter in context.command.params:
            if parameter.name in (context.default_map or {}) and CONFIG_FILE in context.meta:
                name, source = long_name(parameter), context.get_parameter_source(str(parameter.name))
                if source is ParameterSource.DEFAULT_MAP and str(hint).lower().removeprefix("--") == name:
                    error.param_hint = f"{name} in {context.meta[CONFIG_FILE]}"
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
    """For a printed command, return ["--allow-programs"] if the option is given, else []."""
    return ["--allow-programs"] * click.get_current_context().meta.get(_ALLOWED, False)


@contextmanager
def only_typed_programs(context: click.Context) -> Iterator[None]:
    """Allow only programs from the command line in this context, unless --allow-programs is given."""
    with program_trust.command_line(context.meta.get(_ALLOWED, False)):
        if CONFIG_FILE in context.meta:
            program_trust.note(context.meta[CONFIG_FILE], context.default_map)
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
