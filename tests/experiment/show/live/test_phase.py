"""Where a run is, by its files alone."""

from pathlib import Path
from typing import Any

import pytest

from othello_lab.experiment.show.live.run_page import Phase, phase_of
from othello_lab.experiment.show.run_files import Following
from tests.experiment.show.test_plots import folder_of

BEGUN = "2026-01-01T00:00:00+00:00"
BEGUN_SECONDS = 1767225600.0


def phase(path: Path, episodes: int, silent: float = 0.0, **config: Any) -> Phase:  # noqa: ANN401  parts of config.json
    lines = [{"episode": done, "time": BEGUN_SECONDS + 2 * done} for done in range(1, episodes + 1)]
    # A session before this one, long ago: the time between them is no measure of speed.
    lines.insert(0, {"episode": 0, "time": BEGUN_SECONDS - 1e6})
    folder = folder_of(path / "run", episodes, lines, [])
    given = {"experiment": {"episodes": 100}, "sessions": [{"begun": BEGUN}], "task_spec": "", **config}
    folder.write_config({**folder.config(), **given})
    run = Following(folder)
    run.look()
    return phase_of(run, silent)


def test_training_has_as_much_time_left_as_games(tmp_path: Path) -> None:
    now = phase(tmp_path, 25)
    assert (now.done, now.total, now.share, now.ended, now.says) == (25, 100, 0.25, False, "training")
    assert now.seconds_left == pytest.approx(150)


def test_a_run_that_has_not_begun(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", 0, [], [])
    run = Following(folder)
    run.look()
    now = phase_of(run, 0.0)
    assert now.says == "waiting for agent and environment"
    assert now.seconds_left is None


@pytest.mark.parametrize(
    ("episodes", "says"),
    [(20, "evaluating"), (21, "training"), (100, "the last evaluation is played")],
)
def test_what_it_does_now(tmp_path: Path, episodes: int, says: str) -> None:
    assert phase(tmp_path, episodes, experiment={"episodes": 100, "eval_every": 20}).says == says


def test_a_run_of_minutes_is_measured_by_time(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", 10, [{"episode": 10, "seconds": 30.0, "time": 5.0}], [])
    folder.write_config({"experiment": {"episodes": 1, "minutes": 2.0}, "sessions": [{}], "task_spec": ""})
    run = Following(folder)
    run.look()
    now = phase_of(run, 0.0)
    assert (now.share, now.total) == (0.25, 40)


def test_the_end_and_a_stop_are_told_apart(tmp_path: Path) -> None:
    ended = [{"begun": BEGUN, "seconds": 9.0}]
    now = phase(tmp_path, 100, sessions=ended)
    assert (now.ended, now.says) == (True, "the run has ended")
    (tmp_path / "second").mkdir()
    now = phase(tmp_path / "second", 40, sessions=ended)
    assert now.ended
    assert "the run was stopped; go on with" in now.says
    assert "--resume run" in now.says


def test_a_run_whose_agent_saved_nothing_is_to_be_started_anew(tmp_path: Path) -> None:
    config = {"episodes": 100, "save_every": 20}
    now = phase(tmp_path, 40, sessions=[{"begun": BEGUN, "seconds": 9.0}], experiment=config)
    assert now.says == "the run was stopped; its agent has saved no checkpoint: start a new run"


def test_silence_is_told(tmp_path: Path) -> None:
    assert phase(tmp_path, 5, silent=125).says.startswith("training; nothing new for 2:05:")
