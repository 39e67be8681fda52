from collections.abc import Callable

import click
from click.testing import CliRunner, Result


def caller(command: click.Command, *words: str) -> Callable[..., Result]:
    """Return a function that calls a command with these words and its own arguments, of any type."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(command, [*words, *map(str, arguments)], catch_exceptions=False)

    return call
