"""A machine of a Ray cluster that dies, and then the head: a line each, and nothing of Ray's own."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.experiment.lab import PATIENCE, Lab
from tests.experiment.ray_parts import Cluster, recorded_games

pytest.importorskip("ray", reason="Ray is not installed: python -m pip install ray")

pytestmark = pytest.mark.xdist_group("ray")
NODE = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
SOON = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 4,
}
PLAYERS = ["random", "greedy", "positional", "alphabeta:depth=4"]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A machine, and another that may die."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={**NODE, "_system_config": SOON})
    try:
        made.add_node(**NODE)
        yield made
    finally:
        made.shutdown()


def test_a_machine_and_then_the_head_die_in_a_line_each(cluster: Cluster, tmp_path: Path) -> None:
    lab, database = Lab(tmp_path), tmp_path / "games.sqlite"
    on_cluster = ["--jobs=2", f"--ray={cluster.address}", f"--database={database}", "--json"]
    command = lab.start("othello", "tournament", *PLAYERS, *on_cluster)
    try:
        lab.await_that(lambda: recorded_games(database) > 20)
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
        cluster.wait_for_nodes(PATIENCE)  # until the head knows it too
        seen = recorded_games(database)
        lab.await_that(lambda: recorded_games(database) > seen)
        cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
        begin = time.monotonic()
        status, said = lab.finished(command)
    finally:
        lab.stop()
    assert status == 1
    assert time.monotonic() - begin < 100
    died, ended = said.splitlines()[-2:]
    assert re.fullmatch(r"a worker (on [\d.]+ has died, or that whole machine: .*|has died before .*)", died)
    assert re.fullmatch(r"Error: the Ray cluster's head, \S+, is gone: start it again; .*", ended)
    assert all("games, " in line or line.startswith("game ") for line in said.splitlines()[:-2]), said
