"""Hints on the shown position, and the review of the whole game."""

from collections.abc import Callable
from functools import partial

from othello_lab.console.advice import Advice, advise
from othello_lab.console.reviewing import as_advice
from othello_lab.console.seat import Seat
from othello_lab.console.sitting import Sitting
from othello_lab.console.work import Failure, Start, Work
from othello_lab.game import Game
from othello_lab.game.review import Decision, Reviewer


class Review:
    """The review of a game, computed from the last move to the first."""

    is_done = False
    is_opened = False  # Whether a person opened the review. `Controller.ended` also uses an unopened review.
    failure = ""  # The one-line error message of a failed review, otherwise "".

    def __init__(self, game: Game) -> None:
        """Create the review of a game. The game must not change afterwards."""
        self.game = game
        self._total = sum(bool(board.legal_moves) for board in game.boards[:-1])
        self._decisions: list[Decision] = []
        self._reviewer: Reviewer | None = None
        self._is_stopped = False

    @property
    def decisions(self) -> list[Decision]:
        """The decisions reviewed so far, in the order of the game."""
        return self._decisions[::-1]

    @property
    def progress(self) -> str:
        """The progress as text, such as `12 of 58 decisions`."""
        return f"{len(self._decisions)} of {self._total} decisions"

    @property
    def work(self) -> Work[None]:
        """The work that computes the review."""
        return Work("the solver is thinking", self._grow, self._end, self.stop)

    def stop(self) -> None:
        """Interrupt the review."""
        self._is_stopped = True
        if self._reviewer:
            self._reviewer.stop()

    def _grow(self) -> None:
        self._reviewer = Reviewer(self.game.size)
        if not self._is_stopped:
            for decision in self._reviewer.review(self.game):
                self._decisions.append(decision)

    def _end(self, result: Failure | None) -> None:
        self.failure = f"The review stops here: {result.why}" if result else ""
        self.is_done = True


class Hints:
    """The adviser's hints on one position or on every position, and the review of the game."""

    advice: Advice | None = None  # The adviser's advice on the shown position, or None without advice.
    shows_values = False  # Whether every position shows the values of the moves.

    def __init__(self, sitting: Sitting, adviser: Seat, start: Start, say: Callable[..., None]) -> None:
        """Create the hints. The callback `say` shows messages and redraws the game."""
        self.adviser = adviser
        self._sitting, self._start, self._say = sitting, start, say
        self._question: Game | None = None
        self._review: Review | None = None

    def review(self, game: Game) -> Review:
        """Return the current review of a game, or start a new review in the background."""
        if self._review is None or self._review.game.boards != game.boards:
            self.drop_review()
            self._review = Review(game)
            self._start(self._review.work)
        return self._review

    def drop_review(self) -> None:
        """Stop and delete the current review."""
        if self._review:
            self._review.stop()
        self._review = None

    @property
    def reviewed(self) -> Review | None:
        """The review of the current game, or None if there is no review or the game has changed."""
        review, boards = self._review, self._sitting.record().game.boards
        return review if review and review.game.boards == boards else None

    @property
    def judged(self) -> dict[int, Decision]:
        """The reviewed decisions, by ply. Empty without an open review of this game."""
        review = self.reviewed
        return {it.ply: it for it in review.decisions} if review and review.is_opened else {}

    @property
    def judged_here(self) -> Decision | None:
        """The reviewed decision in the shown position. None if unknown or overridden by the adviser."""
        return None if self.advice or self.is_asked else self.judged.get(self._sitting.ply)

    @property
    def is_asked(self) -> bool:
        """Whether the adviser is thinking."""
        return self._question is not None

    @property
    def displayed(self) -> Advice | None:
        """The advice to show: from the review (`judged_here`) if known, otherwise from the adviser."""
        decision = self.judged_here
        return as_advice(decision) if decision else self.advice

    def forget(self) -> None:
        """Delete the advice and stop the adviser."""
        if self._question:
            self.adviser.player.stop()
        self.advice = self._question = None

    def toggle(self) -> None:
        """Show or hide advice on the shown position."""
        if self._sitting.game.board.is_over:
            return self._say("There is no move to advise: the game is over.")
        if self.advice:
            self.forget()
        else:
            self.ask()
        return self._say()

    def toggle_values(self) -> None:
        """Toggle the values of the moves in every position."""
        self.shows_values = not self.shows_values
        if not self.shows_values:
            self.forget()
        elif not self.displayed:
            self.ask()
        self._say()

    def ask(self) -> None:
        """Request advice on the shown position, unless the game is over."""
        if not self._sitting.game.board.is_over:
            game = self._question = self._sitting.game.until()
            advise_on, done = partial(self._advise, game), partial(self._answered, game)
            self._start(Work(f"{self.adviser.name} is thinking", advise_on, done, self.adviser.player.stop))

    def _advise(self, game: Game) -> Advice | None:
        """Return the advice, or None if the position has changed. Runs in a worker thread."""
        adviser = self.adviser
        with adviser.in_use:
            return advise(adviser.for_hints(game), game) if game is self._question else None

    def _answered(self, game: Game, advice: Advice | Failure | None) -> None:
        if game is not self._question or advice is None:
            return
        self._question = None
        if isinstance(advice, Failure):
            self._say(f"{self.adviser.name} gives no hint: {advice.why}")
        else:
            self.advice = advice
            self._say()
