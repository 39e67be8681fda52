import os
import signal
import sqlite3
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner
from rich.console import Console

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.ntuple.method import NTUPLE
from othello_lab.agent.selfplay import training
from othello_lab.agent.selfplay.play import GameSettings
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.compare.tournament.entrants import entrant
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.workers.pool import Pool, Work, Workers, WorkersError
from othello_lab.experiment.workers.versions import commit, versions
from othello_lab.game.openings import standard_openings

pytest.importorskip("ray", reason="Ray is not installed: python -m pip install ray")

from othello_lab.experiment.workers.ray_pool import LOCAL, RayPool, connected, prepare

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.slow
T = TypeVar("T")


def test_a_machine_with_other_versions_is_refused_in_a_line(tmp_path: Path) -> None:
    wanted = tuple(sorted({**versions(), "commit": commit(), "numpy": "1.0"}.items()))
    differs = (
        rf"has numpy {versions()['numpy']} \(expected 1\.0\): install the same versions on all machines$"
    )
    with pytest.raises(WorkersError, match=differs):
        prepare(tmp_path, wanted)


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:9"])
def test_an_address_without_a_cluster_is_one_line(address: str) -> None:
    result = CliRunner().invoke(cli, ["match", "random", "greedy", "--size", "4", "--ray", address])
    assert result.exit_code == 1
    says = f"Error: --ray {address}: no answer; expected HOST:PORT of a Ray cluster's head, auto or local"
    assert result.stderr.splitlines()[-1] == says


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of all tests, because a worker process enters a folder only once."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))  # worker processes import functions of this file
        patch.chdir(folder)
        yield folder


@pytest.fixture(scope="module")
def pool(home: Path) -> Iterator[RayPool]:
    with connected(LOCAL, 2):
        yield RayPool(2)


def dying_once(mark: Path) -> None:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def squares(numbers: Iterable[int]) -> Iterator[int]:
    yield from (number**2 for number in numbers)


def always_dies(numbers: Iterable[int]) -> Iterator[int]:
    os._exit(9)
    yield from numbers


def refuses(numbers: Iterable[int]) -> Iterator[int]:
    yield from (int(f"no number {number}") for number in numbers)


def test_work_that_kills_every_worker_is_given_up_in_a_line(pool: RayPool) -> None:
    with pytest.raises(WorkersError, match=r"^Ray gave up after 4 attempts at the same work: .*$"):
        list(pool.in_order(always_dies, 1))


def search_path(numbers: Iterable[int]) -> Iterator[list[str]]:
    yield from (sys.path for _ in numbers)


def test_workers_import_no_modules_of_the_current_directory(pool: RayPool, home: Path) -> None:
    [path] = pool.in_order(search_path, 1)
    assert not {"", str(home)} & set(path)


def test_an_error_of_the_work_is_raised_and_the_pool_goes_on(pool: RayPool) -> None:
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'no number \d'$"):
        list(pool.in_order(refuses, 5))
    assert next(pool.in_order(squares, 9)) == 0, "and one that is broken off leaves nothing to the next"
    assert list(pool.in_order(squares, 3)) == [0, 1, 4]


class Dying:
    def __init__(self, workers: Workers, mark: Path) -> None:
        self._workers, self._mark = workers, mark

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        return self._workers.in_order(partial(with_death, work, self._mark), shards)


def with_death(work: Work[T], mark: Path, numbers: Iterable[int]) -> Iterator[T]:
    def watched() -> Iterator[int]:
        for number in numbers:
            if number == 2:
                dying_once(mark)
            yield number

    return work(watched())


def tournament(path: Path, workers: Workers) -> list[str]:
    players = [entrant(text, 6) for text in ("random", "greedy", "noisy:positional,share=0.5")]
    plan = Plan(players, 6, standard_openings(6, 12), seed=3)
    play_tournament(plan, path, workers, Console(quiet=True))
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def trained(directory: Path, workers: Workers) -> dict[str, bytes]:
    agent = LearningAgent(NTUPLE, {}, 1, 4, directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")).env_init())
    rounds = SelfPlay(agent, GameSettings(4, random_opening=2), read_pool("past=0.5", 4), 5, workers.in_order)
    for done in (0, 1100, 2200):
        rounds.play(done, 1100)
    agent.save("end")
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_tournament_whose_worker_dies_has_the_games_of_one_process(pool: RayPool, tmp_path: Path) -> None:
    here = tournament(tmp_path / "here", Pool())
    assert tournament(tmp_path / "there", Dying(pool, tmp_path / "mark")) == here
    assert (tmp_path / "mark").exists()


def test_self_play_with_a_dead_worker_learns_the_same(
    pool: RayPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 500)
    here = trained(tmp_path / "here", Pool())
    assert len(here) > 2
    assert trained(tmp_path / "there", Dying(pool, tmp_path / "mark")) == here
    assert (tmp_path / "mark").exists()
