"""A game on the screen: what keys, mouse and words do to it, and who thinks. Draws nothing."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from console import wording
from console.advice import Advice, advise
from console.opponent import Seat
from console.reviewing import as_advice
from console.screen import messages
from console.screen.review_thread import Reviews
from console.screen.thinking import Failure, Later, Thought
from console.sitting import Question, Seats, Sitting
from console.table import Table
from game import Board, Game, IllegalMoveError
from game.review import Reviewed

PACE = 0.4
"""Seconds for which one sees one's own move at least, before a player answers it."""


@dataclass(frozen=True)
class Events:
    """Whom a game tells of what happens."""

    changed: Callable[[], None]
    """Something that is shown has changed."""
    failed: Callable[[Seat, str], None]
    """A player cannot go on, for the reason in the text."""
    later: Later


class Play:
    """One game after another, with those who play and who gives hints."""

    notice = ""
    """What was said last."""
    advice: Advice | None = None
    """What the adviser says of the position that is shown."""
    shows_values = False
    """Whether each position that a person looks at gets its advice."""

    def __init__(self, table: Table, events: Events, pace: float) -> None:
        """A player's move takes `pace` seconds at least."""
        self.table = table
        self._events, self._pace = events, pace
        self.reviews = Reviews(events.later)
        self._asked: Question | None = None
        self._unadvised: Game | None = None

    @property
    def sitting(self) -> Sitting:
        """The game, who plays it and the clocks."""
        return self.table.sitting

    @property
    def game(self) -> Game:
        """The game as far as it is looked at."""
        return self.sitting.game

    @property
    def adviser(self) -> Seat:
        """Who gives hints."""
        return self.table.adviser.seat

    @property
    def is_thinking(self) -> bool:
        """Whether a player thinks about its move."""
        return self._asked is not None

    @property
    def is_advising(self) -> bool:
        """Whether the adviser thinks."""
        return self._unadvised is not None

    @property
    def judged(self) -> dict[int, Reviewed]:
        """What a review of this game has found, by the number of moves before the one that is judged."""
        return self.reviews.judged(self.sitting.record().game)

    @property
    def shown_advice(self) -> Advice | None:
        """What is shown of the moves: what the adviser says, or what a review found here."""
        found = None if self.advice else self.judged.get(self.sitting.ply)
        return as_advice(found) if found else self.advice

    def say(self, text: str) -> None:
        """Have a line shown."""
        self.notice = text
        self._events.changed()

    def go_on(self, notice: str = "") -> None:
        """Have whoever is to move think, after anything that changed the game."""
        complaint = self._keep()
        self.notice, self.advice, self._unadvised = complaint or notice, None, None
        question = self._asked = self.sitting.question
        if question:
            work = partial(_paced, question.answer, self._pace)
            Thought(work, partial(self._answered, question)).start(self._events.later)
        if self.shows_values and not question:
            self._advise()
        self._events.changed()

    def _keep(self) -> str:
        """Have the game on disk as it is now; return what is to be said of that, as a rule nothing."""
        try:
            self.table.keep()
        except OSError as error:
            return f"The game is not kept: {error.strerror or error}"
        return ""

    def _answered(self, question: Question, move: int | Failure) -> None:
        if question is not self._asked:
            return
        self._asked = None
        if isinstance(move, Failure):
            self.say(move.why)
            self._events.failed(question.listener.seat, move.why)
        elif moves := self.sitting.accept(question, move):
            self.go_on(messages.moved(self.sitting, moves))

    def choose(self, square: int) -> None:
        """Make a person's move, or say why it is none."""
        if not self.sitting.person_to_move:
            return self.say(messages.not_yours(self.sitting))
        try:
            moves = self.sitting.play(square)
        except IllegalMoveError as error:
            return self.say(f"{error}; {wording.legal_line(self.game.board)}")
        return self.go_on(messages.moved(self.sitting, moves))

    def undo(self) -> None:
        """Go back to a person's decision before."""
        before = self.game.moves
        there = self.sitting.undo()
        gone = before[self.sitting.ply :]
        line = wording.moves_line("taken back", gone, self.game.size) if gone else ""
        self.go_on(line if there else "There is nothing to take back.")

    def redo(self) -> None:
        """Make again what was taken back, up to a person's next decision."""
        there = self.sitting.redo()
        self.go_on("" if there else "There is nothing to make again.")

    def step(self, decisions: int) -> None:
        """Look at the position some moves before or after."""
        if self.sitting.step(decisions):
            self.go_on()

    def go_to(self, ply: int) -> None:
        """Look at the position after this many moves; raise IndexError where there are fewer."""
        self.sitting.go_to(ply)
        self.go_on()

    def drop_redo(self) -> None:
        """Play on from the position that is shown; the moves after it are forgotten."""
        self.sitting.drop_redo()
        self.go_on()

    def resign(self) -> None:
        """Give the game up."""
        self.sitting.resign()
        self.go_on()

    def hint(self) -> None:
        """Ask the adviser about the position that is shown, or have what it said disappear."""
        if self.advice:
            self.advice = None
        elif self.game.board.is_over:
            self.notice = "There is no move to advise: the game is over."
        else:
            self._advise()
        self._events.changed()

    def toggle_values(self) -> None:
        """Have each position show its values, or no longer."""
        self.shows_values = not self.shows_values
        if bool(self.advice) != self.shows_values:
            self.hint()

    def _advise(self) -> None:
        if self.game.board.is_over:
            return
        game = self._unadvised = self.game.until()
        Thought(partial(self._advice_of, game), partial(self._advised, game)).start(self._events.later)

    def _advice_of(self, game: Game) -> Advice | None:
        """Return what the adviser says, in its thread; None if nobody wants it any more."""
        adviser = self.table.adviser
        with adviser.in_use:
            return advise(adviser.aside(game), game) if game is self._unadvised else None

    def _advised(self, game: Game, advice: Advice | Failure | None) -> None:
        if game is not self._unadvised or advice is None:
            return
        self._unadvised = None
        if isinstance(advice, Failure):
            self.say(f"{self.adviser.name} gives no hint: {advice.why}")
        else:
            self.advice = advice
            self._events.changed()

    def seat(self, seats: Seats, adviser: Seat, game: Game | None) -> None:
        """Play on with these in place of all who played until now, and with another game if one is given."""
        self.table.seat(seats, adviser)
        if game:
            self.begin(game)
        else:
            self.go_on()

    def begin(self, game: Game) -> None:
        """Play this game in place of the one until now."""
        before = self.sitting.record()
        self.reviews.drop()
        self.sitting.begin(game)
        self.go_on(wording.left_line(before))

    def begin_anew(self, swapped: bool = False) -> None:
        """Have the same play a new game, with their colours changed if `swapped`."""
        if swapped:
            self.table.swap()
        self.begin(Game(Board.start(self.table.size)))

    def close(self) -> None:
        """Let the players go; nothing comes of what they still think."""
        self._asked = self._unadvised = None
        self.reviews.drop()
        self.table.close()


def _paced(work: Callable[[], int], seconds: float) -> int:
    """Return what comes of it, not before this many seconds."""
    due = time.monotonic() + seconds
    result = work()
    time.sleep(max(0.0, due - time.monotonic()))
    return result
