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
        self._is_stopped = False

    @property
    def found(self) -> list[Reviewed]:
        """The decisions that are known, in the order of the game."""
        return self._found[::-1]

    def start(self, later: Later) -> None:
        """Begin; for `later` see `Thought.start`."""
        Thought(self._grow, self._end).start(later)

    def stop(self) -> None:
        """End after the decision that is looked at now."""
        self._is_stopped = True

    def _grow(self) -> None:
        for each in Reviewer(self.game.size).review(self.game):
            self._found.append(each)
            if self._is_stopped:
                return

    def _end(self, result: Failure | None) -> None:
        self.failure = result.why if isinstance(result, Failure) else ""
        self.is_done = True
