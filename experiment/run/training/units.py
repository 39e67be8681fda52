"""Units of training: a game over RL-Glue, or a round of self-play in which thousands are played at once."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from experiment.run.episodes.control import AnyGlue
from experiment.run.episodes.loop import Watch, episodes
from experiment.run.episodes.outcomes import Episode, Tally
from experiment.run.episodes.task import Task
from experiment.run.evaluation.opponents import SELF
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.counting import Hundreds, Played
from experiment.show.view import View


class Games:
    """Games over RL-Glue."""

    word, at_once, decisions = "game", 1, 0

    def __init__(
        self,
        glue: AnyGlue,
        task: Task,
        folder: RunFolder,
        view: View,
        before: Sequence[Episode] = (),
        max_steps: int = 0,
        watch: Watch | None = None,
    ) -> None:
        """Go on after the episodes `before`; one is cut off after `max_steps` actions, 0: never."""
        self._folder = folder
        self._hundreds = Hundreds(view, before)
        done = before[-1].index if before else 0
        self._episodes = episodes(glue, task, done + 1, max_steps, watch)

    @property
    def view(self) -> View:
        """See Units."""
        return self._hundreds.view

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred episodes."""
        return self._hundreds.recent

    def play(self, done: int, games: int) -> Played:
        """See Units."""
        episode = next(self._episodes)
        self._folder.add_episode(episode)
        return Played(1, episode.steps, self._hundreds.add(episode))

    def plan_for(self, games: int) -> None:
        """See Units: the agent was told how many there are."""


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

    word = "round"

    def __init__(self, player: RoundPlayer, folder: RunFolder, at_once: int) -> None:
        self.view = View(selfplay=True)
        self.at_once = at_once
        self.recent = Tally()
        """Of the last round, how many games against itself black and white won."""
        self._player = player
        self._folder = folder

    @property
    def decisions(self) -> int:
        """See Units."""
        return self._player.decisions

    def play(self, done: int, games: int) -> Played:
        """See Units."""
        played = self._player.play(done, games)
        tallies = {seat: Tally(*counts) for seat, counts in sorted(played.results.items())}
        games = sum(tally.games for tally in tallies.values())
        results = [Evaluation(done + games, *seat, tally) for seat, tally in tallies.items()]
        self._folder.add_round(results)
        self.recent = total(each for each in results if each.opponent == SELF)
        pool = {name: total(own).score for name, own in by_opponent(results).items() if name != SELF}
        return Played(games, played.decisions, scores=pool)

    def plan_for(self, games: int) -> None:
        """See Units."""
        self._player.plan_for(games)
