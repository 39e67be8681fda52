"""Evaluate an agent without learning, without exploration and without side effects on later training."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from othello_lab.experiment.run.control import (
    ControlError,
    agent_values,
    environment_state,
    environment_values,
    require,
    restore,
)
from othello_lab.experiment.run.episodes import RunTask, episodes
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
from othello_lab.experiment.run.record import EnvironmentStats
from othello_lab.experiment.workers.interrupts import Stopped
from othello_lab.game.errors import UnplayableError
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.messages import understood

_FREEZES = {"learning": "learning could not be frozen", "exploring": "exploration could not be frozen"}


@dataclass
class FrozenGames:
    """Evaluation games with the same seed for each opponent. The games end if `stop` returns True."""

    glue: Glue
    task: RunTask
    seed: int  # The seed of the evaluation games, independent of training.
    opponent_texts: Sequence[str] = ()  # The registry texts of further opponents.
    max_steps: int = 0
    # A callback before each game, with a text, the number of finished games and the total number of games.
    on_game: Callable[[str, int, int], None] = lambda what, done, total: None
    stop: Callable[[], bool] = lambda: False
    skipped: list[str] = field(default_factory=list)  # The reasons for skipped games.

    def opponents(self) -> list[str]:
        """Return all opponents, the main opponent first. In self-play, the main opponent is STAND_IN."""
        main = str(environment_values(self.glue).get("opponent", ""))
        return list(dict.fromkeys([STAND_IN if main == SELF else main, *self.opponent_texts]))

    def held_out(self) -> list[str]:
        """Return the held-out players except the main opponent, or [] if the board size is unknown."""
        if self.task.size is None:
            return []
        return [name for name in HELD_OUT if name != self.opponents()[0]]

    def from_start(self, after: int, games: int) -> list[Evaluation]:
        """Play `games` games against each opponent, and return a result per opponent and colour.

        Skip opponents that cannot play. Return [] if the environment does not report its state.
        """
        play = partial(self._play, games)
        return [result for name in self.opponents() for result in self._results(after, name, play)]

    def from_openings(self, after: int, opponent: str, count: int | None = None) -> list[Evaluation]:
        """Play one game with each colour from each opening of 4 plies, or from at most `count` openings.

        Return [] if the board size is unknown or if the environment refuses a message.
        """
        if self.task.size is None:
            return []
        from othello_lab.game.openings import openings_at_most  # lazy import: the rules load slowly

        play = partial(self._play_openings, openings_at_most(self.task.size, count))
        return self._results(after, opponent, play, FROM_OPENINGS)

    def _results(
        self, after: int, opponent: str, play: Callable[[str], dict[str, Tally]], suffix: str = ""
    ) -> list[Evaluation]:
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

    def _play(self, games: int, versus: str) -> dict[str, Tally]:
        tallies: dict[str, Tally] = {}
        for episode in self._episodes(f"evaluating{versus}", games):
            tallies.setdefault(episode.colour, Tally()).add(episode.outcome)
        return tallies

    def _play_openings(self, lines: Sequence[str], versus: str) -> dict[str, Tally]:
        tallies = {"black": Tally(), "white": Tally()}
        # The side in the message `first` plays black. After four plies, black moves next.
        for first, colour in (("agent", "black"), ("opponent", "white")):
            require(self.glue, f"first {first}")
            require(self.glue, "episode 0")
            for episode in self._episodes(f"openings as {colour}{versus}", len(lines), lines):
                tallies[colour].add(episode.outcome)
        return tallies

    def _episodes(self, activity: str, games: int, lines: Sequence[str] | None = None) -> Iterator[Episode]:
        """Play and yield `games` episodes. If given, `lines` are the openings of the games."""
        playing = episodes(self.glue, self.task, max_steps=self.max_steps)
        for number in range(games):
            self.on_game(activity, number, games)
            if self.stop():
                raise Stopped
            if lines:
                require(self.glue, f"start {lines[number]}")
            yield next(playing)

    @contextmanager
    def frozen(self, opponent: str) -> Iterator[tuple[str, ...] | None]:
        """Freeze the agent and set the opponent. On exit, restore the agent and the environment.

        Yields notes if learning or exploration cannot be frozen, or None if the environment reports no state.
        """
        before = environment_state(self.glue)
        if before is None:
            self._skip("evaluations skipped: the environment does not tell its state by messages")
            yield None
            return
        # After this message, our environment restores its settings if this process is killed.
        self.glue.RL_env_message("evaluation begins")
        stats = agent_values(self.glue, "stats")
        active = [name for name in _FREEZES if stats.get(name) is not False]
        refused = [name for name in _FREEZES if not understood(self.glue.RL_agent_message(f"freeze {name}"))]
        try:
            require(self.glue, f"seed {self.seed}")
            require(self.glue, "episode 0")
            self._set_opponent(opponent, before.opponent or "")
            yield tuple(_FREEZES[name] for name in refused)
        except BaseException:
            with suppress(GlueError):  # report only the first error: a peer that left cannot be restored
                self._restore(before, active)
            raise
        else:
            self._restore(before, active)

    def _set_opponent(self, opponent: str, current: str) -> None:
        """Set the opponent. Raises ControlError if a later restore of the opponent `current` would fail."""
        if current == SELF and opponent == STAND_IN and opponent not in self.opponent_texts:
            require(self.glue, "first agent")
        if opponent != current:
            require(self.glue, f"opponent {current}")
            require(self.glue, f"opponent {opponent}")

    def _restore(self, before: EnvironmentStats, active: Sequence[str]) -> None:
        try:
            restore(self.glue, before)
            self.glue.RL_env_message("evaluation ends")
        finally:
            for name in active:
                self.glue.RL_agent_message(f"unfreeze {name}")

    def _skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)
