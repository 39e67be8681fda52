"""Evaluation: games with learning and exploration frozen, after which training continues as if they had
never been played.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from othello_lab.experiment.run.control import (
    ControlError,
    EnvironmentState,
    agent_values,
    environment_values,
    require,
    tell_agent,
    tell_environment,
)
from othello_lab.experiment.run.episodes import RunTask, Watch, episodes
from othello_lab.experiment.run.outcomes import (
    FROM_OPENINGS,
    HELD_OUT,
    SELF,
    STAND_IN,
    Episode,
    Evaluation,
    Tally,
    against,
)
from othello_lab.game.errors import UnplayableError
from rlglue.errors import GlueError
from rlglue.glue import Glue

_FREEZES = {"learning": "learning could not be frozen", "exploring": "exploration could not be frozen"}


class Stopped(Exception):  # noqa: N818  not an error: an interrupt asked to stop
    """An evaluation was stopped before its end; it has no result."""


@dataclass
class FrozenGames:
    """Plays evaluation games.

    Each opponent's games come from the same seed, so its results do not depend on the other opponents.
    Every method that plays raises Stopped.
    """

    glue: Glue
    task: RunTask
    seed: int
    """Seed of the evaluation games, whose random numbers are separate from those of training."""
    opponent_texts: Sequence[str] = ()
    """Registry texts of opponents besides the environment's own."""
    max_steps: int = 0
    watch: Watch | None = None
    on_game: Callable[[str, int, int], None] = lambda what, done, total: None
    """Callback before each game, for the display."""
    stop: Callable[[], bool] = lambda: False
    ended: Callable[[int, Episode], None] = lambda after, episode: None
    """Callback after each game; `after` is the number of training games before it."""
    skipped: list[str] = field(default_factory=list)
    """Reasons why some games could not be played."""

    def opponents(self) -> list[str]:
        """Return all opponents, the main one first; "" for one that the environment does not name."""
        main = str(environment_values(self.glue).get("opponent", ""))
        return list(dict.fromkeys([STAND_IN if main == SELF else main, *self.opponent_texts]))

    def held_out(self) -> list[str]:
        """Return the players that the agent never met in training; none if the board size is unknown."""
        if self.task.size is None:
            return []
        return [name for name in HELD_OUT if name != self.opponents()[0]]

    def from_start(self, after: int, games: int) -> list[Evaluation]:
        """Play `games` games against each opponent; return a result for each opponent and colour.

        An opponent that the environment refuses, or that cannot play on this board, is left out. The list is
        empty if the environment does not take messages.
        """
        play = partial(self._play, after, games)
        return [result for name in self.opponents() for result in self._results(after, name, play)]

    def from_openings(self, after: int, opponent: str, count: int | None = None) -> list[Evaluation]:
        """Play from each opening of 4 plies, or at most `count` of them, as black and as white.

        The list is empty if the environment does not take the messages that this needs.
        """
        if self.task.size is None:
            return []
        from othello_lab.game.openings import openings_at_most  # here: the rules load slowly

        play = partial(self._play_openings, after, openings_at_most(self.task.size, count))
        return self._results(after, opponent, play, FROM_OPENINGS)

    def _results(
        self, after: int, opponent: str, play: Callable[[str], dict[str, Tally]], suffix: str = ""
    ) -> list[Evaluation]:
        """Play games and return their results, by the agent's colour."""
        try:
            with self.frozen(opponent) as notes:
                if notes is None:
                    return []
                tallies = play(against(opponent))
        except (ControlError, UnplayableError) as error:
            self._skip(f"evaluation{against(opponent + suffix)} skipped: {error}")
            return []
        return [
            Evaluation(after, opponent + suffix, colour, tallies[colour], notes) for colour in sorted(tallies)
        ]

    def _play(self, after: int, games: int, versus: str) -> dict[str, Tally]:
        tallies: dict[str, Tally] = {}
        for episode in self._episodes(after, f"evaluating{versus}", games):
            tallies.setdefault(episode.colour, Tally()).add(episode.outcome)
        return tallies

    def _play_openings(self, after: int, lines: Sequence[str], versus: str) -> dict[str, Tally]:
        tallies = {"black": Tally(), "white": Tally()}
        # Black is to move after four plies, so whoever is `first`, that is black, begins.
        for first, colour in (("agent", "black"), ("opponent", "white")):
            require(self.glue, f"first {first}")
            require(self.glue, "episode 0")
            for episode in self._episodes(after, f"openings as {colour}{versus}", len(lines), lines):
                tallies[colour].add(episode.outcome)
        return tallies

    def _episodes(
        self, after: int, activity: str, games: int, lines: Sequence[str] | None = None
    ) -> Iterator[Episode]:
        """Play games, each from its opening in `lines` if there are any."""
        playing = episodes(self.glue, self.task, max_steps=self.max_steps, watch=self.watch)
        for number in range(games):
            self.on_game(activity, number, games)
            if self.stop():
                raise Stopped
            if lines:
                require(self.glue, f"start {lines[number]}")
            episode = next(playing)
            self.ended(after, episode)
            yield episode

    @contextmanager
    def frozen(self, opponent: str) -> Iterator[tuple[str, ...] | None]:
        """Freeze the agent and make the environment play as `opponent`; undo both at the end.

        An agent that was frozen before stays frozen: its `stats` have `learning` and `exploring`. An agent
        without them is assumed to learn and to explore, as agents do when they start. Yields what could not
        be frozen, None if the environment understands no messages.
        """
        before = EnvironmentState.of(self.glue)
        if before is None:
            self._skip("evaluations skipped: the environment does not tell its state by messages")
            yield None
            return
        # Our environment then restores itself if this process is killed; others may not know the message.
        tell_environment(self.glue, "evaluation begins")
        stats = agent_values(self.glue, "stats")
        active = [name for name in _FREEZES if stats.get(name) is not False]
        notes = tuple(note for name, note in _FREEZES.items() if not tell_agent(self.glue, f"freeze {name}"))
        try:
            require(self.glue, f"seed {self.seed}")
            require(self.glue, "episode 0")
            self._set_opponent(opponent, before.opponent)
            yield notes
        except BaseException:
            # That error is the one to report; a peer that has left cannot be restored.
            with suppress(GlueError):
                self._restore(before, active)
            raise
        else:
            self._restore(before, active)

    def _set_opponent(self, opponent: str, current: str) -> None:
        """Replace the environment's current opponent, if that can be undone."""
        if current == SELF and opponent == STAND_IN and opponent not in self.opponent_texts:
            require(self.glue, "first agent")
        if opponent != current:
            require(self.glue, f"opponent {current}")
            require(self.glue, f"opponent {opponent}")

    def _restore(self, before: EnvironmentState, active: Sequence[str]) -> None:
        try:
            before.restore(self.glue)
            tell_environment(self.glue, "evaluation ends")
        finally:
            for name in active:
                tell_agent(self.glue, f"unfreeze {name}")

    def _skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)
