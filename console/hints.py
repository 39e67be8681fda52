"""Hints: what is known of the moves in the position that is shown, from an adviser or a review."""

from collections.abc import Callable
from functools import partial

from console.advice import Advice, advise
from console.reviewing import as_advice
from console.seat import Seat
from console.table import Table
from console.work import Failure, Reviews, Start, Work
from game import Game
from game.review import Reviewed


class Hints:
    """What the adviser of a table says, once or in every position, and what a review has found."""

    advice: Advice | None = None
    """What it says of the position that is shown."""
    shows_values = False
    """Whether each position that a person looks at gets its advice."""

    def __init__(self, table: Table, reviews: Reviews, start: Start, say: Callable[..., None]) -> None:
        """`say` takes what is to be said; it is called without a word where advice comes or goes."""
        self._table, self._reviews, self._start, self._say = table, reviews, start, say
        self._unadvised: Game | None = None

    @property
    def adviser(self) -> Seat:
        """Who gives them."""
        return self._table.adviser

    @property
    def is_asked(self) -> bool:
        """Whether the adviser thinks."""
        return self._unadvised is not None

    @property
    def judged(self) -> dict[int, Reviewed]:
        """What an opened review of this game has found, by the number of moves before each decision."""
        return self._reviews.judged(self._table.sitting.record().game)

    @property
    def shown(self) -> Advice | None:
        """What is shown of the moves: what the adviser says, or what a review found here."""
        found = None if self.advice else self.judged.get(self._table.sitting.ply)
        return as_advice(found) if found else self.advice

    def forget(self) -> None:
        """Drop what was said of another position, and what comes of it later."""
        self.advice = self._unadvised = None

    def toggle(self) -> None:
        """Ask about the position that is shown, or have what was said disappear."""
        if self.advice:
            self.advice = None
            self._say()
        elif self._table.sitting.game.board.is_over:
            self._say("There is no move to advise: the game is over.")
        else:
            self.ask()
            self._say()

    def toggle_values(self) -> None:
        """Have each position show its values, or no longer."""
        self.shows_values = not self.shows_values
        if bool(self.advice) != self.shows_values:
            self.toggle()

    def ask(self) -> None:
        """Ask about the position that is shown, unless it has no move."""
        if not self._table.sitting.game.board.is_over:
            game = self._unadvised = self._table.sitting.game.until()
            find, told = partial(self._advice_of, game), partial(self._told, game)
            self._start(Work(f"{self.adviser.name} is thinking", find, told, self.adviser.player.stop))

    def _advice_of(self, game: Game) -> Advice | None:
        """Return what the adviser says, in its thread; None if nobody wants it any more."""
        adviser = self._table.adviser
        with adviser.in_use:
            return advise(adviser.aside(game), game) if game is self._unadvised else None

    def _told(self, game: Game, advice: Advice | Failure | None) -> None:
        if game is not self._unadvised or advice is None:
            return
        self._unadvised = None
        if isinstance(advice, Failure):
            self._say(f"{self.adviser.name} gives no hint: {advice.why}")
        else:
            self.advice = advice
            self._say()
