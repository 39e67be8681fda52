"""The widgets around the board: the panel, its list of moves, and the entry line."""

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from othello_lab.console import wording
from othello_lab.console.controller import Controller, Side
from othello_lab.console.entry import LEGEND
from othello_lab.console.screen.board_view import Arrangement, style
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, MARK, ROUND
from othello_lab.game.openings import opening_name

_HOW = "arrow keys and Enter, a click, or type a square such as d3"
_HOW_BRIEFLY = "arrows, or type d3"
_TIE = "\N{NO-BREAK SPACE}"
_LEGEND = Text.assemble(
    *((f"{_TIE}•{_TIE}", style(LEGAL, CLOTH, strong=True)), f"{_TIE}legal  "),
    *((f"{_TIE}●{_TIE}", style(MARK, BLACK, strong=True)), f"{_TIE}last{_TIE}move  "),
    *((f"{_TIE}•{_TIE}", style(MARK, BLACK, strong=True)), f"{_TIE}turned"),
)
"""The marks on squares that are higher than one line."""
_GAP = "  "
_TICK = 0.5
"""The time between two updates of the panel, in seconds."""
_LONGEST_ENTRY = 20_000
"""The largest number of characters of an entry. The record of any game is shorter."""


def _sides(control: Controller, is_short: bool) -> Text:
    lines = [_side(side, is_short) for side in control.sides()]
    if opening := opening_name(control.game):
        lines.append(_one_line(opening if is_short else f"  opening: {opening}"))
    return Text(_GAP if is_short else "\n").join(lines)


def _side(side: Side, is_short: bool) -> Text:
    thinks = " thinks" if side.is_thinking else ""
    head = f"{'>' if side.is_turn else ' '}{ROUND.disc(side.colour)} {side.discs:2}"
    text = f"{head}{thinks}" if is_short else f"{head}  {side.name}{thinks}"
    return _one_line(text, Style(bold=side.is_turn))


def _one_line(text: str, style: Style | str = "") -> Text:
    return Text(text, style, overflow="ellipsis", no_wrap=True)


class MoveList(OptionList):
    """The list of all moves and their losses. The shown position is highlighted."""

    DEFAULT_CSS = """
    MoveList {
        height: 1fr; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, control: Controller) -> None:
        super().__init__(compact=True)
        self._control = control
        self._listed = list[str]()

    def show(self) -> None:
        """List the moves of the game."""
        ply = self._control.sitting.ply
        moves = (f"{ROUND.disc(move.colour)} {move.name:4} {move.loss}" for move in self._control.moves())
        numbered = enumerate(("start", *moves))
        lines = [f"{'>' if number == ply else ' '}{number:3} {move}".rstrip() for number, move in numbered]
        if lines != self._listed:
            self._listed = lines
            self.set_options(Option(Text(line)) for line in lines)
        self.highlighted = ply
        self.on_resize()

    def on_resize(self) -> None:
        """Scroll to the highlighted move."""
        self.call_after_refresh(self.scroll_to_highlight)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show the position of the chosen move."""
        self._control.go_to(event.option_index)


class Panel(Vertical):
    """The panel with the sides, messages, hints, moves and legend, and the result after the game."""

    DEFAULT_CSS = """
    Panel {
        width: 1fr; max-width: 60; padding: 0 1 0 2;
        & #notice { margin: 1 0; }
        & #hint { margin-bottom: 1; }
        & #legend { margin-top: 1; }
        &.-below { width: 100%; max-width: 100%; height: 1fr; padding: 0; }
        &.-below #notice { margin: 0; }
        &.-below #legend { display: none; }
    }
    """

    def __init__(self, control: Controller) -> None:
        super().__init__()
        self._control = control

    def compose(self) -> ComposeResult:
        """Place the parts in a column. The least important part is at the bottom."""
        for name in ("sides", "notice", "hint"):
            yield Static(id=name, markup=False)
        yield MoveList(self._control)
        yield Static(id="legend", markup=False)

    def on_mount(self) -> None:
        """Start the updates."""
        self.set_interval(_TICK, self.tick)

    def show(self, arrangement: Arrangement) -> None:
        """Redraw the whole panel."""
        self.set_class(not arrangement.is_beside, "-below")
        self.styles.height = arrangement.grid.rows if arrangement.is_beside else "1fr"
        self._write("legend", _LEGEND if arrangement.grid.height > 1 else LEGEND)
        self.query_one(MoveList).show()
        self._fit()
        self.tick()

    def on_resize(self) -> None:
        """Wrap the lines again when the new layout is known."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        width = self.content_size.width or wording.WIDTH
        self._write("hint", "\n".join(self._control.hint_lines(width)))

    def _write(self, name: str, text: Text | str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def tick(self) -> None:
        """Redraw the parts that change with time, such as the progress of a review."""
        is_below, control = self.has_class("-below"), self._control
        self._write("sides", _sides(control, is_below))
        lines = [control.notice(_HOW_BRIEFLY if is_below else _HOW)]
        if control.sitting.turn is None:
            lines += [*control.ended(), wording.NEXT]
        self._write("notice", notice := "\n".join(filter(None, lines)))
        self.query_one("#notice").display = bool(notice)


class EntryLine(Input):
    """A line that appears while a person types a square, a command or a transcript."""

    DEFAULT_CSS = "EntryLine { display: none; } EntryLine.-open { display: block; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.close_entry", show=False)]

    def __init__(self) -> None:
        super().__init__(
            compact=True, max_length=_LONGEST_ENTRY, select_on_focus=False, placeholder="d3, undo, help ..."
        )

    @property
    def is_open(self) -> bool:
        """Whether the line is visible."""
        return self.has_class("-open")

    def open(self, text: str) -> None:
        """Show the line, append a text and take the focus."""
        self.add_class("-open")
        self.value += text
        self.cursor_position = len(self.value)
        self.focus()

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)

    def close(self) -> str:
        """Hide the line, clear it, and return its text."""
        text, self.value = self.value, ""
        self.remove_class("-open")
        return text
