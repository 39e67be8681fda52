"""The page of all keys and words."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from console.entry import Command

_KEYS = {
    "Play": {
        "arrows, Enter": "go to a square and place a disc there",
        "mouse": "click a square",
        "d3 Enter": "type a square, also as 2,3, or a word of those below",
        "F9": "resign",
    },
    "Look": {
        "F3": "what each legal move is worth, the best marked",
        "F4": "the same in every position; from blue, the worst, to yellow, the best",
        "F6": "what the moves of the game were worth, and what was lost",
        "PgUp PgDn": "the position before, after",
        "Home End": "the start, the last position",
        "Tab, arrows": "the list of moves; Enter or a click goes to one",
    },
    "Change": {
        "Ctrl+Z": "take back to your decision before",
        "Ctrl+Y": "make it again",
        "Ctrl+G": "play on from the position that is looked at",
        "F2": "a new game, other players, another adviser",
        "F7 F8": "save, load",
        "F10, Ctrl+C": "leave",
    },
}
_SIGNS = (
    "A large dot or [ ] marks the last move, a small one or ( ) the discs that it turned. "
    "A light dot or + is a legal move."
)


def help_page() -> RenderableType:
    """Return the page; it fits any width."""
    words = {"d3 or 2,3": "place a disc: column letter and row number, or row,col counted from 0"}
    words |= {command.usage: command.value[1] for command in Command}
    return Group(*(_part(*part) for part in {**_KEYS, "Words": words}.items()), Text(_SIGNS))


def _part(title: str, lines: dict[str, str]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for keys, text in lines.items():
        table.add_row(Text(f"  {keys}", no_wrap=True), Text(text))
    return Group(Text(title, style="bold"), table, Text())
