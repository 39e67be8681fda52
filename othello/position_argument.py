"""Arguments that may be a position: cells, a transcript or `standard`, in as many words as it was typed."""

import re
from typing import TYPE_CHECKING, Any, Final

import click

from othello.checks import checked_size
from othello.ending import blaming
from othello.options import argument

if TYPE_CHECKING:
    from game import Game

_OPTION: Final = re.compile("--?[a-z]")


class _Words(click.Argument):
    """Words that may begin with the dashes of empty squares, which are no options."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:  # noqa: ANN401  click's own is private
        parser.ignore_unknown_options = True
        super().add_to_parser(parser, ctx)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401  as in click
        """Return the words; raise click.NoSuchOption for one that is an option after all."""
        words = super().type_cast_value(ctx, value)
        for word in words or ():
            _check(word)
        return words


def _check(word: str) -> None:
    if _OPTION.match(word):
        from game.notation import brief, is_cells

        if not is_cells(word):
            raise click.NoSuchOption(brief(word))


def a_position(metavar: str) -> Any:  # noqa: ANN401  a tuple of texts
    """Return the field of an argument of one or more words that may be a position, or anything else."""
    return argument(metavar=metavar, nargs=-1, required=True, cls=_Words)


def position_of(words: tuple[str, ...], size: int) -> "Game":
    """Return the game so far that words say; raise click.UsageError for wrong ones.

    Of a position, the game that begins there.
    """
    from game.game import parse_start

    checked_size(size)
    with blaming("POSITION"):
        return parse_start(" ".join(words), size)
