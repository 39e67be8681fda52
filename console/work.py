"""Work that takes a while, such as a player's move or a review, and what is done with what comes of it."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from game import Game
from game.players.base import Forfeit
from game.review import Reviewed, Reviewer

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Failure:
    """Why nothing comes of a piece of work, in one line."""

    why: str


@dataclass(frozen=True)
class Work(Generic[Result]):
    """Something to be done by whoever shows the game: in a thread, or while the person waits."""

    what: str
    """What is waited for, such as `level:3 is thinking`."""
    do: Callable[[], Result]
    done: Callable[[Result | Failure], None]
    """Takes the result, in the thread of whoever shows the game."""
    stop: Callable[[], None] = lambda: None
    """Has it end soon, from another thread."""

    def result(self) -> Result | Failure:
        """Do it; what a player raises, also one of somebody else's, is a Failure: the game outlives it."""
        try:
            return self.do()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")


def paced(work: Callable[[], Result], seconds: float) -> Result:
    """Return what comes of it, not before this many seconds."""
    due = time.monotonic() + seconds
    result = work()
    time.sleep(max(0.0, due - time.monotonic()))
    return result


Start = Callable[[Work[Any]], None]
"""Has a piece of work done, now or soon."""


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


class Reviews:
    """The review of one game after another, each begun when somebody wants to know."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._last: Review | None = None

    def of(self, game: Game) -> Review:
        """Return the review of a game, which grows meanwhile; one that is known is not made again."""
        if self._last is None or self._last.game.boards != game.boards:
            self.drop()
            self._last = Review(game)
            self._start(self._last.work)
        return self._last

    def judged(self, game: Game) -> dict[int, Reviewed]:
        """Return what is known of each decision of a game whose review was opened, by its ply."""
        review = self._last
        if not (review and review.is_opened and review.game.boards == game.boards):
            return {}
        return {each.ply: each for each in review.found}

    def drop(self) -> None:
        """End the last one, for a game that nobody looks at any more."""
        if self._last:
            self._last.stop()
        self._last = None
