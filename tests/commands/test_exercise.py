from math import log, log10, sqrt
from pathlib import Path

import pytest

from othello_lab.commands.exercise import command
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.study import exercises
from othello_lab.experiment.study.statistics.intervals import NORMAL, wilson
from othello_lab.game import Board
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.openings import perft
from othello_lab.game.solver.solver import Solver
from tests.calling import caller
from tests.cases import cases

PRETRAINED = str(Path(__file__).parents[2] / "agent" / "{0}" / "pretrained" / "{1}x{1}.safetensors")

exercise = caller(command)


def test_games_that_were_interrupted_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "play_match", lambda match, *_: Summary(match))
    with pytest.raises(KeyboardInterrupt):
        exercises.score("greedy", "random", 4)


def test_all_questions_or_one() -> None:
    lines = exercise().output.splitlines()
    assert lines[0].startswith("1.1  How many ways")
    assert [line.split(".")[0] for line in lines] == sorted(line.split(".")[0] for line in lines)
    assert exercise("7.2").output == lines[-3].partition("  ")[2] + "\n"


@pytest.mark.parametrize(("number", "right", "wrong"), cases("exercise_answers"))
def test_answers(number: str, right: str, wrong: str) -> None:
    told = exercise(number, *right.split())
    assert (told.exit_code, told.output[:7]) == (0, "right: ")
    told = exercise(number, *wrong.split())
    assert (told.exit_code, told.output[:7]) == (1, "wrong: ")


def test_the_answers_of_the_table_are_true() -> None:
    right = {number: each.right for number, each in exercises.EXERCISES.items()}
    after_d3 = Board.start(8).play(parse_square("d3", 8))
    black_wins_by = Solver(4).solve(Board.start(4)).value
    assert right["1.1"] == [perft(Board.start(6), 6)]
    assert right["1.2"] == " ".join(sorted(square_name(move, 8) for move in after_d3.legal_moves))
    assert right["2.1"] == pytest.approx(wilson(0.7, 10), abs=0.001)
    assert right["2.2"] == [round((NORMAL / 0.03) ** 2 / 4)]
    assert right["3.1"] == f"white {-black_wins_by}"
    assert right["4.1"] == [0.99**2]
    assert right["6.1"] == [3**6]
    assert right["6.2"] == [0.5 * 0.3 + 0.25 * 0.5 + 0.25 * 1]
    assert right["7.1"] == pytest.approx([0.2 + sqrt(log(100) / 10)], abs=0.001)
    assert right["8.1"] == pytest.approx([400 * log10(0.75 / 0.25)], abs=0.1)
    assert right["8.2"] == pytest.approx([1 / (1 + 10 ** (-100 / 400))], abs=0.001)


def test_an_agent_that_forfeits_is_no_answer(tmp_path: Path) -> None:
    told = exercise("3.2", "agent:sh -c 'exit 3'", "--size", "4", "--runs-dir", str(tmp_path))
    assert told.exit_code == 2
    assert "exit status 3" in told.stderr.splitlines()[-1]
    assert "Traceback" not in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "player", "size", "code"),
    [
        ("3.2", PRETRAINED.format("ntuple", 6), "6", 1),  # another board
        ("3.2", PRETRAINED.format("dqn", 4), "4", 0),
        ("5.1", PRETRAINED.format("ntuple", 6), "6", 1),
        ("6.3", PRETRAINED.format("ntuple", 6), "6", 0),
    ],
)
def test_players_are_judged_by_games(number: str, player: str, size: str, code: int) -> None:
    assert exercise(number, player, "--size", size).exit_code == code


@pytest.mark.parametrize(
    "arguments",
    [
        ("9.9",),
        ("1.1", "many"),
        ("1.2", ""),
        ("1.1", "1", "2"),
        ("6.3", "no-such-player"),
        ("6.3", "level:10"),
    ],
)
def test_what_is_no_answer_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    told = exercise(*arguments)
    assert told.exit_code == 2
    assert told.output.splitlines()[-1].startswith("Error: Invalid value for ")
