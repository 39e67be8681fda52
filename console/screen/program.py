"""The full-screen program: the screen of the game, its keys, and the app with the dialogs."""

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
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static

from othello_lab.console.advice import Advice
from othello_lab.console.controller import Controller
from othello_lab.console.entry import COMMANDS, Command, Order
from othello_lab.console.screen.board_view import Arrangement, BoardView, arrange, least, smallest
from othello_lab.console.screen.dialogs import NewGame, Page, Question, help_page
from othello_lab.console.screen.panel import EntryLine, MoveList, Panel
from othello_lab.console.screen.review_page import ReviewPage
from othello_lab.console.work import PACE, Work
from othello_lab.game.drawing import Look, looks_of
from rlglue.scripts import INTERRUPTED, TERMINATED

_FILE_HELP = {
    Command.SAVE: "Name a file: .jsonl, .ggf, .wtb; .txt (moves without names)",
    Command.LOAD: "Name a file of games, or paste moves such as f5d6c3, a position or a game",
}
_TICK = 0.5
"""The time between two updates of the panel, in seconds."""


def play(control: Controller) -> int:
    """Play in full screen until the person leaves, close the players, and return the exit code."""
    program = Program(control)
    try:
        return program.run() or 0
    finally:
        control.close()


class GameScreen(Screen[None]):
    """The screen of a game with the board, the panel and the entry line."""

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
    # The most important keys are the first, because a narrow footer does not show the last ones.
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
        Binding("ctrl+d", "app.exit(0)", show=False),
        Binding("pageup", "step(-1)", show=False),
        Binding("pagedown", "step(1)", show=False),
        Binding("home", "step(-1000)", show=False),
        Binding("end", "step(1000)", show=False),
        Binding("ctrl+g", "app.obey('go')", show=False),
    ]

    def __init__(self, control: Controller) -> None:
        super().__init__()
        self._control = control

    def compose(self) -> ComposeResult:
        """Place the board and the panel."""
        with Container(id="table"):
            with Container(id="place"):
                yield BoardView(self._looks(), smallest(self._control.size))
            yield Panel(self._control)
        yield Static(id="too-small", markup=False)
        yield EntryLine()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Focus the board, start the updates of the panel, and start the game."""
        self.query_one(BoardView).focus()
        self.set_interval(_TICK, self.query_one(Panel).tick)
        self._control.go_on()

    def _looks(self) -> list[Look]:
        advice = self._control.hints.displayed
        looks = looks_of(self._control.game.board, self._control.marks)
        return _with_values(looks, advice) if advice else looks

    def on_resize(self) -> None:
        """Redraw everything after the size of the terminal has changed."""
        self.draw()

    @property
    def _arrangement(self) -> Arrangement | None:
        is_over = self._control.sitting.turn is None
        return arrange(self._control.size, self.size.width, self.size.height, is_over)

    def draw(self) -> None:
        """Redraw everything."""
        if not (self.is_mounted and self.query(Panel)):  # the screen is being opened or closed
            return
        arrangement = self._arrangement
        self.set_class(arrangement is None, "-too-small")
        if arrangement is None:
            columns, rows = least(self._control.size)
            here = f"here are {self.size.width}x{self.size.height}"
            text = f"The board needs {columns}x{rows} characters;\n{here}."
            self.query_one("#too-small", Static).update(text)
            return
        self.set_class(not arrangement.is_beside, "-below")
        self.query_one(BoardView).show(self._looks(), arrangement.grid)
        self.query_one(Panel).show(arrangement)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play the chosen square."""
        self._control.choose(event.square)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show the position of the chosen move, or carry out the choice at the end of a game."""
        if isinstance(event.option_list, MoveList):
            self._control.go_to(event.option_index)
        else:
            await self.run_action(f"app.obey({event.option_id!r})")

    async def on_key(self, event: events.Key) -> None:
        """Send typed characters to the entry line, even before it has the focus."""
        line = self.query_one(EntryLine)
        if event.character and (event.character.isalnum() or (line.is_open and event.is_printable)):
            event.stop()
            line.open(event.character)
        elif event.key == "enter" and line.is_open and not line.has_focus:
            event.stop()
            await line.action_submit()

    def on_paste(self, event: events.Paste) -> None:
        """Send pasted text to the entry line."""
        self.query_one(EntryLine).open(" ".join(event.text.split()))

    def on_input_submitted(self) -> None:
        """Carry out the text of the entry line."""
        self._control.enter(self.action_close_entry())

    def action_close_entry(self) -> str:
        """Close the entry line, give the focus to the board, and return the text."""
        self.query_one(BoardView).focus()
        return self.query_one(EntryLine).close()

    def action_values(self) -> None:
        """Show the values of the moves in every position, or stop showing them."""
        self._control.hints.toggle_values()

    def action_step(self, decisions: int) -> None:
        """Go forward by a number of decisions, or back if the number is negative."""
        self._control.step(decisions)


def _with_values(looks: Sequence[Look], advice: Advice) -> list[Look]:
    squares = list(looks)
    for move in advice.moves:
        is_best = move.move in advice.best
        squares[move.move] = replace(squares[move.move], text=move.text, share=move.shade, is_best=is_best)
    return squares


class Program(App[int]):
    """The full-screen view of a game. The result of the app is the exit code of the command."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Othello"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", f"exit({INTERRUPTED})", show=False, priority=True)
    ]

    def __init__(self, control: Controller, pace: float = PACE) -> None:
        """Create the program. Each move of a player takes at least `pace` seconds."""
        super().__init__()
        self.control = control
        control.connect(self, pace)
        self.game_screen = GameScreen(control)

    def on_mount(self) -> None:
        """Show the game. On SIGTERM, or if the terminal is closed (SIGHUP), exit without an error message."""
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # this system is not Unix
                asyncio.get_running_loop().add_signal_handler(number, self.exit, TERMINATED)
        self.push_screen(self.game_screen)

    def changed(self, *lines: str) -> None:
        """Redraw everything. The panel shows the messages."""
        self.game_screen.draw()

    def start(self, work: Work[Any]) -> None:
        """Run work in a daemon thread."""
        Thread(target=self._work_off, args=(work,), daemon=True).start()

    def _work_off(self, work: Work[Any]) -> None:
        result = work.result()
        with suppress(RuntimeError):  # the app has ended
            self.call_later(work.done, result)

    def action_exit(self, code: int) -> None:
        """Exit with a code. The unfinished game stays on disk."""
        self.exit(code)

    def action_obey(self, name: str) -> None:
        """Carry out the command with this keyword."""
        self.obey(Order(COMMANDS[name]))

    def obey(self, order: Order) -> None:
        """Carry out a command that opens a dialog. Pass any other command to the controller."""
        control = self.control
        match order.command:
            case Command.HELP:
                self.push_screen(Page(help_page()))
            case Command.BOARD:
                self.changed()
            case Command.REVIEW:
                self._review()
            case Command.QUIT:
                control.leave()
                self.exit(0)
            case Command.RESIGN if control.sitting.can_resign:
                self._resign(order)
            case Command.SAVE | Command.LOAD if not order.argument:
                control.say(_FILE_HELP[order.command])
                line = self.game_screen.query_one(EntryLine)
                line.close()
                line.open(f"{order.command.keyword} ")
            case _:
                control.obey(order)

    @work
    async def _resign(self, order: Order) -> None:
        question = Question("Resign this game?", {"yes": "Resign", "no": "Play on"})
        if await self.push_screen_wait(question) == "yes":
            self.control.obey(order)

    def action_new(self) -> None:
        """Open the dialog for the players and the board size."""
        self._ask_for_players()

    @work
    async def _ask_for_players(self) -> None:
        if wish := await self.push_screen_wait(NewGame(self.control.settings)):
            self.control.seat_typed(wish)

    @work
    async def _review(self) -> None:
        if review := self.control.open_review():
            ply = await self.push_screen_wait(ReviewPage(review))
            if ply is not None:
                # The command shows an error if a shorter game has begun meanwhile.
                self.control.obey(Order(Command.GOTO, str(ply)))
