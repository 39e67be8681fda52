"""Training: a unit of games is played, again and again, and the run is saved and evaluated at intervals.

A unit is a game over RL-Glue, or a round of self-play in which thousands are played at once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from othello_lab.experiment.run.episodes import Task, Watch, episodes
from othello_lab.experiment.run.frozen_games import Stopped
from othello_lab.experiment.run.outcomes import SELF, Episode, Evaluation, Tally, View, by_opponent, total
from othello_lab.experiment.run.record import TrainingConfig
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.length import Hundreds, Length, Mark, Pace, Played
from othello_lab.experiment.run.training.monitor import Monitor
from rlglue.glue import Glue


class Trainer:
    """Plays the training games of a run, whatever a unit of them is."""

    def __init__(
        self,
        units: "Games | Rounds",
        config: TrainingConfig,
        folder: RunFolder,
        pace: Pace,
        monitor: Monitor,
        save: Callable[[int], None],
        evaluate: Callable[[int], None],
    ) -> None:
        """`save` saves after this many games, `evaluate` plays the evaluation that is due then."""
        self._units = units
        self._config = config
        self._pace = pace
        self._monitor = monitor
        self._save = save
        self._evaluate = evaluate
        self._before = seconds_trained(folder)
        self._length = Length(config, self._before, units.decisions)

    def run(self, stop: Callable[[], bool]) -> None:
        """Train to the end of the run; raise Stopped once `stop` answers true."""
        now = self._length.mark(self._pace.done)
        # Before the first game. In a resumed run again: its results were cut off with what came after them.
        self._evaluate_if_due(self._length.a_round_before(now, self._units.at_once), now)
        while now.share < 1:
            before, now = now, self._play(now)
            if stop():
                raise Stopped
            if self._length.passed(self._config.save_every, before, now):
                self._save(now.games)
            self._evaluate_if_due(before, now)

    def _play(self, now: Mark) -> Mark:
        """Play a unit; return where the run is then."""
        length, pace, config = self._length, self._pace, self._config
        # A run that goes on for longer than was planned: else its learning rate would have fallen to 0.
        if now.share if config.is_open else config.episodes > config.planned_episodes:
            self._units.plan_for(length.estimated(now).episodes)
        played = self._units.play(now.games, length.next_round(now.games, self._units.at_once))
        pace.add(played.games, played.decisions)
        length.seconds, length.decisions = self._before + pace.work.seconds, self._units.decisions
        mark = length.mark(pace.done)
        self._monitor.played(played, length.seconds, length.estimated(mark))
        return mark

    def _evaluate_if_due(self, before: Mark, now: Mark) -> None:
        # The last has the final one instead.
        if now.share < 1 and self._length.passed(self._config.eval_every, before, now):
            self._evaluate(now.games)


def seconds_trained(folder: RunFolder) -> float:
    """Return how long a run has been training, by what it has recorded."""
    seconds = [line["seconds"] for line in folder.metrics() if isinstance(line.get("seconds"), int | float)]
    return float(seconds[-1]) if seconds else 0.0


class Games:
    """Games over RL-Glue."""

    at_once, decisions = 1, 0

    def __init__(
        self,
        glue: Glue,
        task: Task,
        folder: RunFolder,
        view: View,
        before: Sequence[Episode] = (),
        max_steps: int = 0,
        watch: Watch | None = None,
        ended: Callable[[Episode], None] = lambda episode: None,
    ) -> None:
        """Go on after the episodes `before`; one is cut off after `max_steps` actions, 0: never.

        `ended` is told each at its end.
        """
        self._folder, self._ended = folder, ended
        self._hundreds = Hundreds(view, before)
        done = before[-1].index if before else 0
        self._episodes = episodes(glue, task, done + 1, max_steps, watch)

    def play(self, done: int, games: int) -> Played:
        """Play a game and record it."""
        episode = next(self._episodes)
        self._folder.add_episode(episode)
        self._ended(episode)
        line = self._hundreds.add(episode)
        return Played(1, episode.steps, self._hundreds.recent, line)

    def plan_for(self, games: int) -> None:
        """Do nothing: the agent was told how many there are."""


class Round(Protocol):
    """Games that were played at once, and learned from."""

    @property
    def results(self) -> Mapping[tuple[str, str], tuple[int, int, int]]:
        """How many were won, drawn and lost, by opponent (a player of the pool, or SELF) and colour.

        The colour is the learner's; against itself it is black, whose win counts as one.
        """

    @property
    def decisions(self) -> int:
        """How many of both sides there were to learn from."""


class RoundPlayer(Protocol):
    """Whoever plays rounds, thousands of games at once, with the learner of the agent."""

    @property
    def decisions(self) -> int:
        """How many it has learned from, in all games so far."""

    def play(self, done: int, games: int) -> Round:
        """Play this many games after those that are done, learn from them and count them."""

    def plan_for(self, games: int) -> None:
        """Have schedules that follow the length of the run go by this estimate of it."""


class Rounds:
    """Rounds of self-play."""

    def __init__(self, player: RoundPlayer, folder: RunFolder, at_once: int) -> None:
        self.at_once = at_once
        """The games of a whole round."""
        self._player = player
        self._folder = folder

    @property
    def decisions(self) -> int:
        """How many the learner has learned from, in all games so far."""
        return self._player.decisions

    def play(self, done: int, games: int) -> Played:
        """Play a round of this many games after those that are done, and record it."""
        played = self._player.play(done, games)
        tallies = {seat: Tally(*counts) for seat, counts in sorted(played.results.items())}
        games = sum(tally.games for tally in tallies.values())
        results = [Evaluation(done + games, *seat, tally) for seat, tally in tallies.items()]
        self._folder.add_round(results)
        recent = total(each for each in results if each.opponent == SELF)  # how many black and white won
        pool = {name: total(own).score for name, own in by_opponent(results).items() if name != SELF}
        return Played(games, played.decisions, recent, scores=pool)

    def plan_for(self, games: int) -> None:
        """See RoundPlayer."""
        self._player.plan_for(games)
