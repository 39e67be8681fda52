import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from othello_lab.experiment.workers.pool import Pool, WorkersError
from tests.experiment.lab import PATIENCE, posix

pytestmark = pytest.mark.slow


def squares(numbers: Iterable[int], dies: Path | None = None, on: int = -1) -> Iterator[int]:
    """Yield square numbers. On one number, the process dies if `dies` has no mark yet."""
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


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as pool:
        yield pool


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_order_on_any_number_of_processes(jobs: int) -> None:
    with Pool(jobs) as pool:
        assert list(pool.in_order(squares, 5)) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("on", [0, 3])
def test_a_process_that_dies_costs_no_result(pool: Pool, tmp_path: Path, on: int) -> None:
    assert list(pool.in_order(partial(squares, dies=tmp_path, on=on), 5)) == [0, 1, 4, 9, 16]
    assert (tmp_path / "mark").exists()


@posix
def test_workers_import_no_modules_of_the_current_directory(tmp_path: Path) -> None:
    mark, program = tmp_path / "mark", tmp_path / "bin" / "program.py"
    program.parent.mkdir()
    program.write_text(
        "if __name__ == '__main__':\n    from othello_lab.commands.cli import main\n    main()\n"
    )
    for name in ("socket", "tempfile", "random", "environment", "experiment"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(1)\n")
    words = "match random greedy --size 4 --openings 1 --repeat 200 --jobs 2"
    command = [sys.executable, str(program), *words.split()]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE)
    assert not mark.exists()


def environment_of_a_worker(numbers: Iterable[int]) -> Iterator[str | None]:
    for _ in numbers:
        yield os.environ.get("PYTHONSAFEPATH")


def test_programs_of_workers_have_the_search_path_of_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, "1"):
        if value:
            monkeypatch.setenv("PYTHONSAFEPATH", value)
        else:
            monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        with Pool(2) as pool:
            assert [*pool.in_order(environment_of_a_worker, 2)] == [value, value]
        assert os.environ.get("PYTHONSAFEPATH") == value


def test_work_that_kills_every_process_is_given_up(pool: Pool) -> None:
    with pytest.raises(WorkersError, match=r"a worker ended early, twice over shard \d"):
        list(pool.in_order(always_dies, 4))


def numbers_and_process(numbers: Iterable[int], add: int) -> Iterator[tuple[int, int]]:
    for number in numbers:
        yield number + add, os.getpid()


@posix
def test_processes_stay_and_one_that_dies_between_two_works_is_replaced(pool: Pool) -> None:
    rounds = [list(pool.in_order(partial(numbers_and_process, add=add), 3)) for add in (0, 10)]
    assert [[number for number, _ in results] for results in rounds] == [[0, 1, 2], [10, 11, 12]]
    first, second = ({process for _, process in results} for results in rounds)
    assert len(first | second) <= 2, "each round has new processes"
    assert os.getpid() not in first | second
    killed = rounds[0][0][1]
    os.kill(killed, signal.SIGKILL)
    again = list(pool.in_order(partial(numbers_and_process, add=0), 2))
    assert [number for number, _ in again] == [0, 1]
    assert killed not in {other for _, other in again}


def test_a_work_that_is_broken_off_leaves_nothing_to_the_next(pool: Pool) -> None:
    assert next(pool.in_order(squares, 9)) == 0
    assert list(pool.in_order(partial(squares), 4)) == [0, 1, 4, 9]


def slow_at_first(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        if number == 0:
            time.sleep(1)
        yield os.getpid()


def test_who_is_fast_does_more(pool: Pool) -> None:
    list(pool.in_order(squares, 2))
    slow, *others = pool.in_order(slow_at_first, 12)
    assert others.count(slow) <= 2


def refuses_the_fourth(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        if number == 3:
            raise ValueError(f"shard {number} cannot be done")
        yield number


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_work_is_raised_and_the_pool_goes_on(
    jobs: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with Pool(jobs) as pool:
        with pytest.raises(ValueError, match="shard 3 cannot be done"):
            list(pool.in_order(refuses_the_fourth, 30))
        assert list(pool.in_order(squares, 4)) == [0, 1, 4, 9]
    assert capfd.readouterr().err == ""
