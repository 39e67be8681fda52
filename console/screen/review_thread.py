"""A review that grows in a thread while somebody looks at it."""

from console.screen.thinking import Failure, Later, Thought
from game import Game
from game.review import Reviewed, Reviewer


class Growing:
    """The review of a game, as far as it is known."""

    def __init__(self, game: Game) -> None:
        """`game` is one that nobody plays on."""
        self.game = game
        self.total = sum(bool(board.legal_moves) for board in game.boards[:-1])
        self.is_done = False
        self.failure = ""
        """Why there is no more of it, in one line."""
        self._found: list[Reviewed] = []
        self._reviewer: Reviewer | None = None
        self._is_stopped = False

    @property
    def found(self) -> list[Reviewed]:
        """The decisions that are known, in the order of the game."""
        return self._found[::-1]

    def start(self, later: Later) -> None:
        """Begin; for `later` see `Thought.start`."""
        Thought(self._grow, self._end).start(later)

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
        self.failure = result.why if isinstance(result, Failure) else ""
        self.is_done = True


class Reviews:
    """The review of one game after another, each begun when somebody wants to know."""

    def __init__(self, later: Later) -> None:
        """For `later` see `Thought.start`."""
        self._later = later
        self._last: Growing | None = None
        self._opened: Growing | None = None

    def of(self, game: Game) -> Growing:
        """Return the review of a game, which grows meanwhile; one that is known is not made again."""
        if self._last is None or self._last.game.boards != game.boards:
            self.drop()
            self._last = Growing(game)
            self._last.start(self._later)
        return self._last

    def opened(self, game: Game) -> Growing:
        """Return the review of a game for somebody to read: `judged` knows it from now on."""
        self._opened = self.of(game)
        return self._opened

    def judged(self, game: Game) -> dict[int, Reviewed]:
        """Return what is known of each decision of a game whose review was opened, by its ply."""
        review = self._opened
        return (
            {each.ply: each for each in review.found} if review and review.game.boards == game.boards else {}
        )

    def drop(self) -> None:
        """End the last one, for a game that nobody looks at any more."""
        if self._last:
            self._last.stop()
        self._last = None
