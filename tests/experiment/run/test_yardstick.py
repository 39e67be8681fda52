"""The yardstick: levels of a program of other people, here players of our own in its place."""

import sys
from pathlib import Path

import pytest

from othello_lab.experiment.run import yardstick
from othello_lab.experiment.run.connecting import opponents_to_allow
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, RunResult
from othello_lab.experiment.run.record import EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small

BROKEN = f"engine:{sys.executable} -c pass"
FAKE = Path(__file__).parents[2] / "game" / "fake_engine.py"


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardstick, "OPENINGS", 2)


def measured(monkeypatch: pytest.MonkeyPatch, runs: Path, *levels: str) -> tuple[RunResult, list[str]]:
    """Train a little and play the levels; the report, and who was played from openings."""
    monkeypatch.setattr(yardstick, "LEVELS", {f"level {text}": text for text in levels})
    config = small(1, final_games=1, yardstick=True)
    report, _ = carry_out(plan_of(runs, config=config), SavingAgent(), othello(8, allow_opponent=levels))
    rows = [(e.opponent, e.colour, e.tally.games) for e in RunFolder.open(runs, "one").evaluations()]
    names = {text + FROM_OPENINGS for text in levels}
    return report, [opponent for opponent, _, games in rows if opponent in names and games == 2]


def test_levels_are_played_until_the_agent_is_no_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(yardstick, "PASS_SCORE", 0.0)
    report, played = measured(monkeypatch, tmp_path / "all", "random", "greedy")
    assert played == ["random (openings)"] * 2 + ["greedy (openings)"] * 2
    assert [(result.colour, result.tally.games) for result in report.yardstick] == [
        ("black", 2),
        ("white", 2),
    ] * 2
    monkeypatch.setattr(yardstick, "PASS_SCORE", 1.1)
    _, played = measured(monkeypatch, tmp_path / "first", "random", "greedy")
    assert played == ["random (openings)"] * 2


@pytest.mark.parametrize(
    "text", [BROKEN, f"engine:{sys.executable} {FAKE} size", f"engine:{sys.executable} {FAKE} dies"]
)
def test_a_program_that_fails_costs_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    report, played = measured(monkeypatch, tmp_path, text, "random")
    assert not played
    assert not report.yardstick
    assert len(report.evaluations) == 3
    assert len(report.notes) == 1
    assert report.policy


def test_there_is_none_where_nothing_is_installed_or_the_board_is_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report, played = measured(monkeypatch, tmp_path, "engine:no-such-program")
    assert (played, report.yardstick) == ([], [])
    assert report.no_yardstick == "it is not installed (on Debian and Ubuntu: apt install grhino)"
    config = small(1, final_games=1, yardstick=True)
    report, _ = carry_out(plan_of(tmp_path, "small", config), SavingAgent(), othello(6))
    assert (report.yardstick, report.no_yardstick) == ([], "it plays on 8x8 only")


def test_a_run_that_has_none_says_why_unless_nobody_asked() -> None:
    assert yardstick.why_unavailable(8, wanted=False, own_environment=True) == ""
    for environment in (EnvironmentPart(), EnvironmentPart(command="mine")):
        said = yardstick.why_unavailable(8, wanted=False, own_environment=environment.is_ours)
        assert said == "the environment is not of this run's making, so it takes no program as its opponent"


def test_what_an_environment_is_told_to_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    config = small(eval_opponent=("random", "dqn:mine"), yardstick=True)
    monkeypatch.setattr("othello_lab.experiment.run.connecting.is_available", lambda size: size == 8)
    assert opponents_to_allow(config, 8) == ("dqn:mine", *yardstick.LEVELS.values())
    assert opponents_to_allow(config, 6) == ("dqn:mine",)
    assert opponents_to_allow(small(), 8) == ()
