"""A run's game, and the board in play, as text on a terminal."""

from rich.text import Text

from experiment.show.boards import Shown
from game import Colour
from game.drawing import ROUND, Cell, Look, Marks, Piece, Symbols, draw, looks_of
from game.notation import square_name
from game.observation import Planes, decode
from game.players.values import value_text
from rlglue.types import Observation

_STYLES = {Cell.BLACK: "not dim bold", Cell.WHITE: "not dim bold"}
"""The agent's discs are drawn as black ones, the opponent's as white ones, whoever has which."""
_NUMBERS = 3
"""Columns of the row numbers."""
_LEAST = 30
"""Columns that names and values have on a small board."""
_SQUARE = 3
"""Columns of a square: its disc between brackets where it was the last move."""


def drawing(observation: Observation) -> Text:
    """Return the board as text: ● the agent's discs, ○ the opponent's, + where the agent may move."""
    try:
        planes = decode(observation.intArray)
    except ValueError:
        return Text("this environment's observations are no Othello board", style="dim")
    lines = draw([Look(_cell(planes, square)) for square in range(planes.size**2)], ROUND)
    rows = [Text.assemble(*map(styled, line), style="dim") for line in lines]
    own, opponent = int(planes.own.sum()), int(planes.opponent.sum())
    rows.append(
        Text.assemble("   ", ("●", "bold"), f" agent {own}   ", ("○", "bold"), f" opponent {opponent}")
    )
    return Text("\n").join(rows)


def styled(piece: Piece) -> tuple[str, str]:
    """Return a piece of a drawing and its style."""
    return piece.text, _STYLES.get(piece.cell, "") if piece.cell else ""


def _cell(planes: Planes, square: int) -> Cell:
    if planes.own[square]:
        return Cell.BLACK
    if planes.opponent[square]:
        return Cell.WHITE
    return Cell.LEGAL if planes.legal[square] else Cell.EMPTY


def width_of(shown: Shown) -> int:
    """Return how many columns the drawing takes."""
    return max(_LEAST, _NUMBERS + _SQUARE * shown.board.size)


def board_text(shown: Shown, symbols: Symbols) -> list[Text]:
    """Return the position as lines: the board, who plays, whose turn it is, what its moves are worth."""
    board, width = shown.board, width_of(shown)
    lines = draw(looks_of(board, Marks(shown.marks.last, legal=True)), symbols, marks=True)
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
    values, size = shown.marks.values, shown.board.size
    ranked = sorted(values, key=lambda square: -values[square])
    told = [f"{square_name(square, size)} {value_text(values[square])}" for square in ranked]
    while len("  ".join(told)) > width:
        told.pop()
    return "  ".join(told)
