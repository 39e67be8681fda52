"""Training from Python: runs, their rows, and what cannot be trained."""

from pathlib import Path
from typing import Any

import pytest

import othello_lab as lab
from tests.test_library_players import lowest

SMALL: dict[str, Any] = {"size": 4, "eval_every": 0, "final_games": 4, "eval_opponents": ()}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_progress_can_be_shown() -> None:
    assert lab.train("tabular", episodes=20, name="shown", progress=True, **SMALL).rows()


def test_a_run_is_told_of_its_progress_and_can_play() -> None:
    told: list[tuple[int, int]] = []
    run = lab.train("tabular", episodes=20, name="one", progress=lambda *how: told.append(how), **SMALL)
    assert told[-1] == (20, 20)
    assert run.folder == Path("runs/one")
    assert {"opponent", "win", "score", "interval"} <= run.rows()[-1].keys()
    assert len(lab.match(run.player, "random", size=4, openings=0)) == 2
    assert lab.values(lab.Board.start(4), lab.load("one"))


@pytest.mark.parametrize("name", ["greedy", "x.safetensors"])
def test_a_run_that_is_named_like_another_player_is_the_one_that_it_has_trained(name: str) -> None:
    run = lab.train("tabular", episodes=1, name=name, **SMALL)
    assert run.player == f"trained:runs/{name}/checkpoints/policy.safetensors"


def test_games_that_could_not_be_played_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_lab.experiment.run.connecting.opponents_to_allow", lambda *_: ())
    run = lab.train("tabular", episodes=2, **{**SMALL, "eval_opponents": [lowest]})
    assert [note for note in run.notes if "given:lowest skipped" in note]
    assert run.notes[0] in str(run)


def test_the_same_run_as_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from othello_lab.commands.cli import cli

    lab.train("tabular", episodes=20, seed=3, name="here", size=4)
    command = "experiment train --in-process --agent tabular --episodes 20 --seed 3 --size 4 --name there"
    cli.main([*command.split()], standalone_mode=False)
    here, there = (Path("runs", name, "episodes.csv").read_text("utf-8") for name in ("here", "there"))
    assert here == there


def test_self_play_by_any_number_of_processes_is_the_same() -> None:
    for jobs in (1, 2):
        lab.selfplay("ntuple", games=200, games_at_once=100, jobs=jobs, name=f"by{jobs}", **SMALL)
    one, two = (Path("runs", name, "checkpoints/policy.safetensors").read_bytes() for name in ("by1", "by2"))
    assert one == two


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"episodes": 0}, "'--episodes': 0 is not in the range x>=1"),
        ({"eval_every": -5}, "'--eval-every': -5 is not in the range x>=0"),
        ({"opponent": "nobody"}, "there is no player, run or checkpoint 'nobody'"),
        ({"size": 5}, "5"),
        ({"eval_opponents": ["ntuple:pretrained"]}, "4x4"),
    ],
)
def test_what_cannot_be_trained_leaves_no_run(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as error:
        lab.train("tabular", **{"name": "bad", **SMALL, **wrong})
    assert "\n" not in str(error.value)
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"games_at_once": 0}, {"jobs": 0}, {"opponents": "x=1"}, {"learner": "tabular"}]
)
def test_what_cannot_play_itself_leaves_no_run(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"range|share|one game at a time"):
        lab.selfplay(**{"name": "bad", **SMALL, **wrong})
    assert not Path("runs").exists()
