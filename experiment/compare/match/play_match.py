"""A match from its first game to its last, or to Ctrl-C, shown as it goes on."""

import time
from contextlib import closing, suppress

from rich.console import Console

from experiment.compare.match.loop import Match, Played, play
from experiment.compare.match.summary import Summary
from experiment.show.progress import make_display
from experiment.workers.interrupts import Interrupts
from experiment.workers.shards import Workers


def play_match(match: Match, workers: Workers, terminal: Console) -> tuple[Summary, list[Played]]:
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
