"""Commands and groups of them: how they read what is typed and explain themselves."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_SECTION: Final = "section"
"""The attribute of an option that holds the title it is listed under."""
_OTHERS: Final = "Options"
_MORE: Final = "More"

Sections = Mapping[str, Mapping[str, str]]
"""Titles, and under each the names of commands with a line about them."""


def dashed(word: str) -> str:
    """Return an option's or a command's name as we spell it: dashes and underscores are alike."""
    return word.replace("_", "-")


SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "token_normalize_func": dashed}
"""What click is to do everywhere. A group hands it on to its commands."""


def section(title: str, *options: Callable[[F], F]) -> Callable[[F], F]:
    """Return what adds options to a command, in this order, for its help to list them under a title."""

    def add(command: F) -> F:
        others = len(getattr(command, "__click_params__", []))
        for option in reversed(options):
            command = option(command)
        for parameter in getattr(command, "__click_params__", [])[others:]:
            setattr(parameter, _SECTION, title)
        return command

    return add


class Command(click.Command):
    """A command with its options in sections; those that are in none come last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in the order of their first options."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                rows.setdefault(getattr(parameter, _SECTION, _OTHERS), []).append(record)
        rows[_OTHERS] = rows.pop(_OTHERS)  # there is always --help
        for title, records in rows.items():
            with formatter.section(title):
                formatter.write_dl(records)


class Group(click.Group):
    """A group that prints its help when it is called with nothing: that is no error."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; without any print the help and end with exit code 0."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; raise NoSuchCommand, which names those that look like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            names = self.list_commands(ctx)
            word = error.command_name
            near = click.exceptions.NoSuchCommand(word, possibilities=names, ctx=ctx)
            if not near.possibilities:
                said = f"No such command {word!r}. --help lists the commands."
                near = click.exceptions.NoSuchCommand(word, said, ctx=ctx)
            raise near from None


class LazyGroup(Group):
    """A group whose commands are files of a package: each is imported when it is asked for.

    The file of a command is named like it and calls it `command`.
    """

    def __init__(self, package: str, sections: Sections, **settings: Any) -> None:  # noqa: ANN401  click's
        """Take the package and its commands in sections; the rest is click's.

        Commands may also be added as usual: those that are in no section come last.
        """
        super().__init__(**settings)
        self.package = package
        self.sections = sections

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        listed = [name for commands in self.sections.values() for name in commands]
        return [*listed, *(name for name in self.commands if name not in listed)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for a name that does not exist."""
        if cmd_name in self.commands or cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        command = import_module(f"{self.package}.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101  a wrong entry in the table is our own mistake
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each section, without importing them."""
        names = self.list_commands(ctx)
        rest = [name for name in names if not any(name in commands for commands in self.sections.values())]
        added = {name: self.commands[name].short_help or self.commands[name].help or "" for name in rest}
        longest = max(map(len, names))
        for title, commands in {**self.sections, _MORE: added}.items():
            if commands:
                with formatter.section(title):
                    formatter.write_dl([(f"{name:{longest}}", line) for name, line in commands.items()])
