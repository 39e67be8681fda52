"""The list of the moves, each of which can be chosen to look at the position after it."""

from collections.abc import Mapping

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from console.reviewing import lost_text, turned_text
from console.sitting import Sitting
from game.drawing import Symbols
from game.notation import square_name
from game.review import Reviewed


class MoveList(OptionList):
    """The moves of the line; the highlighted one is the last that is made."""

    DEFAULT_CSS = """
    MoveList {
        height: 1fr; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(compact=True)
        self._symbols = symbols
        self._listed: tuple[str, ...] = ()

    def show(self, sitting: Sitting, reviewed: Mapping[int, Reviewed]) -> None:
        """List the moves of a game, the one that is looked at highlighted, with what was lost."""
        lines = _lines(sitting, self._symbols, reviewed)
        if lines != self._listed:
            self._listed = lines
            self.set_options(Option(Text(line)) for line in lines)
        self.highlighted = sitting.ply
        self.on_resize()

    def on_resize(self) -> None:
        """Have the move that is looked at in sight."""
        self.call_after_refresh(self.scroll_to_highlight)


def _lines(sitting: Sitting, symbols: Symbols, reviewed: Mapping[int, Reviewed]) -> tuple[str, ...]:
    """Return the start, then each move with its number and who made it; the one looked at is marked."""
    game = sitting.record().game
    moves = (
        f"{symbols.disc(board.turn)} {square_name(move, game.size):4}{_lost(reviewed.get(ply))}"
        for ply, (move, board) in enumerate(zip(game.moves, game.boards, strict=False))
    )
    numbered = enumerate(("start", *moves))
    return tuple(f"{'>' if ply == sitting.ply else ' '}{ply:3} {line}".rstrip() for ply, line in numbered)


def _lost(found: Reviewed | None) -> str:
    if found is None or not found.is_mistake:
        return ""
    return f" -{lost_text(found)} {turned_text(found)}"
