"""The benchmark's page, made from nothing: two learners, one seed, seconds."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from othello_lab.agent.learner import method_names
from scripts.benchmark import LEARNERS

ROOT = Path(__file__).parent.parent


def made(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    tiny = "--size=4", "--minutes=0.01", "--cores=1", "--seeds=1", "--openings=1", f"--folder={folder}"
    command = [sys.executable, "-m", "scripts.benchmark", "ntuple", "single-file-dqn", *tiny, *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.timeout(300)
def test_the_page_is_made_and_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    done = made(tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "benchmark.md").read_text()
    assert "| ntuple |" in page
    assert "| single-file-dqn |" in page
    assert (tmp_path / "benchmark.png").exists()

    theirs = tmp_path / "theirs.json"
    shutil.copy(tmp_path / "rows" / "ntuple.json", theirs)
    again = made(tmp_path, f"--rows={theirs}")
    assert again.returncode == 0, again.stderr
    assert again.stdout.split()[1:] == [str(tmp_path / "benchmark.md")], "only the page is made"
    assert "| theirs |" in (tmp_path / "benchmark.md").read_text()

    shutil.rmtree(tmp_path / "ntuple-0")
    (tmp_path / "rows" / "ntuple.json").unlink()
    without = made(tmp_path)
    assert without.stderr.splitlines()[-1] == "failed, and not on the page: ntuple"
    assert "| single-file-dqn |" in (tmp_path / "benchmark.md").read_text()

    other = made(tmp_path, "--minutes=0.02")
    assert other.stderr.startswith(f"{tmp_path} has results of other minutes")


def test_every_learner_of_ours_has_a_row() -> None:
    """But the table, which 8x8 does not fit into."""
    assert {*method_names()} - {"tabular"} <= LEARNERS.keys()
