"""Hints and reviews: what is known of the moves in a position, from an adviser or of a whole game."""

from collections.abc import Callable
from functools import partial

from othello_lab.console.advice import Advice, advise
from othello_lab.console.reviewing import as_advice
from othello_lab.console.seat import Seat
from othello_lab.console.table import Table
from othello_lab.console.work import Failure, Start, Work
from othello_lab.game import Game
from othello_lab.game.review import Reviewed, Reviewer


class Review:
    """The review of a game, as far as it is known."""

    is_done = False
    is_opened = False
    """Whether somebody wants to read it; else it only serves the card at the end of a game."""
    failure = ""
    """That it stops here and why, in one line."""

    def __init__(self, game: Game) -> None:
        """`game` is one that nobody plays on."""
        self.game = game
        self._total = sum(bool(board.legal_moves) for board in game.boards[:-1])
        self._found: list[Reviewed] = []
        self._reviewer: Reviewer | None = None
        self._is_stopped = False

    @property
    def found(self) -> list[Reviewed]:
        """The decisions that are known, in the order of the game."""
        return self._found[::-1]

    @property
    def work(self) -> Work[None]:
        """What finds it."""
        return Work("the solver is thinking", self._grow, self._end, self.stop)

    @property
    def progress(self) -> str:
        """How far it is."""
        return f"{len(self._found)} of {self._total} decisions"

    def stop(self) -> None:
        """End it: nothing more is found."""
        self._is_stopped = True
        if self._reviewer:
            self._reviewer.stop()

    def _grow(self) -> None:
        self._reviewer = Reviewer(self.game.size)
        if not self._is_stopped:
            for each in self._reviewer.review(self.game):
                self._found.append(each)

    def _end(self, result: Failure | None) -> None:
        self.failure = f"The review stops here: {result.why}" if result else ""
        self.is_done = True


class Hints:
    """What the adviser of a table says, once or in every position, and what a review of the game finds."""

    advice: Advice | None = None
    """What the adviser says of the position that is shown."""
    shows_values = False
    """Whether each position that a person looks at gets its advice."""

    def __init__(self, table: Table, start: Start, say: Callable[..., None]) -> None:
        """`say` takes what is to be said; it is called without a word where advice comes or goes."""
        self._table, self._start, self._say = table, start, say
        self._unadvised: Game | None = None
        self._review: Review | None = None
        self._is_wanted = False
        """Whether a person asked for a hint in this position, which a review may have judged already."""

    def review(self, game: Game) -> Review:
        """Return the review of a game, which grows meanwhile; one that is known is not made again."""
        if self._review is None or self._review.game.boards != game.boards:
            self.drop_review()
            self._review = Review(game)
            self._start(self._review.work)
        return self._review

    def drop_review(self) -> None:
        """End the last review, of a game that nobody looks at any more."""
        if self._review:
            self._review.stop()
        self._review = None

    @property
    def reviewed(self) -> Review | None:
        """The review of the game as it is now, where there is one."""
        review, boards = self._review, self._table.sitting.record().game.boards
        return review if review and review.game.boards == boards else None

    @property
    def judged(self) -> dict[int, Reviewed]:
        """What an opened review of this game has found, by the number of moves before each decision."""
        review = self.reviewed
        return {each.ply: each for each in review.found} if review and review.is_opened else {}

    @property
    def judged_here(self) -> Reviewed | None:
        """What such a review has found in the position that is shown, unless a hint was asked for there."""
        return None if self._is_wanted else self.judged.get(self._table.sitting.ply)

    @property
    def adviser(self) -> Seat:
        """Who gives them."""
        return self._table.adviser

    @property
    def is_asked(self) -> bool:
        """Whether the adviser thinks."""
        return self._unadvised is not None

    @property
    def shown(self) -> Advice | None:
        """What is shown of the moves: what a review found here, or what the adviser says."""
        found = self.judged_here
        return as_advice(found) if found else self.advice

    def forget(self) -> None:
        """Drop what was said of another position, and what comes of it later."""
        if self._unadvised:
            self.adviser.player.stop()
        self.advice = self._unadvised = None
        self._is_wanted = False

    def toggle(self, is_wanted: bool = True) -> None:
        """Ask about the position that is shown, or have what was said disappear."""
        if self.advice and not self.judged_here:
            self.forget()
            self._say()
        elif self._table.sitting.game.board.is_over:
            self._say("There is no move to advise: the game is over.")
        else:
            self._is_wanted = is_wanted
            self.ask()
            self._say()

    def toggle_values(self) -> None:
        """Have each position show its values, or no longer."""
        self.shows_values = not self.shows_values
        if not self.shows_values:
            self.forget()
            self._say()
        elif not self.advice:
            self.toggle(is_wanted=False)

    def ask(self) -> None:
        """Ask about the position that is shown, unless it has no move or a review has judged it."""
        if not (self._table.sitting.game.board.is_over or self.judged_here):
            game = self._unadvised = self._table.sitting.game.until()
            find, told = partial(self._advice_of, game), partial(self._told, game)
            self._start(Work(f"{self.adviser.name} is thinking", find, told, self.adviser.player.stop))

    def _advice_of(self, game: Game) -> Advice | None:
        """Return what the adviser says, in its thread; None if nobody wants it any more."""
        adviser = self._table.adviser
        with adviser.in_use:
            return advise(adviser.for_hints(game), game) if game is self._unadvised else None

    def _told(self, game: Game, advice: Advice | Failure | None) -> None:
        if game is not self._unadvised or advice is None:
            return
        self._unadvised = None
        if isinstance(advice, Failure):
            self._is_wanted = False
            self._say(f"{self.adviser.name} gives no hint: {advice.why}")
        else:
            self.advice = advice
            self._say()
