"""The argument POSITION: cells, a transcript or `standard`, in as many words as it was typed."""

from typing import TYPE_CHECKING, Any, Final

import click

from othello.ending import blaming

if TYPE_CHECKING:
    from game import Game

# A position may begin with the dashes of empty squares, which are no options.
POSITION_SETTINGS: Final[dict[str, Any]] = {"ignore_unknown_options": True}
_CELLS = set("-._*xXoObBwW; ")


def position_of(words: tuple[str, ...], size: int) -> "Game":
    """Return the game so far that words say; raise click.UsageError for wrong ones.

    Of a position, the game that begins there.
    """
    from game.board import check_size
    from game.start import parse_start

    for word in words:
        if word.startswith("-") and set(word) - _CELLS:
            raise click.NoSuchOption(word)
    with blaming("--size"):
        check_size(size)
    with blaming("POSITION"):
        return parse_start(" ".join(words), size)
