import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError, RunState
from othello_lab.experiment.show.run_curves import read
from othello_lab.experiment.show.run_states import Phase, list_of_runs, newest_run, phase_of
from tests.experiment.show.pages.reported import folder_of

BEGUN = "2026-01-01T00:00:00+00:00"
BEGUN_SECONDS = 1767225600.0


HOLDER = ".holder"


def phase(
    path: Path,
    episodes: int,
    silent: float = 0.0,
    held: bool = True,
    **config: Any,  # noqa: ANN401  parts of config.json
) -> Phase:
    lines = [{"episode": done, "time": BEGUN_SECONDS + 2 * done} for done in range(1, episodes + 1)]
    # An old session. The time between two sessions must not count for the speed.
    lines.insert(0, {"episode": 0, "time": BEGUN_SECONDS - 1e6})
    folder = folder_of(path / "run", episodes, lines, [])
    given = {"experiment": {"episodes": 100}, "sessions": [{"begun": BEGUN}], "task_spec": "", **config}
    if held:
        (folder.path / HOLDER).touch()
    folder.write_config({**folder.config(), **given})
    return measured(folder, silent)


def test_training_has_as_much_time_left_as_games(tmp_path: Path) -> None:
    now = phase(tmp_path, 25)
    assert (now.done, now.total, now.share, now.state, now.says) == (
        25,
        100,
        0.25,
        RunState.RUNNING,
        "training",
    )
    assert now.seconds_left == pytest.approx(150)


def measured(folder: RunFolder, silent: float = 0.0) -> Phase:
    return phase_of(read(folder), silent)


def test_a_run_that_has_not_begun(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", 0, [], [])
    (folder.path / HOLDER).touch()
    says = "starting: waiting for agent and environment"
    now = measured(folder)
    assert (now.state, now.says, now.seconds_left) == (RunState.STARTING, says, None)


def test_a_run_that_is_resumed_is_starting_until_it_has_recorded_its_session(tmp_path: Path) -> None:
    assert phase(tmp_path, 40, held=False, **ENDED).state is RunState.STOPPED
    folder = RunFolder(tmp_path / "run")
    later = folder.record.stat().st_mtime + 1
    (folder.path / HOLDER).touch()
    os.utime(folder.path / HOLDER, (later, later))
    assert measured(folder).state is RunState.STARTING
    config = folder.config()
    folder.write_config({**config, "sessions": [*config["sessions"], {}]})
    os.utime(folder.record, (later, later))
    assert measured(folder).state is RunState.RUNNING


def test_a_run_of_minutes_is_measured_by_time(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", 10, [{"episode": 10, "seconds": 30.0, "time": 5.0}], [])
    (folder.path / HOLDER).touch()
    folder.write_config({"experiment": {"episodes": 1, "minutes": 2.0}, "sessions": [{}], "task_spec": ""})
    now = measured(folder)
    assert (now.share, now.total) == (0.25, 40)


EVALUATED = {"experiment": {"episodes": 100, "eval_every": 20}}
ENDED: dict[str, Any] = {"sessions": [{"begun": BEGUN, "seconds": 9.0}]}
FAILED: dict[str, Any] = {"sessions": [{"begun": BEGUN, "error": "the agent left"}]}
UNSAVED = {**ENDED, "experiment": {"episodes": 100, "save_every": 20}}


@pytest.mark.parametrize(
    ("episodes", "silent", "config", "state", "says"),
    [
        (20, 0, EVALUATED, RunState.RUNNING, "evaluating"),
        (21, 0, EVALUATED, RunState.RUNNING, "training"),
        (100, 0, EVALUATED, RunState.RUNNING, "the last evaluation is played"),
        (5, 125, {}, RunState.RUNNING, r"training; nothing new for 2:05:.*"),
        (100, 0, ENDED, RunState.FINISHED, "the run has ended"),
        (40, 0, ENDED, RunState.STOPPED, "the run was stopped; go on with.* --resume run.*"),
        (40, 0, UNSAVED, RunState.STOPPED, "the run was stopped; its agent has saved no checkpoint: .*"),
        (0, 0, FAILED, RunState.FAILED, "the run failed: the agent left; go on with.*"),
    ],
)
def test_what_it_does_now(
    tmp_path: Path, episodes: int, silent: float, config: dict[str, object], state: RunState, says: str
) -> None:
    now = phase(tmp_path, episodes, silent, held=state is RunState.RUNNING, **config)
    assert now.state is state
    assert re.fullmatch(says, now.says)


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


def test_the_newest_run_is_the_one_in_which_something_happened_last(tmp_path: Path) -> None:
    for name, changed in (("old", 1), ("new", 2)):
        a_run(tmp_path, name, 40, MET, time.time() + changed)
    assert newest_run(tmp_path).path.name == "new"
    later = max(path.stat().st_mtime for path in (tmp_path / "new").iterdir()) + 10
    os.utime(tmp_path / "old" / "metrics.jsonl", (later, later))
    assert newest_run(tmp_path).path.name == "old"
    RunFolder(tmp_path / "old").record_failure("the agent left")
    assert newest_run(tmp_path).path.name == "new"
    RunFolder(tmp_path / "new").record_failure("the agent left")
    assert newest_run(tmp_path).path.name == "old"
    with pytest.raises(RunFolderError, match="there is no run in"):
        newest_run(tmp_path / "none")
