"""Work on a Ray cluster of two machines, both of them this one: the same results as here, whatever dies."""

import os
import signal
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import pytest
from rich.console import Console

from agent.learning_agent import LearningAgent
from agent.ntuple.method import NTUPLE
from agent.selfplay import training
from agent.selfplay.play import Rules
from agent.selfplay.pool import read_pool
from agent.selfplay.training import SelfPlay
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from experiment.tournament.entrants import entrant
from experiment.tournament.schedule import Plan
from experiment.tournament.session import play_tournament
from experiment.workers.pool import Pool
from experiment.workers.shards import Work, WorkerDiedError, Workers
from experiment.workers.versions import everything
from game.openings import standard_openings

ray = pytest.importorskip("ray", reason="Ray is not installed: python -m pip install ray")

from experiment.workers.on_ray.cluster import ClusterError, check_versions, connected  # noqa: E402
from experiment.workers.on_ray.files import Folder, Outbox  # noqa: E402
from experiment.workers.on_ray.pool import RayPool  # noqa: E402

pytestmark = pytest.mark.xdist_group("ray")  # one cluster for all of them
NODE = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
T = TypeVar("T")
Cluster: TypeAlias = Any
"""That of ray.cluster_utils, which has no types."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        yield made
    finally:
        made.shutdown()


@pytest.fixture(scope="module")
def pool(cluster: Cluster) -> Iterator[RayPool]:
    with connected(cluster.address, 2, pytest.fail), RayPool(2) as pool:
        yield pool


@pytest.fixture
def two(cluster: Cluster, pool: RayPool) -> RayPool:
    """Two workers, on a machine each."""
    while len(cluster.list_all_nodes()) < 2:
        cluster.add_node(**NODE)
    return pool


class Killing:
    """Workers of whom a machine dies in the middle of the work."""

    def __init__(self, workers: Workers, cluster: Cluster, after: int) -> None:
        self._workers, self._cluster, self._after = workers, cluster, after

    def in_order(self, work: Work[T], shards: int, files: Sequence[Path] = ()) -> Generator[T, None, None]:
        for number, result in enumerate(self._workers.in_order(work, shards, files)):
            nodes = self._cluster.list_all_nodes()
            if number == self._after and len(nodes) > 1:
                self._cluster.remove_node(nodes[-1], allow_graceful=False)
            yield result


def squares(numbers: Iterable[int], dies: Path | None = None) -> Iterator[int]:
    """Square numbers; on the third the process dies unless there is a mark that it did."""
    for number in numbers:
        if dies and number == 2 and not dies.exists():
            dies.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield number**2


def always_dies(numbers: Iterable[int]) -> Iterator[int]:
    os._exit(9)
    yield from numbers


def refuses(numbers: Iterable[int]) -> Iterator[int]:
    yield from (int(f"no number {number}") for number in numbers)


def process_and_node(numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
    for _ in numbers:
        yield os.getpid(), ray.get_runtime_context().get_node_id()


def test_shards_come_in_order_from_both_machines_and_the_same_processes(two: RayPool) -> None:
    assert list(two.in_order(squares, 7)) == [0, 1, 4, 9, 16, 25, 36]
    seen = {each for _ in range(20) for each in two.in_order(process_and_node, 50)}
    assert len(seen) == len({node for _, node in seen}) == 2


def test_a_worker_that_dies_costs_no_result(two: RayPool, tmp_path: Path) -> None:
    assert list(two.in_order(partial(squares, dies=tmp_path / "mark"), 5)) == [0, 1, 4, 9, 16]
    assert (tmp_path / "mark").exists()
    with pytest.raises(WorkerDiedError, match="4 times over shard"):
        list(two.in_order(always_dies, 1))


def test_an_error_of_the_work_is_raised_here_as_it_is(two: RayPool) -> None:
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'no number 0'$"):
        list(two.in_order(refuses, 1))
    assert list(two.in_order(squares, 3)) == [0, 1, 4], "which leaves the next work alone"


def tournament(path: Path, workers: Workers) -> list[str]:
    """The whole database of a tournament."""
    players = [entrant(text, 6) for text in ("random", "greedy", "noisy:positional,share=0.5")]
    plan = Plan(players, 6, standard_openings(6, 12), seed=3)
    play_tournament(plan, path, workers, Console(quiet=True))
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_tournament_in_which_a_machine_dies_has_the_games_of_one_process(
    cluster: Cluster, two: RayPool, tmp_path: Path
) -> None:
    here = tournament(tmp_path / "here", Pool())
    assert tournament(tmp_path / "there", two) == here
    assert tournament(tmp_path / "killed", Killing(two, cluster, 5)) == here
    assert len(cluster.list_all_nodes()) == 1


def trained(directory: Path, workers: Workers) -> dict[str, bytes]:
    """All checkpoints of three rounds of self-play, also against past selves."""
    agent = LearningAgent(NTUPLE, {}, 1, 4, directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")).env_init())
    rounds = SelfPlay(agent, Rules(4, random_opening=2), read_pool("past=0.5", 4), 5, workers.in_order)
    for done in (0, 1100, 2200):
        rounds.play(done, 1100)
    agent.save("end")
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_self_play_in_which_a_machine_dies_learns_what_one_process_learns(
    cluster: Cluster, two: RayPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 500)
    here = trained(tmp_path / "here", Pool())
    assert len(here) > 2
    assert trained(tmp_path / "there", two) == here
    assert trained(tmp_path / "killed", Killing(two, cluster, 1)) == here
    assert len(cluster.list_all_nodes()) == 1


def test_a_file_is_sent_where_it_is_not(
    pool: RayPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "work"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)
    files = Path("a.txt"), Path("../b.txt")
    for path in files:
        path.write_text(path.name)
    sent = Outbox().send(files)
    with closing(Folder(home)) as folder:
        folder.lay(sent)
        assert Path.cwd() == home
        Path("a.txt").write_text("another")
        folder.lay(sent)
        assert [path.read_text() for path in files] == ["a.txt", "b.txt"]
        assert not Path.cwd().is_relative_to(tmp_path)
    assert (home / "a.txt").read_text() == "another"
    with closing(Folder(tmp_path / "nowhere" / "work")) as folder:
        folder.lay(sent)
        assert [path.read_text() for path in files] == ["a.txt", "b.txt"]


def test_an_absolute_path_must_be_there(
    pool: RayPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.txt"
    path.write_text("a")
    sent = Outbox().send([path])
    path.unlink()
    with closing(Folder(tmp_path)) as folder, pytest.raises(ValueError, match=r"no such file .*a\.txt"):
        folder.lay(sent)


def test_a_machine_with_other_versions_is_refused_in_a_line() -> None:
    check_versions("10.0.0.2", everything())
    said = f"10.0.0.2 has numpy 1.0 \\(here {everything()['numpy']}\\): install the same on all machines"
    with pytest.raises(ClusterError, match=f"^{said}$"):
        check_versions("10.0.0.2", {**everything(), "numpy": "1.0"})
