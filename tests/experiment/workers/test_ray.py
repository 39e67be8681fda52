"""Work on a Ray cluster of two machines, both of them this one: the same results as here, whatever dies."""

import re
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from othello_lab.agent.selfplay import training
from othello_lab.experiment.workers.pool import Pool
from othello_lab.experiment.workers.programs import Ended, Order
from othello_lab.experiment.workers.shards import WorkerDiedError
from tests.experiment.lab import PATIENCE
from tests.experiment.ray_parts import (
    PROGRAM,
    Cluster,
    Killing,
    always_dies,
    process_and_node,
    refuses,
    squares,
    tournament,
    trained,
)

pytest.importorskip("ray", reason="Ray is not installed: python -m pip install ray")

from othello_lab.experiment.workers.on_ray import worker
from othello_lab.experiment.workers.on_ray.cluster import Cluster as Joined
from othello_lab.experiment.workers.on_ray.cluster import connected
from othello_lab.experiment.workers.on_ray.programs import RemoteProgram
from othello_lab.experiment.workers.on_ray.transport import OnRay
from othello_lab.experiment.workers.on_ray.worker import Folder, Outbox

pytestmark = pytest.mark.xdist_group("ray")  # one cluster for all of them
NODE = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
# A machine that is busy with other tests is not taken for a dead one: its sign of life may be late.
HEAD = {**NODE, "_system_config": {"health_check_timeout_ms": 60_000, "health_check_failure_threshold": 20}}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args=HEAD)
    try:
        yield made
    finally:
        made.shutdown()


@pytest.fixture(scope="module")
def said() -> list[str]:
    """Lines about the cluster."""
    return []


@pytest.fixture(scope="module")
def joined(cluster: Cluster, said: list[str]) -> Iterator[Joined]:
    with connected(cluster.address, 2, said.append) as joined:
        yield joined


@pytest.fixture(scope="module")
def pool(joined: Joined) -> Iterator[Pool]:
    with Pool(2, OnRay(joined)) as pool:
        yield pool


@pytest.fixture
def two(cluster: Cluster, pool: Pool) -> Pool:
    """Two workers, on a machine each."""
    while len(cluster.list_all_nodes()) < 2:
        cluster.add_node(**NODE)
    return pool


def test_shards_come_in_order_from_both_machines_and_the_same_processes(two: Pool) -> None:
    assert list(two.in_order(squares, 7)) == [0, 1, 4, 9, 16, 25, 36]
    seen = {each for _ in range(20) for each in two.in_order(process_and_node, 50)}
    assert len(seen) == len({node for _, node in seen}) == 2


def test_a_worker_that_dies_costs_no_result_and_is_told_with_its_machine(
    two: Pool, said: list[str], tmp_path: Path
) -> None:
    said.clear()
    assert list(two.in_order(partial(squares, dies=tmp_path / "mark"), 5)) == [0, 1, 4, 9, 16]
    assert (tmp_path / "mark").exists()
    with pytest.raises(WorkerDiedError, match="4 times over shard"):
        list(two.in_order(always_dies, 1))
    line = r"a worker on [\d.]+ has died, or that whole machine: others do its work again"
    assert len(said) == 2, "a line for each work"
    assert all(re.fullmatch(line, each) for each in said)


def test_an_error_of_the_work_is_raised_here_as_it_is(two: Pool) -> None:
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'no number 0'$"):
        list(two.in_order(refuses, 1))
    assert list(two.in_order(squares, 3)) == [0, 1, 4], "which leaves the next work alone"


def test_a_tournament_in_which_a_machine_dies_has_the_games_of_one_process(
    cluster: Cluster, two: Pool, tmp_path: Path
) -> None:
    here = tournament(tmp_path / "here", Pool())
    assert tournament(tmp_path / "there", two) == here
    assert tournament(tmp_path / "killed", Killing(two, cluster, 0)) == here
    assert len(cluster.list_all_nodes()) == 1


def test_self_play_in_which_a_machine_dies_learns_what_one_process_learns(
    cluster: Cluster, two: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 500)
    here = trained(tmp_path / "here", Pool())
    assert len(here) > 2
    assert trained(tmp_path / "there", two) == here
    assert trained(tmp_path / "killed", Killing(two, cluster, 1)) == here
    in_parts = trained(tmp_path / "parts here", Pool(), parts="3")
    assert trained(tmp_path / "parts there", two, parts="3") == in_parts != here
    assert len(cluster.list_all_nodes()) == 1


def stopped(joined: Joined, order: Order, begins: int) -> tuple[Ended | None, str]:
    """Have a program begin so many times and be told to stop; return how it ended, and its log."""
    program, deadline = RemoteProgram(joined, order), time.monotonic() + PATIENCE
    try:
        while not (ended := program.ended()) and time.monotonic() < deadline:
            if order.log.read_text().count("began") == begins:
                program.ask_to_stop()
            time.sleep(0.05)
    finally:
        program.close()
    return ended, order.log.read_text()


@pytest.mark.parametrize("words", [[], ["dies"]])
def test_a_program_elsewhere_saves_when_it_is_to_stop_and_begins_again_when_its_worker_dies(
    joined: Joined,
    said: list[str],
    two: Pool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    said.clear()
    monkeypatch.chdir(tmp_path)
    with two:
        pass  # its workers leave, whose processors programs need
    order = Order("one", lambda: ["python", "-c", PROGRAM, *words], Path("one.log"))
    ended, log = stopped(joined, order, 1 + len(words))
    assert ended
    assert (ended.name, ended.status) == ("one", 3)
    assert log.count("saved") == 1 + len(words)
    assert [each.split(" on ")[0] for each in said] == ["one: its worker"] * len(words)


def test_a_file_is_sent_where_it_is_not(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_came_with_our_packages_is_not_sent(
    linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "OURS", tmp_path)
    installed = tmp_path / "othello_lab" / "agent"
    folder = tmp_path / "agent" if linked else installed
    folder.mkdir(parents=True)
    (folder / "8x8.safetensors").touch()
    if linked:
        installed.parent.mkdir()
        installed.symlink_to(folder)
    assert Outbox().send([installed / "8x8.safetensors", folder / "8x8.safetensors"]) == ()


def test_an_absolute_path_must_be_there(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.txt"
    path.write_text("a")
    sent = Outbox().send([path])
    path.unlink()
    with closing(Folder(tmp_path)) as folder, pytest.raises(ValueError, match=r"no such file .*a\.txt"):
        folder.lay(sent)
