"""The full-screen program: a game, and the dialogs around it."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.console import Console
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.drivers.web_driver import WebDriver
from textual.filter import LineFilter

from console import card
from console.entry import Command, Order
from console.saving import load, path_of, save
from console.screen.ascii_filter import AsciiFilter
from console.screen.browser_driver import BrowserDriver
from console.screen.colours import COLOURED, COLOURLESS, SIXTEEN
from console.screen.dialogs import Line, Page, Question
from console.screen.game_screen import GameScreen
from console.screen.help_page import help_page
from console.screen.new_game import NewGame
from console.screen.play import PACE, Play
from console.screen.review_page import ReviewPage
from console.screen.settings import Cast, Settings, Wish
from console.screen.thinking import Failure, Thought
from console.table import Table
from game import Board, Game
from game.drawing import symbols_for
from game.records import RecordError
from rlglue.exit_codes import INTERRUPTED, TERMINATED

SAVE_HELP = "The suffix says the format: .txt (transcript), .jsonl, .ggf or .wtb."
LOAD_HELP = "A file of games (.txt, .jsonl, .ggf, .wtb), moves such as f5d6c3, or a position."


def play(table: Table) -> int:
    """Play on the whole screen until the person leaves, and let all players go; return the exit code."""
    program = Program(table, has_16_colours=Console(stderr=True).color_system == "standard")
    try:
        return program.run() or 0
    finally:
        program.close()


class Program(App[int]):
    """A game on the whole screen. Its result is the exit code of the command."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Othello"
    CSS = "*:nocolor:focus > .option-list--option-highlighted { text-style: bold underline; }"
    """Where no colour says which line Enter takes."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", show=False, priority=True)]

    def __init__(self, table: Table, pace: float = PACE, has_16_colours: bool = False) -> None:
        """`table` has the game to begin with, and makes the players of later ones; for `pace` see `Play`."""
        is_colourless = "NO_COLOR" in os.environ
        super().__init__(ansi_color=is_colourless)
        palette = COLOURLESS if is_colourless else SIXTEEN if has_16_colours else COLOURED
        self._encoding = _encoding()
        symbols = symbols_for(self._encoding)
        self.game_screen = GameScreen(table, pace, palette, symbols)

    @property
    def _play(self) -> Play:
        return self.game_screen.play

    @property
    def _settings(self) -> Settings:
        return Settings.of(self._play.table)

    def get_driver_class(self) -> type[Driver]:
        """Return what keys come from and what the screen is drawn on."""
        found = super().get_driver_class()
        return BrowserDriver if found is WebDriver else found

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
        self._play.close()

    def action_interrupt(self) -> None:
        """Leave at once."""
        self.exit(INTERRUPTED)

    def action_end_input(self) -> None:
        """Leave as at the end of input: the game is offered again."""
        self.exit(0)

    def action_leave(self) -> None:
        """Leave the game, which is not offered again."""
        self._play.table.keeper.drop()
        self.exit(0)

    def action_help(self) -> None:
        """Show all keys and words."""
        self.push_screen(Page(help_page()))

    def action_resign(self) -> None:
        """Ask, then give the game up."""
        if self._play.sitting.turn is None or not self._play.sitting.people:
            return self._play.say("There is nothing to resign.")
        self.push_screen(Question("Resign this game?", {"yes": "Resign", "no": "Play on"}), self._resigned)
        return None

    def _resigned(self, answer: str | None) -> None:
        if answer == "yes":
            self._play.resign()

    def action_new(self) -> None:
        """Ask who is to play, on which board."""
        self.push_screen(NewGame(self._settings), self._wanted)

    def _wanted(self, wish: Wish | None) -> None:
        """Make the players in a thread, since networks take a while to load."""
        if wish is None:
            return
        self._play.say("The players are being made ready ...")
        Thought(partial(wish.settings.cast, self._play.table.seat_for), partial(self._are_ready, wish)).start(
            self.call_later
        )

    def _are_ready(self, wish: Wish, cast: Cast | Failure) -> None:
        if isinstance(cast, Failure):
            self._play.say(cast.why)
            self.push_screen(NewGame(wish.settings, cast.why), self._wanted)
            return
        self._play.seat(*cast, wish.game)

    def on_game_screen_ordered(self, event: GameScreen.Ordered) -> None:
        """Do what needs players or files, or say why it cannot be done."""
        try:
            self._do(event.order)
        except ValueError as error:
            self._play.say(str(error))

    def _do(self, order: Order) -> None:
        table = self._play.table
        match order.command:
            case Command.OPPONENT:
                self._oppose(order.argument, None)
            case Command.SAVE if order.argument:
                self._save(order.argument)
            case Command.SAVE:
                self.action_save()
            case Command.LOAD:
                self._load(order.argument)
            case _:
                self._oppose(card.other_level(table, order.command), Game(Board.start(table.size)))

    def _oppose(self, text: str, game: Game | None) -> None:
        """Have another opponent, in another game if one is given."""
        players = {**self._settings.players, self._play.table.theirs: text}
        self._wanted(Wish(replace(self._settings, players=players), game))

    def on_game_screen_failed(self, event: GameScreen.Failed) -> None:
        """Ask what to do where a player cannot go on."""
        text = f"{event.seat.name} cannot go on: {event.why}\nThe game stays as it is."
        answers = {"again": "Try again", "new": "Other players", "leave": "Quit", "look": "Look at it"}
        self.push_screen(Question(text, answers), self._after_failure)

    def _after_failure(self, answer: str | None) -> None:
        match answer:
            case "again":
                self._play.go_on()
            case "new":
                self.action_new()
            case "leave":  # the game is kept, for another day or another opponent
                self.exit(0)

    def action_review(self) -> None:
        """Show what the moves of the game were worth."""
        game = self._play.sitting.record().game
        if not game.moves:
            return self._play.say("There is no move to review.")
        review = self._play.reviews.opened(game)
        self.push_screen(ReviewPage(review, self.game_screen.symbols), self._look)
        return None

    def _look(self, ply: int | None) -> None:
        """Show a position of the review."""
        if ply is not None:
            self._play.go_to(ply)

    def action_save(self) -> None:
        """Ask for a file and write the game there."""
        self.push_screen(Line("Save the game", SAVE_HELP), self._save)

    def _save(self, text: str | None, overwrite: bool = False) -> None:
        if not text:
            return
        try:
            path = path_of(text)
            if path.exists() and not overwrite:
                question = Question(f"{path} is there already.", {"yes": "Overwrite it", "no": "Back"})
                self.push_screen(question, partial(self._overwrite, text))
                return
            save(path, self._play.sitting.record(), overwrite)
            self._play.say(f"Saved as {path}.")
        except RecordError as error:
            self._play.say(str(error))

    def _overwrite(self, text: str, answer: str | None) -> None:
        if answer == "yes":
            self._save(text, overwrite=True)

    def action_load(self) -> None:
        """Ask for a file or a transcript and show the game."""
        self.push_screen(Line("Load a game", LOAD_HELP), self._load)

    def _load(self, text: str | None) -> None:
        if not text:
            return None
        try:
            record = load(text, size=self._play.game.size)
        except RecordError as error:
            return self._play.say(str(error))
        if record.game.size == self._play.game.size:
            return self._play.begin(record.game)
        return self._wanted(Wish(replace(self._settings, size=record.game.size), record.game))


def _encoding() -> str:
    """Return the encoding of where the program is drawn."""
    return getattr(sys.__stderr__, "encoding", None) or "utf-8"
