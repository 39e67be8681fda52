"""The evaluations of a run: those on the way and the last one, played and recorded."""

import time
from collections.abc import Callable
from functools import partial

from experiment.run import yardstick
from experiment.run.frozen_games import FrozenGames
from experiment.run.outcomes import Evaluation, RunResult
from experiment.run.record import TrainingConfig
from experiment.run.run_folder import RunFolder
from experiment.run.training.monitor import Monitor
from game.openings import openings_at_most
from game.players.base import Forfeit, UnplayableError
from rlglue.errors import GlueError

HELD_OUT_GAMES = 100
"""At most this many against each player that the agent never met; fewer if the final evaluation has fewer."""


class Evaluations:
    """Has evaluation games played, records their results and puts those of the last one into the report."""

    def __init__(
        self,
        games: FrozenGames,
        config: TrainingConfig,
        folder: RunFolder,
        monitor: Monitor,
        report: RunResult,
        no_yardstick: str | None,
    ) -> None:
        """`no_yardstick` says why the last one has no yardstick; None: it has one."""
        self._games = games
        self._config = config
        self._folder = folder
        self._monitor = monitor
        self._report = report
        self._no_yardstick = no_yardstick

    def periodic(self, done: int) -> None:
        """Play the evaluation that is due after this many training episodes."""
        if games := self._config.eval_games:
            self._record(lambda: self._games.from_start(done, games), final=False)

    def final(self, done: int) -> None:
        """Play the evaluation at the end of the run."""
        games, report = self._games, self._report
        report.evaluations += self._record(lambda: games.from_start(done, self._config.final_games))
        main = games.opponents()[0]
        report.evaluations += self._record(lambda: games.from_openings(done, main))
        self._play_held_out(done)
        if self._no_yardstick is None:
            self._play_yardstick(done)
        else:
            report.no_yardstick = self._no_yardstick

    def _record(self, play: Callable[[], list[Evaluation]], final: bool = True) -> list[Evaluation]:
        """Have evaluation games played, record their results and return them."""
        begin = time.monotonic()
        results = play()
        for result in results:
            self._folder.add_evaluation(result)
        self._monitor.evaluations(results, time.monotonic() - begin, final)
        return results

    def _play_held_out(self, done: int) -> None:
        openings = _held_out_openings(self._config)
        for name in self._games.held_out():
            results = self._record(partial(self._games.from_openings, done, name, openings))
            if not results:  # an environment that refuses one refuses all
                return
            self._report.held_out += results

    def _play_yardstick(self, done: int) -> None:
        """Play the yardstick, whose failure is a note: the run is all but over."""
        levels = yardstick.measure(partial(self._games.from_openings, done, strict=True))
        try:
            while results := self._record(lambda: next(levels, [])):
                self._report.yardstick += results
        except (GlueError, Forfeit, UnplayableError) as error:
            self._report.notes.append(f"the yardstick broke off: {error}")


def games_from_openings(games: FrozenGames, config: TrainingConfig, with_yardstick: bool) -> int:
    """Return how many games the final evaluation has besides its `final_games` against each opponent."""
    size = games.task.size
    if size is None:
        return 0
    main, held_out = (len(openings_at_most(size, most)) for most in (None, _held_out_openings(config)))
    levels = yardstick.OPENINGS * len(yardstick.LEVELS) if with_yardstick else 0
    return 2 * (main + held_out * len(games.held_out()) + levels)


def _held_out_openings(config: TrainingConfig) -> int:
    """How many openings are played against each held-out player; a slow agent has few final games."""
    return max(1, min(HELD_OUT_GAMES, config.final_games) // 2)
