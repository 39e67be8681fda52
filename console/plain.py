"""The plain view: a game in lines of text, for a terminal, a pipe or a screen reader."""

from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import Timeout

from othello_lab.console import reviewing, wording
from othello_lab.console.controller import Controller
from othello_lab.console.entry import Command, Order, help_text
from othello_lab.console.saving import SavedGame, SaveFile, saved_games
from othello_lab.console.sitting import Sitting
from othello_lab.console.terminal import Left, Terminal, at_terminal
from othello_lab.console.work import Work
from othello_lab.game.records import RecordError
from othello_lab.game.review import Decision


class PlainView:
    """A line-based text view of a game."""

    interrupted = False  # Whether Ctrl-C ended the game.

    def __init__(self, control: Controller, terminal: Terminal) -> None:
        self._control, self._terminal, self._say = control, terminal, terminal.say
        control.connect(self)
        self._waiting = deque[Work[Any]]()
        self._last_position: object = None
        self._last_opening: list[str] = []
        self._welcomed: object = None

    @property
    def _at(self) -> Sitting:
        return self._control.sitting

    def play(self) -> None:
        """Play until the person leaves or the input ends."""
        try:
            self._control.go_on()
            while True:
                self._turn()
        except Left as how:
            self._say(str(how))
        except KeyboardInterrupt:
            self.interrupted = True
            self._say("\nInterrupted: the game stops here.")
        finally:
            self._control.close()

    def changed(self, *lines: str) -> None:
        """Print the lines at once, and the board before the next prompt or work."""
        for line in lines:
            self._say(line)

    def start(self, work: Work[Any]) -> None:
        """Add work to the queue."""
        self._waiting.append(work)

    def _turn(self) -> None:
        if self._at.turn and self._at.seats != self._welcomed:
            self._welcomed = self._at.seats
            self._say(wording.welcome(self._at.seats, self._terminal.symbols))
        if self._at.game.moves or not self._waiting:  # do not show the board before a player's first move
            self._show_if_new()
        if self._waiting:
            self._work_off()
        else:
            farewell = "" if self._at.turn is None else "\nEnd of input: the game stops here."
            prompt = wording.prompt(self._at, self._terminal.symbols)
            self._control.enter(self._terminal.ask(prompt, farewell))

    def _work_off(self) -> None:
        """Run the work in the queue, but not work that is added during this call."""
        for _ in range(len(self._waiting)):
            work = self._waiting.popleft()
            work.done(self._terminal.wait_for(work.label, work.result, work.stop))

    def obey(self, order: Order) -> None:
        """Execute the commands of this view. Delegate other commands to the controller."""
        match order.command:
            case Command.HINT:
                self._hint()
            case Command.REVIEW:
                decisions = self._reviewed()
                if decisions is not None:
                    self.changed(*reviewing.as_lines(decisions))
            case Command.BOARD:
                self._show_board()
            case Command.HELP:
                self._say(help_text())
            case Command.QUIT:
                self._control.leave()
                raise Left("You left the game.")
            case _:
                self._control.obey(order)

    def _hint(self) -> None:
        hints = self._control.hints
        hints.forget()
        hints.toggle()
        self._work_off()
        if hints.advice:
            self.changed(*wording.advice_lines(hints.advice))

    def _reviewed(self) -> list[Decision] | None:
        """Return the review of the game, or None on failure or Ctrl-C."""
        review = self._control.hints.review(self._at.game.until())
        try:
            self._work_off()
        except KeyboardInterrupt:
            self._say("\nInterrupted: the review stops here.")
        if review.is_done and not review.failure:
            return review.decisions
        self._control.hints.drop_review()
        self.changed(*filter(None, [review.failure]))
        return None

    def _show_if_new(self) -> None:
        position = self._at.game.boards[0], self._at.game.moves, self._at.resigned
        if position != self._last_position:
            self._last_position = position
            self._show_board()
            if self._at.turn is None:
                self._end()

    def _end(self) -> None:
        self.changed(*wording.result(self._at))
        decisions = self._reviewed() if self._at.game.moves else None
        if decisions is not None:
            self._say(wording.costliest(self._at, decisions))
        self._say(wording.NEXT)

    def _show_board(self) -> None:
        board, names = self._at.game.board, wording.names(self._at.seats)
        self._terminal.show(self._at.game, legal=self._at.person_to_move)
        self._say(wording.score_line(board, self._terminal.symbols, names))
        opening = wording.opening_lines(self._at.game)
        if opening != self._last_opening:
            self.changed(*opening)
        self._last_opening = opening


_MOST_LISTED = 9


def unfinished(folder: Path, terminal: Terminal, newest: bool) -> tuple[SaveFile, SavedGame] | None:
    """Lock and return the newest saved game or the person's choice, or None for a new game."""
    games, faults = saved_games(folder)
    for fault in faults:
        terminal.say(wording.complaint(fault))
    with suppress(Left):
        while games and (number := 1 if newest else _ask(games, terminal)):
            file, _ = games.pop(number - 1)
            try:
                saved = file.open()
            except (Timeout, OSError, RecordError):  # another program may have opened or deleted the game
                terminal.say("that game is played in another program, or over")
                continue
            terminal.say(f"Going on: {wording.saved_line(saved)}.")
            return file, saved
    return None


def _ask(games: list[tuple[SaveFile, SavedGame]], terminal: Terminal) -> int:
    """Return the number of the game that the person chooses, or 0 for a new game. Raises Left."""
    if not at_terminal():
        terminal.say(f"Not finished: {wording.saved_line(games[0][1])}; --resume goes on with it.")
        return 0
    lines = {str(number): wording.saved_line(saved) for number, (_, saved) in enumerate(games, 1)}
    terminal.say("Games that are not finished:")
    for number in [*lines][:_MOST_LISTED]:
        terminal.say(f"  {number}  {lines[number]}")
    while text := terminal.ask("Enter begins a new game; a number goes on with that: ").strip():
        if text in lines:
            return int(text)
        terminal.say(wording.complaint(f"{text!r} is none of these games"))
    return 0
