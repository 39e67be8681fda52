from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.experiment.run.record import known
from othello_lab.experiment.show.charts import look
from othello_lab.experiment.show.run_curves import curves_of, running_mean
from othello_lab.experiment.show.run_picture import figure_of, plot_run
from othello_lab.experiment.show.verdict import random_mover_in
from tests.experiment.pictured import assert_clear, written_in
from tests.experiment.show.pages.reported import folder_of

pytestmark = pytest.mark.slow

NAN = float("nan")


def test_the_running_mean_is_that_of_the_last_values() -> None:
    assert running_mean([True, False, True, True], window=2) == pytest.approx(np.array([1, 0.5, 0.5, 1]))


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
    **{"updates": 1, "loss": 0.1, "q_mean": 0.1, "target_gap": 0.1},
    **{"q_legal": 0.1, "q_illegal": -0.1, "epsilon": 0.5},
}


@pytest.mark.parametrize(("episodes", "told"), [(0, {}), (1, {}), (1, EVERYTHING), (2_000, EVERYTHING)])
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
    assert_clear(figure_of(folder))
    if episodes == 0:
        assert plot_run(folder).read_bytes().startswith(b"\x89PNG")


OTHELLO = {"size": 6, "opponent": "corner-greedy", "first": "agent"}
ROWS = [
    "0,corner-greedy,black,9,0,0,9\n",
    "30,corner-greedy,black,9,6,0,3\n",
    "30,random (openings),white,4,4,0,0\n",
]
SPEED: list[dict[str, Any]] = [
    {"episode": index, "steps_per_second": 300.0, "agent": {}} for index in (10, 20)
]


def test_every_axis_is_named_and_no_frame_is_empty(tmp_path: Path) -> None:
    figure = figure_of(folder_of(tmp_path / "run", 30, SPEED, ROWS, **OTHELLO))
    assert [axes.get_title("left") for axes in figure.axes] == ["While it learned", "After 30 games", "Speed"]
    for axes in figure.axes:
        assert axes.get_xlabel()
        assert axes.get_ylabel() or axes.get_title("left") == "After 30 games"
        assert axes.lines
    names = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert names == ["corner-greedy: 67%", "never met: random: 100%"]
    without = figure_of(folder_of(tmp_path / "bare", 30, [], []))
    assert len(without.axes) == 1


def test_a_random_mover_is_marked_where_it_was_measured(tmp_path: Path) -> None:
    main = figure_of(folder_of(tmp_path / "run", 30, [], ROWS, **OTHELLO)).axes[0]
    assert "Wilson" in " ".join(text.get_text() for text in main.texts)
    labels = main.get_legend_handles_labels()[1]
    assert "a random mover wins 13%" in labels
    assert "evaluation: won as black against corner-greedy" in labels
    # The evaluation before the first game is the curve's first point.
    points = next(line for line in main.lines if line.get_marker() == "o")
    assert np.asarray(points.get_xdata()).tolist() == [0, 30]
    for other in ({**OTHELLO, "first": "alternate"}, {**OTHELLO, "size": 4}):
        assert random_mover_in(known({"environment_stats": other}))
    for unknown in ({}, {**OTHELLO, "opponent": "dqn"}, {**OTHELLO, "size": 12}):
        assert random_mover_in(known({"environment_stats": unknown})) is None
    opened = {"environment_stats": OTHELLO, "environment": {"random_opening": 4}}
    assert random_mover_in(known(opened)) is None


def test_self_play_has_the_shares_of_the_colours(tmp_path: Path) -> None:
    stats = {**OTHELLO, "opponent": "self"}
    main = figure_of(folder_of(tmp_path / "run", 30, [], ROWS, **stats)).axes[0]
    labels = main.get_legend_handles_labels()[1]
    shares = [label.split(",")[0] for label in labels[:3]]
    assert shares == ["training: won by black", "training: won by white", "training: drawn"]
    assert "no measure of its strength" in " ".join(text.get_text() for text in main.texts)
    assert "a random mover wins 13% as black against corner-greedy" in labels


def test_the_picture_of_a_run_is_whole_and_no_curve_crosses_a_label(tmp_path: Path) -> None:
    metrics = [
        {"episode": done, "steps_per_second": 300.0, "updates_per_second": 90.0, "agent": EVERYTHING}
        for done in range(10, 301, 10)
    ]
    rows = [f"{done},corner-greedy,black,50,{done // 7},1,{49 - done // 7}\n" for done in range(0, 301, 30)]
    last = [f"{name} (openings)" for name in ("corner-greedy", "random", "positional", "weights:swh")]
    rows += [f"300,{name},{colour},50,30,1,19\n" for name in last for colour in ("black", "white")]
    figure = figure_of(folder_of(tmp_path / "first", 300, metrics, rows, **OTHELLO))
    assert_clear(figure)
    assert "2017" not in " ".join(text.get_text() for text in written_in(figure))


def test_an_opponent_has_one_colour(tmp_path: Path) -> None:
    met = ("greedy", "random", "greedy (openings)", "positional (openings)")
    rows = [f"30,{name},black,9,6,0,3\n" for name in met]
    main, ends = figure_of(folder_of(tmp_path / "run", 30, [], rows, **OTHELLO)).axes
    curves = [line.get_color() for line in main.lines if line.get_marker() in ("o", "s")]
    points = [line.get_color() for line in ends.lines if line.get_marker() in ("o", "s", "^")]
    assert [points[0], points[1]] == curves == [look(0).colour, look(1).colour]
    assert points[2:] == [look(0).colour, look(2).colour]


@pytest.mark.parametrize(
    ("agent", "stats", "title"),
    [
        ({"agent": {"text": "dqn"}}, OTHELLO, "dqn as black against corner-greedy on 6x6"),
        ({"agent": {"text": "dqn"}}, {**OTHELLO, "opponent": "self"}, "dqn against itself on 6x6"),
        ({"agent": {"text": "dqn"}}, {}, "dqn"),
        ({"agent_config": {"agent": "dqn", "text": "dqn,n_step=3", "n": [8]}}, {}, "dqn,n_step=3"),
        ({"agent_config": {"agent": "\x1b[2Jmine"}}, {}, "\ufffd[2Jmine"),
        ({"agent_config": {"agent": 5}}, {}, "the agent"),
    ],
)
def test_the_title_says_who_plays(agent: dict[str, object], stats: dict[str, object], title: str) -> None:
    assert known({"agent": None, **agent, "environment_stats": stats}).headline == title
