"""The full-screen program: a game, and the dialogs around it."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, ClassVar

from rich.console import Console
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from othello_lab.console.controller import Controller
from othello_lab.console.entry import WORDS, Command, Order
from othello_lab.console.files import is_there
from othello_lab.console.screen.dialogs import Line, NewGame, Page, Question, help_page
from othello_lab.console.screen.game_screen import GameScreen
from othello_lab.console.screen.moves import ReviewPage
from othello_lab.console.screen.output import AsciiFilter, drawn_alike
from othello_lab.console.screen.set_up import SetUp
from othello_lab.console.screen.squares import COLOURED, COLOURLESS, SIXTEEN
from othello_lab.console.table import Table, Wish, from_position
from othello_lab.console.work import PACE, Work
from othello_lab.game.drawing import symbols_for
from othello_lab.game.launching import trust
from othello_lab.game.registry import nested
from rlglue.scripts import INTERRUPTED, TERMINATED

SAVE_HELP = "By suffix: .jsonl, .ggf, .wtb; .txt (moves without names); .png, .svg (a picture)."
LOAD_HELP = "A file of games or positions, moves such as f5d6c3, or a position."
_KEYS = {Command.NEW: "F2", Command.UNDO: "Ctrl+Z", Command.GO: "Ctrl+G"}


def play(table: Table) -> int:
    """Play on the whole screen until the person leaves, and let all players go; return the exit code."""
    program = Program(table, has_16_colours=Console(stderr=True).color_system == "standard")
    try:
        return program.run() or 0
    finally:
        program.close()


def screenshot(table: Table) -> str:
    """Return the game with what its moves are worth, as SVG, without a terminal: for documents."""
    program = Program(table, pace=0)

    async def draw() -> str:
        async with program.run_test(size=(112, 35)) as pilot:
            program.control.hints.toggle()
            while program.control.hints.is_asked:
                await pilot.pause(0.05)
            await pilot.pause()
            return program.export_screenshot(title="othello play")

    try:
        return drawn_alike(asyncio.run(draw()))
    finally:
        program.close()


class Program(App[int]):
    """The view of a game on the whole screen. Its result is the exit code of the command."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Othello"
    CSS = "*:nocolor:focus > .option-list--option-highlighted { text-style: bold underline; }"
    """Where no colour says which line Enter takes."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", show=False, priority=True)]

    def __init__(self, table: Table, pace: float = PACE, has_16_colours: bool = False) -> None:
        """`table` has the game to begin with, and makes later players; for `pace` see `Controller`."""
        is_colourless = "NO_COLOR" in os.environ
        super().__init__(ansi_color=is_colourless)
        palette = COLOURLESS if is_colourless else SIXTEEN if has_16_colours else COLOURED
        self._encoding = _encoding()
        symbols = symbols_for(self._encoding)
        self.control = Controller(table, self, pace)
        self.game_screen = GameScreen(self.control, palette, symbols)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what is done to each line before it is drawn."""
        filters = super().get_line_filters()
        return filters if self._encoding.startswith("utf") else [*filters, AsciiFilter(self._encoding)]

    def on_mount(self) -> None:
        """Show the board, and leave in order where the process is to end or the terminal is closed."""
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # elsewhere than on Unix
                asyncio.get_running_loop().add_signal_handler(number, self.exit, TERMINATED)
        self.push_screen(self.game_screen)

    def close(self) -> None:
        """Let all players go."""
        self.control.close()

    def changed(self, *lines: str) -> None:
        """Draw everything anew; the panel shows what was said last."""
        self.game_screen.draw()

    def start(self, work: Work[Any]) -> None:
        """Have it done in a thread, which ends with the program: nobody who leaves waits for it."""
        Thread(target=self._work_off, args=(work,), daemon=True).start()

    def _work_off(self, work: Work[Any]) -> None:
        result = work.result()
        with suppress(RuntimeError):  # the screen is gone
            self.call_later(work.done, result)

    def called(self, command: Command) -> str:
        """Return the key of a command."""
        return _KEYS[command]

    def action_interrupt(self) -> None:
        """Leave at once."""
        self.exit(INTERRUPTED)

    def action_end_input(self) -> None:
        """Leave as at the end of input: the game is offered again."""
        self.exit(0)

    def action_obey(self, word: str) -> None:
        """Do what a word says."""
        self.obey(Order(WORDS[word], ""))

    def obey(self, order: Order) -> None:
        """Do what only the whole screen shows or asks; all else is the game's."""
        match order.command:
            case Command.HELP:
                self.push_screen(Page(help_page()))
            case Command.BOARD:
                self.changed()
            case Command.REVIEW:
                self._review()
            case Command.SETUP:
                self._set_up()
            case Command.QUIT:
                self.control.leave()
                self.exit(0)
            case Command.RESIGN if self.control.sitting.can_resign:
                self._resign(order)
            case Command.SAVE:
                self._save(order.argument)
            case Command.LOAD if not order.argument:
                self._load()
            case _:
                self.control.obey(order)

    def _set_up(self) -> None:
        """Have a position set up, and played by those who sit here."""
        drawn = self.game_screen.palette, self.game_screen.symbols
        self.push_screen(SetUp(self.control.game.board, self._play_from, *drawn))

    def _play_from(self, text: str) -> None:
        self.control.open(from_position(text))

    async def _agrees(self, question: str, yes: str, no: str) -> bool:
        return await self.push_screen_wait(Question(question, {"yes": yes, "no": no})) == "yes"

    @work
    async def _resign(self, order: Order) -> None:
        """Give the game up, if the person means it."""
        if await self._agrees("Resign this game?", "Resign", "Play on"):
            self.control.obey(order)

    @work
    async def _save(self, name: str) -> None:
        """Write the game to a file, over another only if the person agrees."""
        name = name or await self.push_screen_wait(Line("Save the game", SAVE_HELP)) or ""
        exists = bool(name) and is_there(name)
        if name and (not exists or await self._agrees(f"{name} is there already.", "Overwrite it", "Back")):
            self.control.save(name, overwrite=exists)

    @work
    async def _load(self) -> None:
        """Ask for a game and go on with it."""
        if text := await self.push_screen_wait(Line("Load a game", LOAD_HELP)):
            self.control.obey(Order(Command.LOAD, text))

    def action_new(self) -> None:
        """Ask who is to play, on which board."""
        self._ask_for_players(NewGame(self.control.table.settings, self.control.table.new_game))

    @work
    async def _ask_for_players(self, dialog: NewGame) -> None:
        if wish := await self.push_screen_wait(dialog):
            for text in (*wish.settings.players.values(), wish.settings.adviser):
                trust(nested(text))  # the person typed it
                trust([text], is_command=True)
            self.control.seat(wish)

    def refused(self, wish: Wish, why: str) -> None:
        """Ask again for players that there are."""
        self.control.say(why)
        self._ask_for_players(NewGame(wish.settings, self.control.table.new_game, why))

    def stuck(self, name: str, why: str) -> None:
        """Ask what to do where a player cannot go on."""
        self.control.say(why)
        self._ask_what_now(f"{name} cannot go on: {why}\nThe game stays as it is.")

    @work
    async def _ask_what_now(self, text: str) -> None:
        answers = {"again": "Try again", "new": "Other players", "leave": "Quit", "look": "Look at it"}
        match await self.push_screen_wait(Question(text, answers)):
            case "again":
                self.control.go_on()
            case "new":
                self.action_new()
            case "leave":
                self.obey(Order(Command.QUIT, ""))

    @work
    async def _review(self) -> None:
        """Show what the moves of the game were worth, and then the position that was chosen there."""
        game = self.control.sitting.record().game
        if not game.moves:
            return self.control.say("There is no move to review.")
        review = self.control.hints.review(game)
        review.is_opened = True
        ply = await self.push_screen_wait(ReviewPage(review, self.game_screen.symbols))
        # Another game may have begun meanwhile, which is not as long.
        return None if ply is None else self.control.obey(Order(Command.GOTO, str(ply)))


def _encoding() -> str:
    """Return the encoding of where the program is drawn."""
    return getattr(sys.__stderr__, "encoding", None) or "utf-8"
