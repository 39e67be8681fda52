"""The benchmark's page, made from nothing; and its table and picture from rows."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from othello_lab.agent.learner import method_names
from scripts.benchmark import LEARNERS, draw, read_row

ROOT = Path(__file__).parent.parent


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.benchmark", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def made(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    tiny = "--size=4", "--minutes=0.01", "--cores=1", "--seeds=1", "--openings=1", f"--folder={folder}"
    return called("make", "ntuple", "single-file-dqn", *tiny, *more)


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
    assert again.stdout.split() == [str(tmp_path / "benchmark.md")], "only the page is made"
    assert "| theirs |" in (tmp_path / "benchmark.md").read_text()

    shutil.rmtree(tmp_path / "ntuple-0")
    (tmp_path / "rows" / "ntuple.json").unlink()
    without = made(tmp_path)
    assert without.stderr.splitlines()[-1] == "failed, and not on the page: ntuple"
    assert "| single-file-dqn |" in (tmp_path / "benchmark.md").read_text()

    other = made(tmp_path, "--minutes=0.02")
    assert other.stderr.startswith(f"{tmp_path} has results of other minutes")


def test_agents_of_your_own_get_a_row(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    done = called(
        "judge", str(mine), "greedy", "positional", "--size=4", "--openings=1", "--cores=1", "--minutes=3"
    )
    assert done.returncode == 0, done.stderr
    row = json.loads(mine.read_text())
    assert row["agents"] == ["greedy", "positional"]
    assert {len(scores) for scores in row["scores"].values()} == {2}
    assert len(row["scores"]) == 8
    drawn = called("draw", str(mine), f"--output={tmp_path / 'mine.png'}")
    assert "| mine | 3 | 1 | 2 | 0." in drawn.stdout
    assert (tmp_path / "mine.svg").exists()


def row(path: Path, scores: Sequence[Sequence[float]], size: int = 4, minutes: float = 10) -> Path:
    """Write a row against two opponents; for each a list over the seeds."""
    games = {"size": size, "seed": 0, "openings": 2, "openings_digest": "abc", "repeat": 1}
    opponents = {"random": "random", "greedy": "greedy"}
    own = {"opponents": opponents, "scores": dict(zip(opponents, scores, strict=True))}
    path.write_text(json.dumps({**games, **own, "minutes": minutes, "cores": 2}))
    return path


def test_a_line_has_the_interquartile_mean_and_the_mean_of_each_opponent(tmp_path: Path) -> None:
    low = row(tmp_path / "low.json", [[0, 0.1, 0.2], [0.1, 0.2, 0.3]])
    early = row(tmp_path / "high@1.json", [[0, 0, 0], [0, 0, 0]], minutes=1)
    high = row(tmp_path / "high.json", [[0.5, 0.6, 1], [0, 0.7, 0.8]])
    found = read_row(high)
    assert found.iqm.value == pytest.approx((0.5 + 0.6 + 0.7 + 0.8) / 4)
    low_end, high_end = found.iqm.interval
    lines = draw([low, early, high], tmp_path / "drawn.png").splitlines()
    interval = f"{low_end:.3f}-{high_end:.3f}"
    assert lines[-2] == f"| high | 10 | 2 | 3 | 0.650 | {interval} | 0.700 | 0.500 |"
    assert lines[-1].startswith("| low |")


def test_only_the_same_games_are_compared(tmp_path: Path) -> None:
    paths = [row(tmp_path / f"{size}.json", [[1], [1]], size) for size in (4, 6)]
    with pytest.raises(SystemExit, match="different games"):
        draw(paths, tmp_path / "drawn.png")


def test_every_learner_of_ours_has_a_row() -> None:
    """Except the table, which does not fit 8x8."""
    assert {*method_names()} - {"tabular"} <= LEARNERS.keys()
