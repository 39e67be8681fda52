"""The picture of a run: which numbers it takes from the files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiment.loop import Episode
from experiment.outcomes import Outcome
from experiment.plots import curves_of, plot_run, running_rate
from experiment.run_folder import RunFolder

NAN = float("nan")


def folder_of(path: Path, episodes: int, metrics: list[dict[str, Any]], evaluations: list[str]) -> RunFolder:
    path.mkdir()
    (path / "config.json").write_text(json.dumps({"agent": {"text": "dqn"}}))
    rows = (
        f"{index},{'win' if index % 3 else 'loss'},1,30,40,24,black,0\n" for index in range(1, episodes + 1)
    )
    (path / "episodes.csv").write_text(
        "episode,outcome,reward,steps,discs_own,discs_opponent,colour,illegal\n" + "".join(rows)
    )
    (path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in metrics))
    header = "episode,opponent,colour,games,win,draw,loss\n"
    (path / "evaluations.csv").write_text(header + "".join(evaluations))
    return RunFolder(path)


def test_the_running_rate_is_that_of_the_last_games() -> None:
    outcomes = [Outcome.WIN, Outcome.LOSS, Outcome.WIN, Outcome.WIN]
    episodes = [Episode(index, outcome, 0.0, 1) for index, outcome in enumerate(outcomes, 1)]
    assert running_rate(episodes, {Outcome.WIN}, window=2) == pytest.approx(np.array([1, 0.5, 0.5, 1]))


def test_curves_leave_out_what_is_missing_or_says_nothing() -> None:
    metrics = [
        {"episode": 1, "steps_per_second": 9.0, "agent": {"updates": 0, "loss": 0.0, "epsilon": 1.0}},
        {"episode": 2, "evaluation": {"opponent": "random", "win_rate": 0.5}},
        {"episode": 3, "steps_per_second": 8.0, "agent": {"updates": 5, "loss": NAN, "epsilon": 0.5}},
        {"episode": 4, "steps_per_second": 7.0, "agent": {"updates": 9, "loss": 0.25, "q_mean": None}},
    ]
    curves = curves_of(metrics)
    assert curves["loss"] == ([4], [0.25])
    assert curves["epsilon"] == ([1, 3], [1.0, 0.5])
    assert curves["steps_per_second"] == ([3, 4], [8.0, 7.0])
    assert "q_mean" not in curves


EVERYTHING = {
    "updates": 1,
    "loss": 0.1,
    "q_mean": 0.1,
    "target_gap": 0.1,
    "q_legal": 0.1,
    "q_illegal": -0.1,
    "epsilon": 0.5,
}


@pytest.mark.parametrize("episodes", [0, 1, 30, 12_000])
@pytest.mark.parametrize("told", [{}, EVERYTHING])
def test_it_is_drawn_for_any_run(tmp_path: Path, episodes: int, told: dict[str, float]) -> None:
    speeds = {"steps_per_second": 3000.0, "updates_per_second": 700.0}
    metrics = [{"episode": index, **speeds, "agent": told} for index in range(1, episodes + 1, 10)]
    evaluations = [
        f'{episodes},"alphabeta:depth=4,eval=[weights:swh,fade=1]{number}",{colour},9,3,3,3\n'
        for number in range(6)
        for colour in ("black", "white", "")
        if episodes
    ]
    folder = folder_of(tmp_path / "run", episodes, metrics, evaluations)
    assert plot_run(folder).read_bytes().startswith(b"\x89PNG")
