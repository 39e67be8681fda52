"""Trials from the first game to the last, or to Ctrl-C, shown as they go on."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from typing import TypeAlias

from rich.console import Console

from experiment.compare.judging.trial import Judgement, Trial
from experiment.compare.match.play_match import play as play_match
from experiment.run.evaluation.frozen_games import Stopped
from experiment.show.progress import make_display
from experiment.workers.shards import Workers
from game.play.pairing import Played

Play: TypeAlias = Callable[[Judgement], Generator[Played, None, None]]
"""Plays the games of a trial in their order, and may note something in its judgement."""


def played_by(workers: Workers) -> Play:
    """Return what plays trials by the match loop; it raises as `play_match.play` does."""
    return lambda judgement: play_match(judgement.trial, workers)


def judge(trials: Sequence[Trial], play: Play, terminal: Console, judgements: list[Judgement]) -> None:
    """Play trials one after another and add what came of each to the judgements; an interrupt ends that.

    After an interrupt, and after an error, the last one has the games that were played. Raises ValueError for
    players that cannot play them, WorkerDiedError, GlueError.
    """
    done, total = 0, sum(trial.games for trial in trials)
    display = make_display(terminal, 0, total, watch=False, what="game")
    with suppress(KeyboardInterrupt, Stopped), display:
        for trial in trials:
            for judgement in _play(trial, play):
                judgements += [judgement] if judgement.summary.total.games == 1 else []
                done += 1
                display.advance(done, [f"{trial.opponent} {judgement.summary.total.score:.3f}"])


def _play(trial: Trial, play: Play) -> Iterator[Judgement]:
    """Yield the judgement after each game."""
    begin, judgement = time.monotonic(), Judgement(trial)
    with closing(play(judgement)) as games:
        for game in games:
            judgement.summary.add(game)
            judgement.summary.seconds = time.monotonic() - begin
            yield judgement
