"""The board with all that stands around it: lays it out, draws it anew, and takes what is typed."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from othello_lab.console.advice import with_values
from othello_lab.console.controller import Controller
from othello_lab.console.screen.board_view import Arrangement, BoardView, arrange, least, smallest
from othello_lab.console.screen.moves import MoveList
from othello_lab.console.screen.panel import Panel
from othello_lab.console.screen.squares import Palette
from othello_lab.game.drawing import Look, Marks, Symbols, looks_of

_LONGEST = 2000
"""Characters, enough for the transcript of any game."""


class EntryLine(Input):
    """A line that is there while something is typed: a square, a word such as `undo`, a transcript."""

    DEFAULT_CSS = "EntryLine { display: none; } EntryLine.-open { display: block; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "screen.close_entry", show=False)]

    def __init__(self) -> None:
        super().__init__(
            compact=True, max_length=_LONGEST, select_on_focus=False, placeholder="d3, undo, help ..."
        )

    @property
    def is_open(self) -> bool:
        """Whether it is there."""
        return self.has_class("-open")

    def open(self, text: str) -> None:
        """Show it and type something there; keys that come before it has the focus go in too."""
        self.add_class("-open")
        self.value += text
        self.cursor_position = len(self.value)
        self.focus()

    def close(self) -> str:
        """Hide it, and return what was typed."""
        text, self.value = self.value, ""
        self.remove_class("-open")
        return text


_GAP = "  "


class KeyLine(Static):
    """The screen's keys in the order in which they are bound: as many as there is room for, none cut off.

    A click does what the key does.
    """

    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; background: $footer-background; color: $footer-foreground;
        link-style: none; link-color: $footer-foreground; link-background: $footer-background;
    }
    """

    def on_resize(self) -> None:
        """Show as many as fit now."""
        shown, room = list[Content](), self.size.width
        for binding in self.screen.BINDINGS:
            if not isinstance(binding, Binding) or not binding.show:
                continue
            room -= len(f"{binding.key_display} {binding.description}")
            if room < 0:
                break
            room -= len(_GAP)
            shown.append(_key(binding))
        self.update(Content(_GAP).join(shown))


def _key(binding: Binding) -> Content:
    action = binding.action if "." in binding.action else f"screen.{binding.action}"
    click = Style.from_meta({"@click": action})
    return Content.assemble(
        (f"{binding.key_display}", Style(bold=True) + click), (f" {binding.description}", click)
    )


_TICK = 0.5
"""Seconds between two drawings of the clocks."""


class GameScreen(Screen[None]):
    """A game that is played."""

    DEFAULT_CSS = """
    GameScreen {
        layout: vertical;
        & #table { height: 1fr; layout: horizontal; align: center middle; }
        & #place { width: auto; height: auto; }
        & #too-small { display: none; height: 1fr; content-align: center middle; }
        &.-below #table { layout: vertical; }
        &.-below #place { width: 100%; align: center top; }
        &.-too-small #table { display: none; }
        &.-too-small #too-small { display: block; }
    }
    """
    # In the order of need: a line that is short of room leaves out the last ones.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "app.obey('help')", "Help", key_display="F1"),
        Binding("f10,ctrl+q", "app.obey('quit')", "Quit", key_display="F10"),
        Binding("f3", "app.obey('hint')", "Hint", key_display="F3"),
        Binding("ctrl+z,backspace", "app.obey('undo')", "Undo", key_display="^Z"),
        Binding("f2", "app.new", "New", key_display="F2"),
        Binding("f6", "app.obey('review')", "Review", key_display="F6"),
        Binding("f4", "values", "Values", key_display="F4"),
        Binding("f7", "app.obey('save')", "Save", key_display="F7"),
        Binding("f9", "app.obey('resign')", "Resign", key_display="F9"),
        Binding("ctrl+y", "app.obey('redo')", "Redo", key_display="^Y"),
        Binding("f8", "app.obey('load')", "Load", key_display="F8"),
        Binding("f5", "app.obey('setup')", "Set up", key_display="F5"),
        Binding("ctrl+d", "app.end_input", show=False),
        Binding("pageup", "step(-1)", show=False),
        Binding("pagedown", "step(1)", show=False),
        Binding("home", "step(-1000)", show=False),
        Binding("end", "step(1000)", show=False),
        Binding("ctrl+g", "app.obey('go')", show=False),
    ]

    def __init__(self, control: Controller, palette: Palette, symbols: Symbols) -> None:
        super().__init__()
        self._control, self.palette, self.symbols = control, palette, symbols

    def compose(self) -> ComposeResult:
        """Lay board and panel side by side; where there is no room the panel goes below."""
        with Container(id="table"):
            with Container(id="place"):
                yield BoardView(self._looks(), smallest(self._control.game.size), self.palette, self.symbols)
            yield Panel(self._control, self.palette, self.symbols)
        yield Static(id="too-small", markup=False)
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(BoardView).focus()
        self.set_interval(_TICK, self.query_one(Panel).tick)
        self._control.go_on()

    def _looks(self) -> list[Look]:
        """Return what the squares show: the game, and on its legal squares what they are worth."""
        sitting, advice = self._control.sitting, self._control.hints.shown
        is_shown = sitting.person_to_move or sitting.can_redo or advice is not None
        looks = looks_of(sitting.game.board, Marks.of(sitting.game, is_shown))
        return with_values(looks, advice) if advice else looks

    def on_resize(self) -> None:
        """Lay it out for another size of the terminal."""
        self.draw()

    @property
    def _arrangement(self) -> Arrangement | None:
        is_over = self._control.sitting.turn is None
        return arrange(self._control.game.size, self.size.width, self.size.height, is_over)

    def draw(self) -> None:
        """Draw everything anew."""
        if not self.is_mounted:
            return None
        arrangement, size = self._arrangement, self._control.game.size
        self.set_class(arrangement is None, "-too-small")
        if arrangement is None:
            columns, rows = least(size)
            here = f"here are {self.size.width}x{self.size.height}"
            text = f"The board needs {columns}x{rows} characters;\n{here}."
            return self.query_one("#too-small", Static).update(text)
        self.set_class(not arrangement.beside, "-below")
        self.query_one(BoardView).show(self._looks(), arrangement.grid)
        self.query_one(Panel).show(arrangement)
        return None

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play a square."""
        self._control.choose(event.square)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Look at the position after a move of the list, or do what was chosen at the end of a game."""
        if isinstance(event.option_list, MoveList):
            self._control.go_to(event.option_index)
        else:
            await self.run_action(f"app.obey({event.option_id!r})")

    async def on_key(self, event: events.Key) -> None:
        """Have what is typed go into the entry line, also what comes before that has the focus."""
        line = self.query_one(EntryLine)
        if event.character and (event.character.isalnum() or (line.is_open and event.is_printable)):
            event.stop()
            line.open(event.character)
        elif event.key == "enter" and line.is_open and not line.has_focus:
            event.stop()
            await line.action_submit()

    def on_paste(self, event: events.Paste) -> None:
        """Have what is pasted go there too."""
        self.query_one(EntryLine).open(" ".join(event.text.split()))

    def on_input_submitted(self) -> None:
        """Do what was typed."""
        self._control.enter(self.action_close_entry())

    def action_close_entry(self) -> str:
        """Return what was typed; the line is closed, and the board takes the keys again."""
        self.query_one(BoardView).focus()
        return self.query_one(EntryLine).close()

    def action_values(self) -> None:
        """Show what moves are worth in every position, or no longer."""
        self._control.hints.toggle_values()

    def action_step(self, decisions: int) -> None:
        """Look at the position this many decisions before or after, as far as there are any."""
        self._control.step(decisions)
