import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from math import inf
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from runpy import run_path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent.learner import method_names
from othello_lab.commands.cli import cli
from scripts import bench, benchmark
from scripts.benchmark import LEARNERS, draw, interquartile_mean, read_row
from tests.experiment.lab import posix

ROOT = Path(__file__).parent.parent
# A fake Python, which makes an environment of itself, prints a warning at the installation, or fails.
PYTHON = """#!/usr/bin/env bash
case "$*" in
    "-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip install "*)
        echo "WARNING: Location 'file:///index/torch/' is ignored: it is neither a file nor a directory." >&2
        [ -z "$BROKEN" ] || { echo "ERROR: No matching distribution found for $BROKEN" >&2; exit 1; } ;;
    "-m othello_lab.game.warm_up") echo "compiling" >&2 ;;
    *"import torch"*) exit 1 ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "othello_lab").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    (tmp_path / "game").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "game/board.py"):
        (tmp_path / name).touch()
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def set_up(checkout: Path, *then: str, broken: str = "") -> tuple[int, list[str]]:
    environment = {**os.environ, "PYTHON": str(checkout / "python"), "BROKEN": broken}
    script: list[str | Path] = [checkout / "scripts" / "setup", *then]
    ended = subprocess.run(script, capture_output=True, text=True, env=environment, check=False)
    assert ended.stdout == ""
    return ended.returncode, ended.stderr.splitlines()


@posix
def test_it_says_what_it_takes_and_what_comes_next_and_nothing_in_between(checkout: Path) -> None:
    status, answers = set_up(checkout)
    assert status == 0
    begun, ended = answers
    assert "minutes" in begun
    assert "GB of disk" in begun
    assert ended.startswith("setup: done; next: source .venv/bin/activate")
    assert set_up(checkout) == (0, []), "there is nothing left to do"


@posix
def test_rules_that_have_changed_are_compiled_anew(checkout: Path) -> None:
    set_up(checkout)
    (checkout / "game" / "board.py").write_text("changed")
    _, (begun, ended) = set_up(checkout, "othello run")
    assert begun == "setup: compiling the rules, which have changed: about a minute"
    assert ended == "setup: done; next: othello run"


@posix
def test_a_failed_installation_shows_the_error_without_remarks_and_is_tried_again(checkout: Path) -> None:
    status, answers = set_up(checkout, broken="torch")
    assert status == 1
    assert answers[1] == "ERROR: No matching distribution found for torch"
    assert answers[2].startswith("setup: this failed: .venv/bin/python -m pip install")
    assert len(answers) == 3
    assert set_up(checkout)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figures", "lines"),
    [
        (bench.bench_game(0.001), ["perft 8x8", "random games 8x8"]),
        (bench.bench_env(0.001, 8), ["8 games"]),
        (bench.bench_glue(0.1), ["trivial parts", "random agent"]),
        (bench.bench_learn(0.001), ["updates, batch 128, its", "updates, batch 128, our"]),
        (bench.bench_solver(10, 3), [r"[\d.]+ s each"]),
    ],
)
def test_each_part_of_bench_prints_its_figures(
    figures: Iterator[str], lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "fork" in get_all_start_methods():  # has imported already what a spawned process would
        monkeypatch.setattr(bench, "get_context", lambda method: get_context("fork"))
    printed = "\n".join(figures)
    for line in lines:
        assert re.search(rf"^{line}.* [1-9][\d,]* \w+/s", printed, re.MULTILINE), printed


class Benchmark:
    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = patch, capsys
        patch.chdir(ROOT)

    def __call__(self, *arguments: str) -> tuple[str, str]:
        self.patch.setattr("sys.argv", ["benchmark", *arguments])
        ended = ""
        try:
            benchmark.main()
        except SystemExit as error:
            ended = str(error)
        return self.capsys.readouterr().out, ended

    def commands_in_process(self) -> None:
        """Run the benchmark's commands in this process, because each new process would import torch."""
        start = subprocess.run

        def run(words: Sequence[str], **options: Any) -> CompletedProcess[Any]:  # noqa: ANN401  as its own
            if words[0] != sys.executable:  # asks for the version of a program
                return start(words, **options)
            if (*words[:3],) == benchmark.OTHELLO:
                ended = CliRunner().invoke(cli, words[3:])
                options["stdout"].write(ended.stdout)
                options["stderr"].write(ended.stderr)
                return CompletedProcess(words, ended.exit_code)
            with self.patch.context() as patch, redirect_stdout(options["stdout"]):
                patch.setattr(sys, "argv", words[1:])
                run_path(words[1], run_name="__main__")
            return CompletedProcess(words, 0)

        self.patch.setattr(subprocess, "run", run)
        self.patch.setattr("othello_lab.experiment.run.launch.plot_of", lambda plan, report: None)

    def make(self, folder: Path, *more: str) -> tuple[str, str]:
        tiny = "--size=4", "--minutes=0.002", "--cores=1", "--seeds=1", "--openings=1", f"--folder={folder}"
        return self("make", "ntuple", "single-file-dqn", *tiny, *more)


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Benchmark:
    return Benchmark(monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_page_is_made_and_what_is_done_is_not_done_again(called: Benchmark, tmp_path: Path) -> None:
    called.commands_in_process()
    assert called.make(tmp_path)[1] == ""
    page = (tmp_path / "benchmark.md").read_text()
    assert "| ntuple |" in page
    assert "| single-file-dqn |" in page
    assert (tmp_path / "benchmark.png").exists()

    answers, ended = called.make(tmp_path)
    assert ended == ""
    assert answers.split() == [str(tmp_path / "benchmark.md")], "only the page is made"

    shutil.rmtree(tmp_path / "ntuple-0")
    (tmp_path / "rows" / "ntuple.json").unlink()
    assert called.make(tmp_path)[1] == "failed, and not on the page: ntuple"
    assert "| single-file-dqn |" in (tmp_path / "benchmark.md").read_text()

    assert called.make(tmp_path, "--minutes=0.02")[1].startswith(f"{tmp_path} has results of other minutes")


@pytest.mark.slow
def test_agents_of_your_own_get_a_row(called: Benchmark, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    words = ["greedy", "positional", "--size=4", "--openings=1", "--cores=1", "--minutes=3"]
    assert called("judge", str(mine), *words)[1] == ""
    row = json.loads(mine.read_text())
    assert row["agents"] == ["greedy", "positional"]
    assert {len(scores) for scores in row["scores"].values()} == {2}
    assert len(row["scores"]) == 8
    drawn, _ = called("draw", str(mine), f"--output={tmp_path / 'mine.png'}")
    assert "| mine | 3 | 1 | 2 | 0." in drawn
    assert (tmp_path / "mine.svg").exists()


def row(path: Path, scores: Sequence[Sequence[float]], size: int = 4, minutes: float = 10) -> Path:
    """Write a row with two opponents. Each list of scores is over the seeds."""
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
    """The table is the exception, because it does not fit 8x8."""
    assert {*method_names()} - {"tabular"} <= LEARNERS.keys()


def test_the_middle_half_is_what_counts() -> None:
    # Of eight scores, the two lowest and the two highest are removed: (.2 + .3 + .4 + .9) / 4.
    scores = np.array([[0.0, 0.1, 0.2, 0.3], [1.0, 0.4, 1.0, 0.9]])
    assert interquartile_mean(scores).value == pytest.approx(0.45)
    # Of six scores, one is removed at each end, because a quarter is rounded down.
    assert interquartile_mean(np.array([[0.0, 0.1, 0.2], [0.3, 0.5, 1.0]])).value == pytest.approx(0.275)


def test_the_samples_are_those_of_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "SAMPLES", 40)
    scores = np.random.default_rng(1).random((5, 8))
    drawn = np.random.default_rng(3).integers(5, size=(40, 5, 8))
    means = [
        np.mean(sorted(scores[sample[seed, place], place] for seed in range(5) for place in range(8))[10:30])
        for sample in drawn
    ]
    assert interquartile_mean(scores, seed=3).interval == pytest.approx(np.percentile(means, (2.5, 97.5)))


def test_one_seed_says_nothing_about_others() -> None:
    assert interquartile_mean(np.array([[0.2, 0.8]])) == (0.5, (-inf, inf))


def test_it_is_what_the_authors_library_finds() -> None:
    """The numbers are from rliable 1.2.0 with 50,000 samples: 0.4875, and 0.36875 to 0.605."""
    found = interquartile_mean(np.arange(40).reshape(5, 8) * 7 % 41 / 40)
    assert found.value == pytest.approx(0.4875)
    assert found.interval == pytest.approx((0.36875, 0.605), abs=0.005)
