"""The worker pool: shards in order, and processes that die."""

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from experiment.workers.pool import WorkerDiedError, in_order


def squares(numbers: Iterable[int], dies: Path | None = None, on: int = -1) -> Iterator[int]:
    """Square numbers; on one of them the process dies as long as `dies` has room for its mark."""
    for number in numbers:
        if dies and number == on:
            _die_unless_marked(dies)
        yield number**2


def _die_unless_marked(folder: Path) -> None:
    try:
        (folder / "mark").touch(exist_ok=False)
    except FileExistsError:
        return
    os._exit(9)


def always_dies(numbers: Iterable[int]) -> Iterator[int]:
    os._exit(9)
    yield from numbers


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_on_any_number_of_processes(jobs: int) -> None:
    assert list(in_order(squares, 5, jobs)) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("on", [0, 3])
def test_a_process_that_dies_costs_no_result(tmp_path: Path, on: int) -> None:
    assert list(in_order(partial(squares, dies=tmp_path, on=on), 5, 2)) == [0, 1, 4, 9, 16]
    assert (tmp_path / "mark").exists()


def test_work_that_kills_every_process_is_given_up() -> None:
    with pytest.raises(WorkerDiedError, match="exit code 9, 2 times over shard 0"):
        list(in_order(always_dies, 4, 2))
