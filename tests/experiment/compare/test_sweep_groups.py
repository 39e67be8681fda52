"""Comparing runs of self-play: which of them are one line."""

from pathlib import Path
from typing import Any

import pytest

from othello_lab.experiment.compare.sweep.comparison import Matchup, grouped, read_groups
from othello_lab.experiment.run.run_folder import RunFolder
from tests.experiment.compare.test_sweep_compare import make_run


def of_selfplay(runs: Path, name: str, episodes: int = 20, **own: object) -> RunFolder:
    """Make a run of self-play with values of its tables; `start` is what its first checkpoint holds."""
    wins = {(episodes // 2, "greedy", "black"): 2, (episodes, "greedy", "black"): len(name)}
    folder = make_run(runs, name, wins, episodes=episodes)
    start, config = own.pop("start", None), folder.config()
    config["experiment"]["episodes"] = episodes
    config["experiment"] |= {key: own.pop(key) for key in ("minutes", "plies") if key in own}
    config["selfplay"] = {"opponents": "none", "random_opening": 10, "start": start is not None, **own}
    folder.write_config(config)
    if start:
        folder.checkpoints.mkdir()
        (folder.checkpoints / "start.safetensors").write_text(str(start))
    return folder


@pytest.mark.parametrize(
    ("one", "other", "differences"),
    [
        ({}, {}, []),
        ({"minutes": 1.0}, {"minutes": 1.0, "episodes": 30}, []),
        ({"start": "one"}, {"start": "one"}, []),
        ({"minutes": 1.0}, {"minutes": 2.0}, ["minutes 1.0", "minutes 2.0"]),
        ({"plies": 9}, {}, ["plies 9", "episodes 20"]),
        ({}, {"opponents": "past=0.2"}, ["opponents none", "opponents past=0.2"]),
        (
            {"random_opening": 4, "games_at_once": 64},
            {"games_at_once": 8},
            ["games at once 64  random opening 4", "games at once 8  random opening 10"],
        ),
        ({"start": "one"}, {"start": "another"}, ["from 7692c3ad", "from ae448ac8"]),
    ],
)
def test_runs_of_self_play_are_apart_by_what_they_learned_from(
    tmp_path: Path, one: dict[str, Any], other: dict[str, Any], differences: list[str]
) -> None:
    groups, found = grouped([of_selfplay(tmp_path, "a", **one), of_selfplay(tmp_path, "bb", **other)])
    assert list(groups) == (["a", "bb"] if differences else ["a, bb"])
    assert [*found.values()] == (differences or [""])


def test_runs_of_some_time_are_one_curve_evaluation_by_evaluation(tmp_path: Path) -> None:
    runs = [of_selfplay(tmp_path, "a" * wins, games, minutes=1.0) for wins, games in ((3, 12), (5, 20))]
    (group,), left_out = read_groups(grouped(runs)[0])
    curve = group.curve(Matchup(4, "greedy"))
    assert not left_out
    assert {episode: round(found.value, 9) for episode, found in curve.items()} == {8: 0.2, 16: 0.4}
