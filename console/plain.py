"""The plain mode: a game in lines of text, for a pipe or a screen reader; unfinished games are offered."""

from collections import deque
from typing import Any

from filelock import Timeout

from othello_lab.console import card, reviewing, wording
from othello_lab.console.controller import Controller
from othello_lab.console.entry import Command, Order, help_text
from othello_lab.console.saving import PATIENCE, KeptGame, Place, Shelf, read
from othello_lab.console.sitting import Sitting
from othello_lab.console.table import Table, Wish
from othello_lab.console.terminal import Left, Terminal, at_terminal
from othello_lab.console.work import Work
from othello_lab.game.records import RecordError
from othello_lab.game.review import Reviewed
from othello_lab.game.solver.solver import Convention


class Match:
    """The view of a game for a person who types lines and reads them, until that person leaves."""

    interrupted = False
    """Whether Ctrl-C ended it."""

    def __init__(self, table: Table, terminal: Terminal) -> None:
        self._terminal = terminal
        self._say = terminal.say
        self._waiting = deque[Work[Any]]()
        self._control = Controller(table, self)
        self._shown: object = None
        self._opening: list[str] = []
        """What was said last of the opening."""
        self._welcomed: object = None

    @property
    def _at(self) -> Sitting:
        return self._control.sitting

    def play(self) -> None:
        """Play until the person leaves, which at the end of a game is the end of what is typed."""
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
        """Say the lines; the board is shown before something is asked or thought about."""
        for line in lines:
            self._say(line)

    def start(self, work: Work[Any]) -> None:
        """Have it done as soon as what is done now is done."""
        self._waiting.append(work)

    def stuck(self, name: str, why: str) -> None:
        """Say that a player cannot go on, and what can be typed now."""
        self.changed(why, wording.STUCK)

    def refused(self, wish: Wish, why: str) -> None:
        """Say why these players cannot play."""
        self._say(why)

    def called(self, command: Command) -> str:
        """Return the word of a command."""
        return f"`{command.word}`"

    def _turn(self) -> None:
        self._welcome_if_new()
        if self._at.game.moves or not self._waiting:  # whoever begins does so before the board is shown
            self._show_if_new()
        if self._waiting:
            self._work_off()
        else:
            farewell = "" if self._at.turn is None else "\nEnd of input: the game stops here."
            prompt = wording.prompt(self._at, self._terminal.symbols)
            self._control.enter(self._terminal.ask(prompt, farewell))

    def _work_off(self) -> None:
        """Do one piece of work after another that somebody waits for now; what comes of it may need more."""
        for _ in range(len(self._waiting)):
            work = self._waiting.popleft()
            work.done(self._terminal.wait_for(work.what, work.result, work.stop))

    def obey(self, order: Order) -> None:
        """Do what only lines of text need; all else is the game's."""
        match order.command:
            case Command.HINT:
                self._hint()
            case Command.REVIEW:
                self._review()
            case Command.BOARD:
                self._show_board()
            case Command.SETUP:
                self._say(wording.set_up_line(self._at.game.board))
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

    def _review(self) -> None:
        """Say what a review finds of the game so far."""
        found = self._reviewed()
        if found is not None:
            self.changed(*reviewing.as_lines(found, Convention.DISC_DIFF))

    def _reviewed(self) -> list[Reviewed] | None:
        """Review the game so far, once; None where Ctrl-C ends the review, which does not end the game."""
        review = self._control.hints.review(self._at.game.until())
        try:
            self._work_off()
        except KeyboardInterrupt:
            self._say("\nInterrupted: the review stops here.")
        if review.is_done and not review.failure:
            return review.found
        self._control.hints.drop_review()
        self.changed(*filter(None, [review.failure]))
        return None

    def _welcome_if_new(self) -> None:
        """Say who has which discs, once for each who sit down to play."""
        if self._at.turn and self._at.seats != self._welcomed:
            self._welcomed = self._at.seats
            self._say(wording.welcome(self._at.seats, self._terminal.symbols))

    def _show_if_new(self) -> None:
        now = self._at.game.boards[0], self._at.game.moves, self._at.resigned
        if now != self._shown:
            self._shown = now
            self._show_board()
            if self._at.turn is None:
                self._end()

    def _end(self) -> None:
        """Say what stands on the card of a game that is over."""
        self.changed(*card.result(self._at))
        found = self._reviewed() if self._at.game.moves else None
        if found is not None:
            self._say(card.costliest(self._at, found))
        self._say(f"Next: {', '.join(choice.words for choice in card.choices(self._control.table))}.")

    def _show_board(self) -> None:
        self._terminal.show(self._at.game, legal=self._at.person_to_move)
        self._say(
            wording.score_line(self._at.game.board, self._terminal.symbols, wording.names(self._at.seats))
        )
        before, self._opening = self._opening, wording.opening_lines(self._at.game)
        if self._opening != before:
            self.changed(*self._opening)


_LISTED = 9
"""This many games are listed at most."""
_QUESTION = "Enter begins a new game; a number goes on with that, drop N drops it: "
Kept = tuple[Place, KeptGame]


def unfinished(shelf: Shelf, terminal: Terminal, newest: bool) -> Kept | None:
    """Return the game to go on with, the newest or the one that the person chooses; None for a new one.

    Its place is held; all others are let go.
    """
    games, complaints = shelf.take()
    try:
        for complaint in complaints:
            terminal.complain(complaint)
        chosen = 0 if games and newest else _choose(games, terminal)
        if chosen is None:
            return None
        terminal.say(f"Going on: {wording.kept_line(games[chosen][1])}.")
        return games.pop(chosen)
    except Left:
        return None
    finally:
        for place, _ in games:
            place.close()


def _choose(games: list[Kept], terminal: Terminal) -> int | None:
    """Return which game the person chooses; where nobody can answer, a line says that there are some.

    While the person thinks, others may have them. Raises Left at the end of input.
    """
    if games and not at_terminal():
        terminal.say(f"Not finished: {wording.kept_line(games[0][1])}; --resume goes on with it.")
        return None
    while games:
        _list(games, terminal)
        for place, _ in games:
            place.close()
        word, _, number = terminal.ask(_QUESTION).strip().partition(" ")
        if not word:
            return None
        chosen = _place(number or word, games, terminal)
        if chosen is None or (number and word != "drop"):
            continue
        place, _ = games.pop(chosen)
        if not (kept := _taken_back(place, terminal)):
            continue
        if not number:
            games.insert(chosen, (place, kept))
            return chosen
        place.forget()
    return None


def _taken_back(place: Place, terminal: Terminal) -> KeptGame | None:
    """Hold a game again, and return it as it is now; None, with a line, if it is not there to go on with."""
    try:
        place.hold(PATIENCE)
        return read(place.path)
    except (Timeout, OSError, RecordError):
        place.close()
        terminal.complain("that game is played in another program, or over")
        return None


def _list(games: list[Kept], terminal: Terminal) -> None:
    terminal.say("Games that are not finished:")
    for number, (_, kept) in enumerate(games[:_LISTED], 1):
        terminal.say(f"  {number}  {wording.kept_line(kept)}")


def _place(number: str, games: list[Kept], terminal: Terminal) -> int | None:
    """Return which game is meant; None, with a line, if none is."""
    if number in map(str, range(1, min(len(games), _LISTED) + 1)):
        return int(number) - 1
    terminal.complain(f"{number!r} is none of these games")
    return None
