"""A tournament from its first missing game to its last, or to Ctrl-C, shown as it goes on."""

from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from experiment.compare.tournament.game import Played
from experiment.compare.tournament.labels import labels
from experiment.compare.tournament.schedule import Plan, Shard, play_shards
from experiment.compare.tournament.store import Store, writing
from experiment.show.progress import make_display
from experiment.workers.interrupts import Interrupts
from experiment.workers.shards import Workers
from game.players.catalogue import files


class Session(NamedTuple):
    """What there is after it."""

    games: list[Played]
    """Those of the plan that were played, now or before, in the order of their keys."""
    exit_status: int
    """Not 0 after an interrupt."""


def play_tournament(plan: Plan, path: Path, workers: Workers, terminal: Console) -> Session:
    """Play what is missing in the database at `path`, and return all games of the plan.

    The games of a pair at an opening are written together as soon as they and all before them are played.
    Raises StoreError, InUseError and OSError; ValueError for players that cannot play; WorkerDiedError.
    """
    with writing(path, plan.size) as store:
        store.add_entrants(plan.entrants)
        shards = plan.missing(store.keys())
        done = plan.games - sum(len(shard.numbers) for shard in shards)
        terminal.print(
            f"{path}: {plan.games:,} games, {done:,} played before",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
        exit_status = _play(plan, shards, store, workers, terminal) if shards else 0
        wanted = {key for shard in plan.shards() for key in shard.keys}
        return Session([game for game in store.games() if game.key in wanted], exit_status)


def _play(plan: Plan, shards: list[Shard], store: Store, workers: Workers, terminal: Console) -> int:
    names = dict(zip(plan.entrants, labels(plan.entrants), strict=True))
    done = plan.games - sum(len(shard.numbers) for shard in shards)
    work = partial(play_shards, shards, plan.size)
    display = make_display(terminal, done, plan.games, watch=False, what="game")
    read = [path for who in plan.entrants for path in files(who.text, plan.size)]
    playing = closing(workers.in_order(work, len(shards), read))
    with suppress(KeyboardInterrupt), Interrupts() as interrupts, display, playing as played:
        for shard, games in zip(shards, played, strict=True):
            store.add(games)
            done += len(games)
            display.advance(done, [f"{names[shard.a]} - {names[shard.b]}"])
    return interrupts.exit_status
