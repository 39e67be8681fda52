"""Evaluation: games with learning and exploration frozen, after which training goes on as if they had
never been played.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice

from experiment.control import (
    AnyGlue,
    ControlError,
    EnvironmentState,
    environment_values,
    require,
    tell_agent,
)
from experiment.loop import Watch, episodes
from experiment.outcomes import Tally
from experiment.task import Task
from rlglue.errors import GlueError

FROM_OPENINGS = " (openings)"
"""Added to the opponent's name where the games began from the openings."""

_FREEZES = {"learning": "learning could not be frozen", "exploring": "exploration could not be frozen"}


class Stopped(Exception):  # noqa: N818  not an error: somebody has asked to stop
    """An evaluation was broken off; it has no result."""


@dataclass(frozen=True)
class Evaluation:
    """The result of some games without learning and exploration."""

    episode: int
    """How many training episodes the agent had behind it."""
    opponent: str
    colour: str
    """The agent's: black, white or both; "" if the environment does not tell."""
    tally: Tally
    notes: tuple[str, ...] = ()


@dataclass
class Evaluator:
    """Plays evaluation games; `skipped` holds the reasons why some could not be played."""

    glue: AnyGlue
    task: Task
    seed: int
    """Of the evaluation games, which have a stream of their own."""
    max_steps: int = 0
    watch: Watch | None = None
    on_game: Callable[[str, int, int], None] = lambda what, done, total: None
    stop: Callable[[], bool] = lambda: False
    skipped: list[str] = field(default_factory=list)

    def games(self, episode: int, games: int) -> Evaluation | None:
        """Play against the environment's own opponent; None if the environment does not obey.

        Raises Stopped.
        """
        try:
            return self._games(episode, games)
        except ControlError as error:
            self._skip(f"evaluations skipped: {error}")
            return None

    def _games(self, episode: int, games: int) -> Evaluation | None:
        with self._undisturbed() as frozen:
            if frozen is None:
                return None
            opponent = str(environment_values(self.glue).get("opponent", ""))
            tally, colour = self._play("evaluating", games)
            return Evaluation(episode, opponent, colour, tally, frozen)

    def openings(self, episode: int) -> list[Evaluation]:
        """Play from each opening of 4 plies, as black and as white; empty if the environment does not obey.

        Raises Stopped.
        """
        try:
            return self._openings(episode)
        except ControlError as error:
            self._skip(f"the evaluation from openings skipped: {error}")
            return []

    def _openings(self, episode: int) -> list[Evaluation]:
        with self._undisturbed() as frozen:
            if frozen is None or self.task.size is None:
                return []
            opponent = str(environment_values(self.glue).get("opponent", "")) + FROM_OPENINGS
            # Black is to move after four plies, so who is `first`, that is black, begins.
            black, white = self._from_openings("agent"), self._from_openings("opponent")
        return [
            Evaluation(episode, opponent, colour, tally, frozen)
            for colour, tally in (("black", black), ("white", white))
        ]

    def _from_openings(self, first: str) -> Tally:
        from game.openings import openings

        assert self.task.size is not None  # noqa: S101  _openings() has looked
        lines = openings(self.task.size)
        tally = Tally()
        require(self.glue, f"first {first}")
        require(self.glue, "episode 0")
        games = episodes(self.glue, self.task, max_steps=self.max_steps, watch=self.watch)
        for number, opening in enumerate(lines, 1):
            self._pause(f"openings, {first} first,", number - 1, len(lines))
            require(self.glue, f"start {opening.transcript()}")
            tally.add(next(games).outcome)
        return tally

    def _play(self, what: str, games: int) -> tuple[Tally, str]:
        tally, colours = Tally(), set[str]()
        played = episodes(self.glue, self.task, max_steps=self.max_steps, watch=self.watch)
        for episode in islice(played, games):
            tally.add(episode.outcome)
            colours.add(episode.colour)
            self._pause(what, episode.index, games)
        return tally, colours.pop() if len(colours) == 1 else "both"

    def _pause(self, what: str, done: int, total: int) -> None:
        self.on_game(what, done, total)
        if self.stop():
            raise Stopped

    @contextmanager
    def _undisturbed(self) -> Iterator[tuple[str, ...] | None]:
        """Freeze the agent and seed the environment for evaluation; undo both, come what may.

        Yields what could not be frozen, None if the environment understands no messages.
        """
        before = EnvironmentState.of(self.glue)
        if before is None:
            self._skip("evaluations skipped: the environment does not tell its state by messages")
            yield None
            return
        notes = tuple(note for name, note in _FREEZES.items() if not tell_agent(self.glue, f"freeze {name}"))
        try:
            require(self.glue, f"seed {self.seed}")
            require(self.glue, "episode 0")
            yield notes
        except BaseException:
            # The error that passes through is the news; who is gone cannot be put back.
            with suppress(GlueError):
                self._restore(before)
            raise
        else:
            self._restore(before)

    def _restore(self, before: EnvironmentState) -> None:
        try:
            before.restore(self.glue)
        finally:
            for name in _FREEZES:
                tell_agent(self.glue, f"unfreeze {name}")

    def _skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)
