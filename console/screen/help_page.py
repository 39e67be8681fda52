"""The page of all keys and words."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from console.entry import Command

_PARTS: dict[str, Sequence[tuple[str, Command | str]]] = {
    "Play": (
        ("arrows, Enter", "place a disc; or click the square"),
        ("d3 or 2,3", "the same, typed: column letter and row number, or row,col counted from 0"),
        ("Ctrl+Z", Command.UNDO),
        ("Ctrl+Y", Command.REDO),
        ("F9", Command.RESIGN),
        ("F10", Command.QUIT),
        ("Ctrl+C", "leave, and go on another day"),
    ),
    "Look": (
        ("F3", Command.HINT),
        ("F4", "the same in every position, from blue, the worst, to yellow, the best"),
        ("F6", Command.REVIEW),
        ("", Command.MOVES),
        ("PgUp, PgDn", "the position before, after"),
        ("Home, End", "the start, the last position"),
        ("", Command.GOTO),
        ("Ctrl+G", Command.GO),
        ("Tab", "to the list of moves, where Enter goes to one, and back"),
        ("", Command.BOARD),
    ),
    "Other games": (
        ("F2", "another board, other players, another adviser"),
        ("", Command.OPPONENT),
        ("", Command.NEW),
        ("", Command.SWAP),
        ("", Command.HARDER),
        ("", Command.EASIER),
        ("F7", Command.SAVE),
        ("F8", Command.LOAD),
        ("F1", Command.HELP),
    ),
}
"""Keys with what they do, which is a word to be typed, too, or has none."""


def help_page() -> RenderableType:
    """Return the page; it fits any width."""
    table = Table.grid(padding=(0, 2))
    table.add_row(*(Text(head, style="bold") for head in ("key", "or type", "Esc closes this page")))
    for title, lines in _PARTS.items():
        table.add_row()
        table.add_row(Text(title, style="bold"))
        for keys, what in lines:
            word, does = (what.usage, what.value[1]) if isinstance(what, Command) else ("", what)
            table.add_row(Text(keys), Text(word, no_wrap=True), Text(does))
    return table
