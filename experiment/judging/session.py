"""Trials from the first game to the last, or to Ctrl-C, shown as they go on."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TypeAlias

from rich.console import Console

from experiment.display.progress import Display, make_display
from experiment.evaluation.frozen_games import Stopped
from experiment.judging.trial import Judgement, Trial
from experiment.match.loop import Played, play_games
from experiment.workers.pool import Pool

Play: TypeAlias = Callable[[Judgement], Generator[Played, None, None]]
"""Plays the games of a trial in their order, and may note something in its judgement."""


@contextmanager
def playing_here(jobs: int) -> Iterator[Play]:
    """Yield what plays trials by the match loop, on `jobs` processes; it raises as `match.loop.play` does."""
    with Pool(jobs) as pool:
        yield lambda judgement: pool.in_order(partial(play_games, judgement.trial), judgement.trial.games)


def judge(trials: Sequence[Trial], play: Play, terminal: Console) -> list[Judgement]:
    """Play trials one after another; after an interrupt what was finished, the last one in part.

    Raises ValueError for players that cannot play them, WorkerDiedError, GlueError.
    """
    judgements, total = list[Judgement](), sum(trial.games for trial in trials)
    display = make_display(terminal, 0, total, watch=False, what="game")
    with suppress(KeyboardInterrupt, Stopped), display:
        for trial in trials:
            before = sum(judgement.summary.total.games for judgement in judgements)
            judgements.append(Judgement(trial))
            _play(judgements[-1], play, display, before)
    return [judgement for judgement in judgements if judgement.summary.total.games]


def _play(judgement: Judgement, play: Play, display: Display, before: int) -> None:
    begin, trial, summary = time.monotonic(), judgement.trial, judgement.summary
    with closing(play(judgement)) as games:
        for done, game in enumerate(games, before + 1):
            summary.add(game)
            summary.seconds = time.monotonic() - begin
            display.advance(done, [f"{trial.opponent} {summary.total.score:.3f}"])
