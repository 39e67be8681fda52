"""The full-screen program: the board, the panel, the entry line and the key bindings."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from othello_lab.console import wording
from othello_lab.console.advice import Advice
from othello_lab.console.controller import Controller, Side
from othello_lab.console.entry import COMMANDS, Command, Order
from othello_lab.console.screen.board_view import BoardView, arrange, least
from othello_lab.console.screen.dialogs import Help, NewGame, ReviewPage
from othello_lab.console.work import PACE, Work
from othello_lab.game.drawing import ROUND, Look, looks_of
from othello_lab.game.openings import opening_name
from rlglue.scripts import INTERRUPTED, TERMINATED

_HOW = "arrow keys and Enter, a click, or type a square such as d3"
_HOW_BRIEFLY = "arrows, or type d3"
_TICK = 0.5  # The refresh interval of the panel, in seconds.
_LONGEST_ENTRY = 20_000  # The maximum length of an entry in characters, longer than any game record.


def play(control: Controller) -> int:
    """Play in full screen until the person leaves, close the players, and return the exit code."""
    program = Program(control)
    try:
        return program.run() or 0
    finally:
        control.close()


def _sides(control: Controller, is_short: bool) -> Text:
    lines = [_side(side, is_short) for side in control.sides()]
    if opening := opening_name(control.game):
        lines.append(_one_line(opening if is_short else f"  opening: {opening}"))
    return Text("  " if is_short else "\n").join(lines)


def _side(side: Side, is_short: bool) -> Text:
    thinks = " thinks" if side.is_thinking else ""
    head = f"{'>' if side.is_turn else ' '}{ROUND.disc(side.colour)} {side.discs:2}"
    text = f"{head}{thinks}" if is_short else f"{head}  {side.name}{thinks}"
    return _one_line(text, Style(bold=side.is_turn))


def _one_line(text: str, style: Style | str = "") -> Text:
    return Text(text, style, overflow="ellipsis", no_wrap=True)


class MoveList(OptionList):
    """The list of all moves and their losses, with the shown position highlighted."""

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
        """Show the position after the chosen move."""
        self._control.go_to(event.option_index)


class Panel(Vertical):
    """The panel with the sides, messages, hints and moves, and the result after the game."""

    DEFAULT_CSS = """
    Panel {
        width: 1fr; max-width: 60; padding: 0 1 0 2;
        & #notice { margin: 1 0; }
        & #hint { margin-bottom: 1; }
        &.-below { width: 100%; max-width: 100%; height: 1fr; padding: 0; }
        &.-below #notice { margin: 0; }
    }
    """

    def __init__(self, control: Controller) -> None:
        super().__init__()
        self._control = control

    def compose(self) -> ComposeResult:
        """Compose the parts in a column, with the least important part at the bottom."""
        for name in ("sides", "notice", "hint"):
            yield Static(id=name, markup=False)
        yield MoveList(self._control)

    def on_mount(self) -> None:
        """Start the refresh timer."""
        self.set_interval(_TICK, self.tick)

    def show(self, height: int | None) -> None:
        """Redraw the whole panel: beside a board of `height` lines or, if None, below the board."""
        self.set_class(height is None, "-below")
        self.styles.height = "1fr" if height is None else height
        self.query_one(MoveList).show()
        self._write("hint", "\n".join(self._control.hint_lines()))
        self.tick()

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


def _key(keys: str, action: str, meaning: str, key_display: str = "") -> Binding:
    """Return a key binding that only the help lists, not the footer."""
    return Binding(keys, action, meaning, show=False, key_display=key_display)


class Program(App[int]):
    """The full-screen view of a game. The app returns the exit code of the command."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Othello"
    CSS = """
    #table { height: 1fr; layout: horizontal; align: center middle; }
    #place { width: auto; height: auto; }
    #table.-below { layout: vertical; }
    #table.-below #place { width: 100%; align: center top; }
    #too-small { height: 1fr; content-align: center middle; }
    """
    # The most important keys come first, because a narrow footer cuts off the last keys.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "obey('help')", "Help", key_display="F1"),
        Binding("f10", "obey('quit')", "Quit", key_display="F10"),
        Binding("f3", "obey('hint')", "Hint", key_display="F3"),
        Binding("ctrl+z,backspace", "obey('undo')", "Undo", key_display="^Z"),
        Binding("f2", "new", "New", key_display="F2", tooltip="another board, other players"),
        Binding("f6", "obey('review')", "Review", key_display="F6"),
        Binding("f4", "values", "Values", key_display="F4", tooltip="values in every position"),
        Binding("f7", "obey('save')", "Save", key_display="F7"),
        Binding("f9", "obey('resign')", "Resign", key_display="F9"),
        Binding("ctrl+y", "obey('redo')", "Redo", key_display="^Y"),
        Binding("f8", "obey('load')", "Load", key_display="F8"),
        _key("ctrl+g", "obey('go')", "", "^G"),
        _key("pageup", "step(-1)", "the position before", "PgUp"),
        _key("pagedown", "step(1)", "the position after", "PgDn"),
        _key("home", "step(-1000)", "the start", "Home"),
        _key("end", "step(1000)", "the last position", "End"),
        _key("ctrl+d", "exit(0)", "leave, and go on another day", "^D"),
        Binding("ctrl+c", f"exit({INTERRUPTED})", show=False, priority=True),
    ]

    def __init__(self, control: Controller, pace: float = PACE) -> None:
        """Create the program. `pace` is the minimum duration of a player's move, in seconds."""
        super().__init__()
        self.control = control
        control.connect(self, pace)
        self.board = BoardView(self._looks(), control.size)
        self.panel, self.line = Panel(control), EntryLine()
        self._table = Container(Container(self.board, id="place"), self.panel, id="table")
        self._too_small = Static(id="too-small", markup=False)

    def compose(self) -> ComposeResult:
        """Place the board and the panel above the entry line and the keys."""
        yield from (self._table, self._too_small, self.line)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Start the game. On SIGTERM or SIGHUP (a closed terminal), exit without an error message."""
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not Unix, or not the main thread
                asyncio.get_running_loop().add_signal_handler(number, self.exit, TERMINATED)
        self.board.focus()
        self.control.go_on()

    def _looks(self) -> list[Look]:
        advice = self.control.hints.displayed
        looks = looks_of(self.control.game.board, self.control.marks)
        return _with_values(looks, advice) if advice else looks

    def on_resize(self) -> None:
        """Redraw everything for the new terminal size."""
        self.call_next(self.changed)

    def changed(self, *lines: str) -> None:
        """Redraw everything. The panel shows the messages."""
        if not self.panel.query(MoveList):  # the program is starting or ending
            return
        size, is_over = self.control.size, self.control.sitting.turn is None
        arrangement = arrange(size, self.size.width, self.size.height, is_over)
        self._table.display, self._too_small.display = arrangement is not None, arrangement is None
        if arrangement is None:
            columns, rows = least(size)
            here = f"here are {self.size.width}x{self.size.height}"
            self._too_small.update(f"The board needs {columns}x{rows} characters;\n{here}.")
            return
        grid, is_beside = arrangement
        self._table.set_class(not is_beside, "-below")
        self.board.show(self._looks(), grid)
        self.panel.show(grid.rows if is_beside else None)

    def start(self, work: Work[Any]) -> None:
        """Run work in a daemon thread."""
        Thread(target=self._work_off, args=(work,), daemon=True).start()

    def _work_off(self, work: Work[Any]) -> None:
        result = work.result()
        with suppress(RuntimeError):  # the app has ended
            self.call_later(work.done, result)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play the chosen square."""
        self.control.choose(event.square)

    async def on_key(self, event: events.Key) -> None:
        """Send typed characters to the entry line, even if the line does not have the focus."""
        line = self.line
        if len(self.screen_stack) > 1:  # a dialog is open
            return
        if event.character and (event.character.isalnum() or (line.is_open and event.is_printable)):
            event.stop()
            line.open(event.character)
        elif event.key == "enter" and line.is_open and not line.has_focus:
            event.stop()
            await line.action_submit()

    def on_paste(self, event: events.Paste) -> None:
        """Send pasted text to the entry line."""
        if len(self.screen_stack) == 1:
            self.line.open(" ".join(event.text.split()))

    def on_input_submitted(self) -> None:
        """Submit the text of the entry line to the controller."""
        self.control.enter(self.action_close_entry())

    def action_close_entry(self) -> str:
        """Close the entry line, give the focus to the board, and return the text."""
        self.board.focus()
        return self.line.close()

    def action_values(self) -> None:
        """Toggle the values of the moves in every position."""
        self.control.hints.toggle_values()

    def action_step(self, decisions: int) -> None:
        """Step `decisions` decisions forward, or backward if negative."""
        self.control.step(decisions)

    def action_exit(self, code: int) -> None:
        """Exit with a code. The unfinished game stays on disk."""
        self.exit(code)

    def action_obey(self, name: str) -> None:
        """Execute the command with the keyword `name`."""
        self.obey(Order(COMMANDS[name]))

    def obey(self, order: Order) -> None:
        """Execute the commands of this view. Delegate other commands to the controller."""
        match order.command:
            case Command.HELP:
                self.push_screen(Help([key for key in self.BINDINGS if isinstance(key, Binding)]))
            case Command.BOARD:
                self.changed()
            case Command.REVIEW:
                self._review()
            case Command.QUIT:
                self.control.leave()
                self.exit(0)
            case Command.SAVE | Command.LOAD if not order.argument:
                self.control.say(f"{order.command.usage}: {order.command.value[1]}")
                self.line.close()
                self.line.open(f"{order.command.keyword} ")
            case _:
                self.control.obey(order)

    @work
    async def action_new(self) -> None:
        """Open the dialog for the players and the board size."""
        if wish := await self.push_screen_wait(NewGame(self.control.settings)):
            self.control.seat(wish)

    @work
    async def _review(self) -> None:
        if review := self.control.open_review():
            ply = await self.push_screen_wait(ReviewPage(review))
            if ply is not None:
                self.control.obey(Order(Command.GOTO, str(ply)))  # shows an error if a new game is shorter


def _with_values(looks: Sequence[Look], advice: Advice) -> list[Look]:
    squares = list(looks)
    for move in advice.moves:
        is_best = move.move in advice.best
        squares[move.move] = replace(squares[move.move], text=move.text, share=move.shade, is_best=is_best)
    return squares
