"""Where a run is, by its files alone."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from othello_lab.experiment.run.lifecycle import State
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.pages.watch import Phase, phase_of
from othello_lab.experiment.show.run_curves import Following
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
    # A session before this one, long ago: the time between them is no measure of speed.
    lines.insert(0, {"episode": 0, "time": BEGUN_SECONDS - 1e6})
    folder = folder_of(path / "run", episodes, lines, [])
    given = {"experiment": {"episodes": 100}, "sessions": [{"begun": BEGUN}], "task_spec": "", **config}
    if held:
        (folder.path / HOLDER).touch()
    folder.write_config({**folder.config(), **given})
    return measured(folder, silent)


def test_training_has_as_much_time_left_as_games(tmp_path: Path) -> None:
    now = phase(tmp_path, 25)
    assert (now.done, now.total, now.share, now.state, now.says) == (25, 100, 0.25, State.RUNNING, "training")
    assert now.seconds_left == pytest.approx(150)


def measured(folder: RunFolder, silent: float = 0.0) -> Phase:
    run = Following(folder)
    run.look()
    return phase_of(run, silent)


def test_a_run_that_has_not_begun(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", 0, [], [])
    (folder.path / HOLDER).touch()
    says = "starting: waiting for agent and environment"
    now = measured(folder)
    assert (now.state, now.says, now.seconds_left) == (State.STARTING, says, None)


def test_a_run_that_is_resumed_is_starting_until_it_has_recorded_its_session(tmp_path: Path) -> None:
    assert phase(tmp_path, 40, held=False, **ENDED).state is State.STOPPED
    folder = RunFolder(tmp_path / "run")
    later = folder.record.stat().st_mtime + 1
    (folder.path / HOLDER).touch()
    os.utime(folder.path / HOLDER, (later, later))
    assert measured(folder).state is State.STARTING
    config = folder.config()
    folder.write_config({**config, "sessions": [*config["sessions"], {}]})
    os.utime(folder.record, (later, later))
    assert measured(folder).state is State.RUNNING


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
        (20, 0, EVALUATED, State.RUNNING, "evaluating"),
        (21, 0, EVALUATED, State.RUNNING, "training"),
        (100, 0, EVALUATED, State.RUNNING, "the last evaluation is played"),
        (5, 125, {}, State.RUNNING, r"training; nothing new for 2:05:.*"),
        (100, 0, ENDED, State.FINISHED, "the run has ended"),
        (40, 0, ENDED, State.STOPPED, "the run was stopped; go on with.* --resume run.*"),
        (40, 0, UNSAVED, State.STOPPED, "the run was stopped; its agent has saved no checkpoint: .*"),
        (0, 0, FAILED, State.FAILED, "the run failed: the agent left; go on with.*"),
    ],
)
def test_what_it_does_now(
    tmp_path: Path, episodes: int, silent: float, config: dict[str, object], state: State, says: str
) -> None:
    now = phase(tmp_path, episodes, silent, held=state is State.RUNNING, **config)
    assert now.state is state
    assert re.fullmatch(says, now.says)
