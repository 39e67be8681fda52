"""The game that is shown of a run, as text."""

from dataclasses import replace

from rich.text import Text

from experiment.show.board_in_play import styled
from experiment.show.live.contents import Shown
from game import Colour
from game.drawing import Look, Mark, Symbols, cells_of, draw
from game.notation import square_name
from game.players.values import value_text

_NUMBERS = 3
"""Columns of the row numbers."""
_LEAST = 30
"""Columns that names and values have on a small board."""
_SQUARE = 3
"""Columns of a square: its disc between brackets where it was the last move."""


def width_of(shown: Shown) -> int:
    """Return how many columns the drawing takes."""
    return max(_LEAST, _NUMBERS + _SQUARE * shown.board.size)


def board_text(shown: Shown, symbols: Symbols) -> list[Text]:
    """Return the position as lines: the board, who plays, whose turn it is, what its moves are worth."""
    board, width = shown.board, width_of(shown)
    looks = [Look(cell) for cell in cells_of(board)]
    if shown.last is not None:
        looks[shown.last] = replace(looks[shown.last], mark=Mark.LAST)
    lines = draw(looks, symbols, marks=True)
    rows = [Text.assemble(*map(styled, line), style="dim") for line in lines]
    sides = zip(Colour, board.counts(), (shown.black, shown.white), strict=True)
    rows += [Text(f"{symbols.disc(side)} {count:2} {name}") for side, count, name in sides]
    unit, _, _ = shown.unit.partition(":")
    rows += [Text(shown.says), Text(unit and f"{unit}:", style="dim"), Text(_best(shown, width))]
    for row in rows:
        row.truncate(width, overflow="ellipsis")
    return rows


def _best(shown: Shown, width: int) -> str:
    """The best moves and what they are worth, as many as have room."""
    ranked = sorted(shown.values, key=lambda square: -shown.values[square])
    told = [
        f"{square_name(square, shown.board.size)} {value_text(shown.values[square])}" for square in ranked
    ]
    while len("  ".join(told)) > width:
        told.pop()
    return "  ".join(told)
