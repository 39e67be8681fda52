"""`othello runs`: a list of run folders."""

import os
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.show.run_list import list_of_runs
from tests.experiment.show.pages.reported import folder_of

MET = ["0,random,black,100,1,0,99\n", "40,random,black,100,98,0,2\n", "40,positional,black,100,3,0,97\n"]


def a_run(runs: Path, name: str, games: int, met: list[str], changed: float, **session: Any) -> None:  # noqa: ANN401
    folder = folder_of(runs / name, games, [], met)
    experiment = {**folder.config().get("experiment", {}), "episodes": 40}
    config = {"experiment": experiment, "task_spec": "", "sessions": [session]}
    folder.write_config({**folder.config(), **config})
    for path in folder.path.glob("*.*"):
        os.utime(path, (changed, changed))


def test_runs_are_listed_with_state_length_and_verdict_the_newest_first(tmp_path: Path) -> None:
    a_run(tmp_path, "whole", 40, MET, 4, seconds=9.0)
    a_run(tmp_path, "part", 10, [], 3, seconds=9.0)
    a_run(tmp_path, "wrong", 0, [], 2, seconds=1.0, error="the agent ended\x1b[2J with exit code 1")
    (tmp_path / "spoilt").mkdir()
    (tmp_path / "spoilt" / "config.json").write_text("{", "utf-8")
    os.utime(tmp_path / "spoilt" / "config.json", (1, 1))
    rows = {row["run"]: row for row in list_of_runs(tmp_path).records}
    assert list(rows) == ["whole", "part", "wrong", "spoilt"]
    assert [row["state"] for row in rows.values()] == ["finished", "stopped", "failed at start", "unreadable"]
    assert [row["games"] for row in rows.values()] == ["40", "10 of 40", "0", ""]
    assert rows["whole"]["verdict"] == "beats random, loses to positional"
    assert "exit code 1" in rows["wrong"]["verdict"]
    shown = CliRunner().invoke(cli, ["runs", "--runs-dir", str(tmp_path)])
    assert shown.exit_code == 0
    assert "beats random" in shown.output
    assert "\x1b[2J" not in shown.output


def test_an_empty_folder_names_the_command_that_starts_a_run(tmp_path: Path) -> None:
    assert "othello run" in CliRunner().invoke(cli, ["runs", "--runs-dir", str(tmp_path)]).output
