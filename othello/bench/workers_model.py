"""A model of self-play on many workers, from what it costs on one."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from agent.selfplay.rounds import SHARD

WORKERS: Final = (1, 2, 10, 100, 1000)
_A_MACHINE: Final = 16
"""Workers; they share one copy of the weights."""
_NETWORK: Final = 1.25e9
"""Bytes a second in and out of the machine that learns: 10 Gb/s."""
_SHARD_SECONDS: Final = 0.001
"""Of the process that learns, to give out a shard and to take its result."""


class Costs(NamedTuple):
    """What one game costs, in seconds and bytes."""

    playing: float
    learning: float
    order_bytes: float
    """To each machine, once a round."""
    result_bytes: float


class Share(NamedTuple):
    """The seconds of a round in which each worker plays a shard, one after the other."""

    playing: float
    learning: float
    network: float
    sharing: float

    @property
    def total(self) -> float:
        """The whole round."""
        return sum(self)


def model(costs: Costs, workers: int) -> Share:
    """Return how long a round of SHARD games a worker takes: they play at the same time, all else waits."""
    games, machines = SHARD * workers, -(-workers // _A_MACHINE)
    sent = machines * costs.order_bytes + games * costs.result_bytes
    return Share(SHARD * costs.playing, games * costs.learning, sent / _NETWORK, workers * _SHARD_SECONDS)


def table(costs: Costs) -> Iterator[str]:
    """Yield lines: for each number of workers games a second, and which share of the time goes where."""
    yield "model: a round is 512 games a worker, 16 workers a machine, 10 Gb/s to the one that learns"
    yield "workers    games/s    times   playing  learning  network  sharing out"
    alone = SHARD / model(costs, 1).total
    for workers in WORKERS:
        share = model(costs, workers)
        speed = SHARD * workers / share.total
        parts = "".join(f"{part / share.total:>9.0%} " for part in share)
        yield f"{workers:>7,} {speed:>10,.0f} {speed / alone:>8.2f} {parts}"
