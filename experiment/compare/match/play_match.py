"""A match from its first game to its last, or to Ctrl-C, shown as it goes on."""

import time
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from functools import partial

from rich.console import Console

from experiment.compare.match.summary import Summary
from experiment.show.progress import make_display
from experiment.workers.interrupts import Interrupts
from experiment.workers.shards import Workers
from game.play.loop import files_of, parts, play_parts, plays_together
from game.play.pairing import Pairing, Played


def play(
    match: Pairing, workers: Workers, numbers: Sequence[int] | None = None
) -> Generator[Played, None, None]:
    """Play a match, or some of its games, and yield them in their order, the same for any number of workers.

    Raises as `play_parts` and workers do.
    """
    every = parts(range(match.games) if numbers is None else numbers, plays_together(match))
    with closing(workers.in_order(partial(play_parts, match, every), len(every), files_of(match))) as done:
        for part in done:
            yield from part


def play_match(match: Pairing, workers: Workers, terminal: Console) -> tuple[Summary, list[Played]]:
    """Play a match; return its summary and the games that were finished, in their order.

    Raises ValueError for players that cannot play it, WorkerDiedError.
    """
    summary, games, begin = Summary(match), list[Played](), time.monotonic()
    display = make_display(terminal, 0, match.games, watch=False, what="game")
    with suppress(KeyboardInterrupt), Interrupts(), display, closing(play(match, workers)) as played:
        for game in played:
            summary.add(game)
            games.append(game)
            display.advance(len(games), [f"score {summary.total.score:.3f}"])
    summary.seconds = time.monotonic() - begin
    return summary, games
