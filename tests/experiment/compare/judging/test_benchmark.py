"""Rows of a benchmark: written by `othello evaluate`, checked, and put side by side."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.cli import cli
from othello_lab.experiment.compare.judging.benchmark import LARGEST, charts, last_of_each, read_row, table


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def othello(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def row(name: str, points: Sequence[Sequence[float]], **others: object) -> Path:
    """A file whose scores are those of two opponents, each a list over the seeds."""
    games = {"size": 4, "seed": 0, "openings": 2, "openings_digest": "abc", "repeat": 1}
    opponents = {"random": "random", "greedy": "greedy"}
    own = {"benchmark": 1, "opponents": opponents, "scores": dict(zip(opponents, points, strict=True))}
    path = Path(f"{name}.json")
    path.write_text(json.dumps({**games, **own, "minutes": 10, "cores": 2, **others}))
    return path


def test_an_agent_of_anybodys_gets_its_row() -> None:
    against = ["--opponent", "random", "--opponent", "corner-greedy"]
    judged = ["--size", "4", "--openings", "2", *against, "--benchmark"]
    assert othello("evaluate", "greedy", "positional", *judged, "mine.json", "--minutes", "3").exit_code == 0
    assert othello("evaluate", "mobility", *judged, "other.json").exit_code == 0
    made = json.loads(Path("mine.json").read_text())
    assert made["agents"] == ["greedy", "positional"]
    assert {name: len(scores) for name, scores in made["scores"].items()} == {"random": 2, "corner-greedy": 2}

    done = othello("experiment", "benchmark", "mine.json", "other.json", "--markdown")
    assert done.exit_code == 0, done.output
    assert "| mine | 3 | - | 2 | 0." in done.stdout
    assert "| other | - | - | 1 | 0." in done.stdout
    assert Path("benchmark.csv").read_text().startswith("learner,minutes,cores,seeds,iqm,")
    assert Path("benchmark.png").exists()


def test_a_line_has_the_interquartile_mean_and_the_mean_of_each_opponent() -> None:
    rows = [
        read_row(row("low", [[0, 0.1, 0.2], [0.1, 0.2, 0.3]])),
        read_row(row("high", [[0.5, 0.6, 1], [0, 0.7, 0.8]])),
    ]
    found = table(last_of_each(rows)).records
    assert [line["learner"] for line in found] == ["high", "low"]
    assert found[0]["iqm"] == pytest.approx((0.5 + 0.6 + 0.7 + 0.8) / 4)
    assert (found[0]["random"], found[0]["greedy"]) == pytest.approx((0.7, 0.5))
    assert found[0]["iqm_low"] <= found[0]["iqm"] <= found[0]["iqm_high"]


def test_rows_of_one_learner_after_fewer_minutes_are_its_curve() -> None:
    late, other = row("dqn", [[0.5, 0.5], [0.5, 0.5]]), row("ppo", [[1, 1], [1, 1]])
    early = row("dqn@1", [[0.2, 0.2], [0.2, 0.2]], minutes=1)
    rows = [read_row(path) for path in (late, other, early)]
    assert [(each.name, each.minutes) for each in last_of_each(rows)] == [("ppo", 10), ("dqn", 10)]
    curves, ends = charts(rows)
    assert [(list(one.x), list(one.y)) for one in curves.series] == [([1, 10], [0.2, 0.5])]
    assert ends.names == ["ppo", "dqn"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"benchmark": 2}, "benchmark is 2, expected 1"),
        ({"size": "4"}, "size is '4', expected a number"),
        ({"minutes": -1}, "minutes is -1, expected a number above 0"),
        ({"minutes": True}, "minutes is True, expected a number above 0"),
        ({"opponents": {"a": "random"}}, "expected a list for each of the opponents"),
        ({"opponents": {f"{n}": "random" for n in range(33)}}, "1 to 32 names"),
        ({"opponents": {"\x1b[2J": "random"}}, "1 to 32 names"),
        ({"scores": {"random": [1], "greedy": [1, 1]}}, "lists of one length"),
        ({"scores": {"random": [], "greedy": []}}, "1 to 100"),
        ({"scores": {"random": [1.5], "greedy": [0]}}, "numbers from 0 to 1"),
        ({"scores": {"random": [float("nan")], "greedy": [0]}}, "numbers from 0 to 1"),
        ({"more": "x" * LARGEST}, "more than 200,000 bytes"),
    ],
)
def test_a_file_of_somebody_elses_is_checked(change: dict[str, Any], says: str) -> None:
    done = othello("experiment", "benchmark", str(row("theirs", [[1], [1]], **change)))
    assert done.exit_code == 2
    assert says in done.stderr.splitlines()[-1]


def test_only_the_same_games_are_compared() -> None:
    rows = str(row("one", [[1], [1]])), str(row("two", [[1], [1]], size=6))
    done = othello("experiment", "benchmark", *rows)
    assert done.stderr.splitlines()[-1].endswith(
        "one and two were judged in different games: size is 4 and 6"
    )
    assert "two files" in othello("experiment", "benchmark", rows[0], rows[0]).stderr


def test_a_seed_counts_once_and_minutes_need_a_row() -> None:
    twice = othello("evaluate", "greedy", "greedy", "--size", "4", "--benchmark", "twice.json")
    assert "an AGENT is named twice" in twice.stderr
    assert "no option without --benchmark" in othello("evaluate", "greedy", "--minutes", "1").stderr
