"""Trials: matches in which an agent is judged by its opponents, played and shown as they go on."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from rich.console import Console

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.compare.match import play as play_match
from othello_lab.experiment.run.evaluation import Stopped
from othello_lab.experiment.show.progress import make_display
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game.play import Pairing, Played
from othello_lab.game.records import Record


@dataclass(frozen=True)
class Trial(Pairing):
    """A match with the names of those who play it."""

    agent: str = ""
    """What to call A; `a` may be a command line, or "" for an agent that has connected."""
    opponent: str = ""
    """What to call B."""


@dataclass
class Judgement:
    """What came of a trial."""

    trial: Trial
    summary: Summary = field(init=False)
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the agent went on learning."""
    lost: list[Record] = field(default_factory=list)
    """The games that the agent lost."""

    def __post_init__(self) -> None:
        self.summary = Summary(self.trial)

    @property
    def discs(self) -> float | None:
        """The agent's discs minus the opponent's, the mean; None where every game was forfeited."""
        return self.summary.mean_discs

    def forfeits(self, side: str) -> int:
        """Return how many games the agent, `a`, or the opponent, `b`, forfeited."""
        return self.summary.forfeits[side].total()


OPPONENTS: Mapping[str, str] = {
    "random": "random",
    "corner-greedy": "corner-greedy",
    "weights:swh": "weights:swh",
    "weights:heur": "weights:heur",
    "weights:bench": "weights:bench",
    "positional": "positional",
    "positional 4-ply": "alphabeta:depth=4,eval=positional",
    "mobility 4-ply": "alphabeta:depth=4,eval=mobility",
}
"""What they are called, and their registry texts; they play on every board."""


Play: TypeAlias = Callable[[Judgement], Generator[Played, None, None]]
"""Plays the games of a trial in their order, and may note something in its judgement."""


def played_by(workers: Workers) -> Play:
    """Return what plays trials by the match loop; it raises as `experiment.compare.match.play` does."""
    return lambda judgement: play_match(judgement.trial, workers)


def judge(trials: Sequence[Trial], play: Play, terminal: Console, judgements: list[Judgement]) -> None:
    """Play trials one after another and add what came of each to the judgements; an interrupt ends that.

    After an interrupt, and after an error, the last one has the games that were played. Raises ValueError for
    players that cannot play them, WorkersError, GlueError.
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
            judgement.lost += [game.record] if game.points == 0 else []
            judgement.summary.seconds = time.monotonic() - begin
            yield judgement
