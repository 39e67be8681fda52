import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.cli import cli
from othello_lab.commands.play import command as play
from othello_lab.commands.solve import command as solve
from othello_lab.game.review import Reviewer

pytestmark = pytest.mark.slow

# A 4x4 position that begins with a dash. It has 14 discs, so black is to move if nobody has passed.
CELLS = "-OOXX-OOXXXOXXXX"
WAYS = [
    CELLS,
    CELLS.replace("-", "."),
    CELLS.translate({ord("X"): "●", ord("O"): "○", ord("-"): "·"}),
    CELLS.translate({ord("X"): "b", ord("O"): "w"}),
    " ".join(CELLS[row : row + 4] for row in range(0, 16, 4)),
    "\n".join(CELLS[row : row + 4] for row in range(0, 16, 4)),
    "/".join(CELLS[row : row + 4] for row in range(0, 16, 4)),
    "|".join(CELLS[row : row + 4] for row in range(0, 16, 4)),
    CELLS.translate({ord("X"): "⚫", ord("O"): "⚪", ord("-"): "🟩"}),
]


def takes_positions(command: click.Command) -> bool:
    names = [
        parameter.human_readable_name
        for parameter in command.params
        if parameter.param_type_name == "argument"
    ]
    return any("MOVES" in name or "POSITION" in name for name in names)


CONTEXT = click.Context(cli)
TAKING = {
    name: command
    for name in cli.list_commands(CONTEXT)
    if (command := cli.get_command(CONTEXT, name)) and takes_positions(command)
}


def run(command: click.Command, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


@pytest.fixture(autouse=True)
def _reviewed_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_lab.game.review.Reviewer", lambda size, *_: Reviewer(size, 8, 200))


def test_these_commands_take_positions() -> None:
    assert {"solve", "draw", "review", "games"} <= TAKING.keys()


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize(
    "text", [f"{CELLS} X", f"-{CELLS[1:]} O", "-●○· ---- ---- ----", "_OX_____________ black to move"]
)
def test_a_position_may_begin_with_a_dash(name: str, text: str, here: Path) -> None:
    for words in ([text], text.split()):
        result = run(TAKING[name], *words)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize(
    "text", ["f5-d6-c3", "f5,d6,c3", "1. f5 2. d6 3. c3", "1.f5 d6 2.c3 34-30", "F5D6C3 (33:31)"]
)
def test_a_transcript_may_be_written_in_the_usual_ways(name: str, text: str, here: Path) -> None:
    for words in dict.fromkeys([(text,), tuple(text.split())]):
        result = run(TAKING[name], *words)
        assert "no list of moves" not in result.output
        assert result.exit_code == 0 or "57 empty squares" in result.output


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("text", ["(;GM[2]SZ[4];B[b1];W[c1])", '{"size": 4, "moves": "b1 c1"}'])
def test_a_game_may_be_pasted(name: str, text: str, here: Path) -> None:
    result = run(TAKING[name], text)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize(
    "text", ["-OOXZ-OOXXXOXXXX X", "-\udcff\udcfe", "-\x1b[31m", "--XOXOXO", "-●●●", "XO" * 1000]
)
def test_what_is_no_position_is_told_in_a_line_what_is_taken(name: str, text: str) -> None:
    result = run(TAKING[name], text)
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert "write " in line
    assert "N*N cells" in line
    assert line.isprintable()
    assert "udc" not in line
    assert len(line) < 500


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("word", ["--bogus", "-q", "--all-of-it", "--\udcff"])
def test_an_option_that_does_not_exist_is_no_position(name: str, word: str) -> None:
    result = run(TAKING[name], f"{CELLS}X", word)
    assert result.exit_code == 2
    assert "No such option" in result.stderr or "no position" in result.stderr
    assert "udc" not in result.stderr


def test_every_way_to_write_it_is_the_same_position() -> None:
    lines = [(way, "X") for way in WAYS] + [(way,) for way in WAYS]
    answers = [json.loads(run(solve, *line, "--json").stdout) for line in lines]
    assert {answer["position"] for answer in answers} == {f"{CELLS} X"}


def test_whose_turn_it_is_may_be_left_out_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    assert "4x4, 2 empty squares, black to move" in run(solve, CELLS).stdout
    assert "whose turn" in caplog.text


@pytest.mark.parametrize("way", [f"{CELLS} X", WAYS[-1]])
def test_a_game_is_played_on_from_a_position(way: str) -> None:
    result = CliRunner().invoke(play, ["human", "--plain", "--load", way], input="quit\n")
    assert result.exit_code == 0, result.output
    assert "● black (person) 9   ○ white (person) 5" in result.output
