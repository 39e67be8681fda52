"""The full-screen program: the board, the panel and the entry line, and the keys."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import Any, ClassVar

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Footer, Static

from othello_lab.console.advice import Advice
from othello_lab.console.controller import Controller
from othello_lab.console.entry import COMMANDS, Command, Order
from othello_lab.console.screen.board_view import BoardView, arrange, least, smallest
from othello_lab.console.screen.dialogs import Help, NewGame, ReviewPage
from othello_lab.console.screen.panel import EntryLine, Panel
from othello_lab.console.work import PACE, Work
from othello_lab.game.drawing import Look, looks_of
from rlglue.scripts import INTERRUPTED, TERMINATED


def play(control: Controller) -> int:
    """Play in full screen until the person leaves, close the players, and return the exit code."""
    program = Program(control)
    try:
        return program.run() or 0
    finally:
        control.close()


def _key(keys: str, action: str, meaning: str, key_display: str = "") -> Binding:
    """Return a key that the help explains, and that the footer does not show."""
    return Binding(keys, action, meaning, show=False, key_display=key_display)


class Program(App[int]):
    """The full-screen view of a game. The result of the app is the exit code of the command."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Othello"
    CSS = """
    #table { height: 1fr; layout: horizontal; align: center middle; }
    #place { width: auto; height: auto; }
    #table.-below { layout: vertical; }
    #table.-below #place { width: 100%; align: center top; }
    #too-small { height: 1fr; content-align: center middle; }
    """
    # The most important keys are the first, because a narrow footer does not show the last ones.
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
        """Create the program. Each move of a player takes at least `pace` seconds."""
        super().__init__()
        self.control = control
        control.connect(self, pace)
        self.board = BoardView(self._looks(), smallest(control.size))
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
            with suppress(NotImplementedError, RuntimeError, ValueError):  # this system is not Unix
                asyncio.get_running_loop().add_signal_handler(number, self.exit, TERMINATED)
        self.board.focus()
        self.control.go_on()

    def _looks(self) -> list[Look]:
        advice = self.control.hints.displayed
        looks = looks_of(self.control.game.board, self.control.marks)
        return _with_values(looks, advice) if advice else looks

    def on_resize(self) -> None:
        """Redraw everything after the size of the terminal has changed."""
        self.call_next(self.changed)

    def changed(self, *lines: str) -> None:
        """Redraw everything. The panel shows the messages."""
        if not self.panel.query("#legend"):  # the program begins or ends
            return
        size, is_over = self.control.size, self.control.sitting.turn is None
        arrangement = arrange(size, self.size.width, self.size.height, is_over)
        self._table.display, self._too_small.display = arrangement is not None, arrangement is None
        if arrangement is None:
            columns, rows = least(size)
            here = f"here are {self.size.width}x{self.size.height}"
            self._too_small.update(f"The board needs {columns}x{rows} characters;\n{here}.")
            return
        self._table.set_class(not arrangement.is_beside, "-below")
        self.board.show(self._looks(), arrangement.grid)
        self.panel.show(arrangement)

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
        """Send typed characters to the entry line, even before it has the focus."""
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
        """Carry out the text of the entry line."""
        self.control.enter(self.action_close_entry())

    def action_close_entry(self) -> str:
        """Close the entry line, give the focus to the board, and return the text."""
        self.board.focus()
        return self.line.close()

    def action_values(self) -> None:
        """Show the values of the moves in every position, or stop showing them."""
        self.control.hints.toggle_values()

    def action_step(self, decisions: int) -> None:
        """Go forward by a number of decisions, or back if the number is negative."""
        self.control.step(decisions)

    def action_exit(self, code: int) -> None:
        """Exit with a code. The unfinished game stays on disk."""
        self.exit(code)

    def action_obey(self, name: str) -> None:
        """Carry out the command with this keyword."""
        self.obey(Order(COMMANDS[name]))

    def obey(self, order: Order) -> None:
        """Carry out a command that opens a dialog. Pass any other command to the controller."""
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
                # The command shows an error if a shorter game has begun meanwhile.
                self.control.obey(Order(Command.GOTO, str(ply)))


def _with_values(looks: Sequence[Look], advice: Advice) -> list[Look]:
    squares = list(looks)
    for move in advice.moves:
        is_best = move.move in advice.best
        squares[move.move] = replace(squares[move.move], text=move.text, share=move.shade, is_best=is_best)
    return squares
