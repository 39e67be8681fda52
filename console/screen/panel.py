"""The widgets around the board: the panel and the entry line."""

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
from othello_lab.console.controller import Choice, Controller, Side
from othello_lab.console.entry import LEGEND
from othello_lab.console.screen.board_view import Arrangement, BoardView
from othello_lab.console.screen.squares import shade, style
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, MARK, ROUND
from othello_lab.game.openings import opening_name

_HOW = "arrow keys and Enter, a click, or type a square such as d3"
_HOW_BRIEFLY = "arrows, or type d3"
_SCALE = 12
"""The width of the colour scale, in characters."""
_TIE = "\N{NO-BREAK SPACE}"
_LEGEND = Text.assemble(
    *((f"{_TIE}•{_TIE}", style(LEGAL, CLOTH, strong=True)), f"{_TIE}legal  "),
    *((f"{_TIE}●{_TIE}", style(MARK, BLACK, strong=True)), f"{_TIE}last{_TIE}move  "),
    *((f"{_TIE}•{_TIE}", style(MARK, BLACK, strong=True)), f"{_TIE}turned"),
)
"""The marks on squares that are higher than one line."""
_GAP = "  "
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


def _hint(control: Controller, width: int) -> Text:
    lines = [Text(line) for line in control.hint_lines(width)]
    advice = None if control.hints.is_asked else control.hints.displayed
    if advice and advice.moves[0].text:
        worst, best = min(advice.moves, key=lambda move: move.shade), advice.moves[0]
        bar = ((" ", Style(bgcolor=shade(column / (_SCALE - 1)))) for column in range(_SCALE))
        if worst.shade < 1:
            lines.insert(0, Text.assemble(f"{worst.text} ", *bar, f" {best.text}"))
    return Text("\n").join(lines)


class Choices(OptionList, inherit_bindings=False):
    """The list of choices at the end of a game, without the keys that show other positions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", show=False),
        Binding("down", "cursor_down", show=False),
        Binding("enter,space", "select", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._choices: list[Choice] = []

    def show(self, choices: list[Choice]) -> None:
        """Replace the choices."""
        if choices != self._choices:
            self._choices = choices
            self.set_options(Option(choice.label, id=choice.command.keyword) for choice in choices)
            self.highlighted = 0 if choices else None


class MoveList(OptionList):
    """The list of all moves and their losses. The shown position is highlighted."""

    DEFAULT_CSS = """
    MoveList {
        height: 1fr; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
    }
    """

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._listed = list[str]()

    def show(self, control: Controller) -> None:
        """List the moves of a game."""
        ply = control.sitting.ply
        moves = (f"{ROUND.disc(move.colour)} {move.name:4} {move.loss}" for move in control.moves())
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


class Panel(Vertical):
    """The panel with the sides, messages, hints, moves and legend, and after the game the choices."""

    DEFAULT_CSS = """
    Panel {
        width: 1fr; max-width: 60; padding: 0 1 0 2;
        & #notice { margin: 1 0; }
        & #ended { margin-bottom: 1; }
        & Choices { height: auto; border: none; padding: 0; background: transparent; }
        & #hint { margin-bottom: 1; }
        & #legend { margin-top: 1; }
        & #ended, & Choices, &.-over #legend { display: none; }
        &.-over #ended, &.-over Choices { display: block; }
        &.-below { width: 100%; max-width: 100%; height: 1fr; padding: 0; }
        &.-below #notice, &.-below #ended { margin: 0; }
        &.-below #legend { display: none; }
    }
    """

    def __init__(self, control: Controller) -> None:
        super().__init__()
        self._control = control

    def compose(self) -> ComposeResult:
        """Place the parts in a column. The least important part is at the bottom."""
        for name in ("sides", "notice", "ended"):
            yield Static(id=name, markup=False)
        yield Choices()
        yield Static(id="hint", markup=False)
        yield MoveList()
        yield Static(id="legend", markup=False)

    def show(self, arrangement: Arrangement) -> None:
        """Redraw the whole panel."""
        self.set_class(not arrangement.is_beside, "-below")
        self.styles.height = arrangement.grid.rows if arrangement.is_beside else "1fr"
        self._write("legend", _LEGEND if arrangement.grid.height > 1 else LEGEND)
        self.query_one(MoveList).show(self._control)
        self._fit()
        self.tick()

    def on_resize(self) -> None:
        """Wrap the lines again when the new layout is known."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        width = self.content_size.width or wording.WIDTH
        self._write("hint", _hint(self._control, width))

    def _write(self, name: str, text: Text | str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def tick(self) -> None:
        """Redraw the parts that change with time, such as the progress of a review."""
        is_below = self.has_class("-below")
        self._write("sides", _sides(self._control, is_below))
        notice = self._control.notice(_HOW_BRIEFLY if is_below else _HOW)
        self._write("notice", notice)
        self.query_one("#notice").display = bool(notice)
        self._show_end()

    def _show_end(self) -> None:
        """Show or hide the result and the choices, which take the focus from the board."""
        choices, is_over = self.query_one(Choices), self._control.sitting.turn is None
        was_over, had_keys = self.has_class("-over"), self.screen.focused is choices
        self.set_class(is_over, "-over")
        choices.show(self._control.choices() if is_over else [])
        if is_over:
            self._write("ended", "\n".join(self._control.ended()))
        is_busy = bool(self.screen.query("EntryLine.-open")) or self.screen.focused is self.query_one(
            MoveList
        )
        if is_over and not was_over and not is_busy:
            choices.focus()
        elif had_keys and not is_over:
            self.screen.query_one(BoardView).focus()


class EntryLine(Input):
    """A line that appears while a person types a square, a command or a transcript."""

    DEFAULT_CSS = "EntryLine { display: none; } EntryLine.-open { display: block; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "screen.close_entry", show=False)]

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
