"""Clusters that cannot be joined, and machines that cannot work."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.workers.versions import everything

pytest.importorskip("ray", reason="Ray is not installed: python -m pip install ray")

from othello_lab.experiment.workers.on_ray.cluster import check_versions
from othello_lab.experiment.workers.on_ray.programs import Host
from othello_lab.experiment.workers.shards import ClusterError


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:9", "ray://127.0.0.1:9"])
def test_an_address_without_a_cluster_is_one_line(address: str) -> None:
    result = CliRunner().invoke(cli, ["match", "random", "greedy", "--size", "4", "--ray", address])
    assert result.exit_code == 1
    said = f"Error: nobody answers at {address}: say HOST:PORT of a Ray cluster's head, auto, or local"
    assert result.stderr.splitlines()[-1] == said


def test_a_program_is_not_begun_where_its_folder_is_not_shared(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"does not see .*one\.log: machines have to share that folder"):
        Host(tmp_path).run("one", ["python"], Path("one.log"))


def test_a_machine_with_other_versions_is_refused_in_a_line() -> None:
    check_versions("10.0.0.2", everything())
    said = f"10.0.0.2 has numpy 1.0 \\(here {everything()['numpy']}\\): install the same on all machines"
    with pytest.raises(ClusterError, match=f"^{said}$"):
        check_versions("10.0.0.2", {**everything(), "numpy": "1.0"})
