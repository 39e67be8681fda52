"""`othello engine`, driven by a script through its protocols."""

import shlex
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.engine import command
from othello_lab.console.engines.lines import LONGEST
from othello_lab.game import Board, Game
from othello_lab.game.notation import square_name
from othello_lab.game.players import catalogue
from othello_lab.game.players.base import MoveValues
from othello_lab.game.players.one_move import GreedyPlayer
from othello_lab.game.registry import Entry, Spec
from tests.console.engine_talk import gtp, nboard, talk
from tests.game.engine_programs import FAKE, PASSES, ROOT

WIPED_OUT = "e6f4e3f6g5d6e7f5c5"
"""Black has every disc after these moves: 13 of them."""


def plays(transcript: str, passes: bool) -> list[str]:
    game = Game.from_transcript(transcript)
    moves = zip(game.boards, game.moves, strict=False)
    return [f"play {board.turn.value} {square_name(move, 8)}" for board, move in moves if passes or move >= 0]


GTP = [
    ("protocol_version", "= 2"),
    ("7 name", "=7 othello-lab greedy"),
    ("known_command genmove", "= true"),
    ("known_command genmoves", "= false"),
    ("list_games", "= Othello"),
    ("set_game Othello", "="),
    ("set_game Go", "? unsupported game"),
    ("komi 0.5", "="),
    ("time_settings 300 0 0", "="),
    ("time_left black 20 0", "="),
    ("boardsize 8", "="),
    ("clear_board", "="),
    ("play black F5", "="),
    ("play w d6 # a comment", "="),
    ("final_score", "? cannot score: the game goes on"),
    ("3", "?3 unknown command"),
    ("fly", "? unknown command fly"),
    (
        "boardsize 7",
        "? unacceptable size: a board of 7x7 does not exist: the size must be even, from 4 to 16",
    ),
    ("boardsize", "? syntax error: expected boardsize SIZE"),
    ("boardsize eight", "? syntax error: expected a whole number, found 'eight'"),
    ("boardsize ²", "? syntax error: expected a whole number, found '²'"),
    ("komi much", "? syntax error: expected komi KOMI"),
    ("time_settings 1 2", "? syntax error: expected time_settings MAIN BYO_YOMI STONES"),
    ("play black", "? syntax error: expected play COLOUR MOVE"),
    ("play red f5", "? syntax error: 'red' is no colour: say black or white"),
    ("play black f5", "? illegal move: f5 is not legal here: it is occupied"),
    ("play white c4", "? illegal move: it is the turn of black"),
    ("play black pass", "? illegal move: a pass is not legal here: black has a move"),
    ("genmove white", "? illegal move: it is the turn of black"),
    ("5 quit", "=5"),
]


def test_each_command_of_gtp_is_answered() -> None:
    answers = gtp("greedy", *(line for line, _ in GTP), "name")
    assert answers == [answer for _, answer in GTP]  # nothing after quit


def test_every_gtp_command_that_is_listed_is_known() -> None:
    listed = gtp("greedy", "list_commands")[0].removeprefix("= ").split("\n")
    assert {"play", "genmove", "reg_genmove", "undo", "showboard", "final_score"} <= {*listed}
    assert gtp("greedy", *(f"known_command {name}" for name in listed)) == ["= true"] * len(listed)


def test_a_move_is_made_by_genmove_and_not_by_reg_genmove() -> None:
    said = gtp(
        "random", "reg_genmove black", "reg_genmove black", "genmove black", "undo", "showboard", "undo"
    )
    assert said[0] == said[1] == said[2]
    assert said[3] == "="
    assert "X 2  O 2  black to move" in said[4]
    assert said[5] == "? cannot undo"


def test_reg_genmove_changes_no_later_move_of_a_search_that_keeps_its_tree() -> None:
    moves = ["genmove black", "genmove white"] * 2
    asked = [line for move in moves for line in (f"reg_{move}", f"reg_{move}", move)]
    said = gtp("mcts:simulations=60", *asked)
    assert said[2::3] == gtp("mcts:simulations=60", *moves)
    assert said[0::3] == said[1::3]


@pytest.mark.parametrize("passes", [True, False])
def test_a_game_with_passes_is_followed_whether_they_are_said_or_not(passes: bool) -> None:
    moves = plays(PASSES, passes)
    said = gtp("greedy", *moves, "final_score", "genmove black", *["undo"] * len(moves), "undo", "showboard")
    score = Game.from_transcript(PASSES).board.outcome()
    assert score
    assert said[: len(moves)] == ["="] * len(moves)
    assert said[len(moves)] == f"= {'B' if score.final_score > 0 else 'W'}+{abs(score.final_score)}"
    assert said[len(moves) + 1] == "= PASS"
    assert said[-2] == "? cannot undo"
    assert "X 2  O 2  black to move" in said[-1]


def test_a_side_that_must_pass_says_so() -> None:
    game = Game.from_transcript(PASSES)
    ply = next(ply for ply, board in enumerate(game.boards) if board.must_pass)
    turn = game.boards[ply].turn
    before = plays(PASSES, passes=True)[:ply]
    said = gtp(
        "greedy", *before, f"genmove {turn.value}", f"genmove {turn.other.value}", "undo", "undo", "undo"
    )
    assert said[ply] == "= PASS"
    assert said[ply + 1].startswith("= ")
    assert said[ply + 2 :] == ["="] * 3


def test_empty_squares_count_for_the_winner() -> None:
    assert gtp("greedy", *plays(WIPED_OUT, passes=True), "final_score")[-1] == "= B+64"


@pytest.mark.parametrize("size", [4, 6, 16])
def test_other_boards(size: int) -> None:
    said = gtp("greedy", f"boardsize {size}", "genmove black", "showboard")
    assert said[1] in {f"= {square_name(move, size).upper()}" for move in Board.start(size).legal_moves}
    assert f"\n{size:2} " in said[2]


def test_a_size_that_the_player_does_not_play_is_refused_and_the_game_stays() -> None:
    said = gtp("dqn:pretrained", "play black b1", "boardsize 10", "showboard", size=4)
    assert said[1].startswith("? unacceptable size: ")
    assert "after b1" in said[2]


WILD = [
    b"",
    b"\x00\x07\t\r",
    b"name\r",
    b"na\x01me",
    b"\xff\xfe",
    b"x" * 3 * LONGEST,
    b"play black " + b"a" * 9999,
]


def test_anything_is_answered_in_few_words() -> None:
    said = gtp("greedy", *WILD, "name")
    assert said[:2] == ["= othello-lab greedy"] * 2
    assert said[2].startswith("? unknown command")
    assert said[3] == f"? line too long: more than {LONGEST:,} characters"
    assert said[4].startswith("? syntax error: ")
    assert said[5:] == ["= othello-lab greedy"]
    assert max(map(len, said)) < 600
    said = nboard("greedy", *WILD, "ping 1")
    assert said == [f"status line too long: more than {LONGEST:,} characters", "pong 1"]


def test_a_script_longer_than_what_is_read_ahead_is_answered_without_waiting() -> None:
    assert gtp("random", *["known_command undo"] * 3000) == ["= true"] * 3000


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_the_end_of_the_input_is_the_end(protocol: str) -> None:
    assert talk(protocol, "greedy") == ""


@pytest.mark.parametrize(("protocol", "ask"), [("gtp", "genmove black"), ("nboard", "go")])
def test_a_player_that_dies_is_told(protocol: str, ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    player = f"engine:{shlex.join([sys.executable, str(FAKE)])} dies,name=fake"
    said = talk(protocol, player, ask)
    why = "fake ended with exit status 1: out of memory, out of luck"
    assert f"? {why}" in said or f"status go: {why}" in said


class Careless(GreedyPlayer):
    """Prints while it thinks."""

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        print("= A1")
        return super().values(game, rng)


def test_nothing_but_the_protocol_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(spec: Spec, size: int) -> Careless:
        return Careless()

    monkeypatch.setitem(catalogue.BUILT_IN, "careless", Entry(make, "prints"))
    assert "= A1" not in talk("nboard", "careless", "hint 1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [("nobody", "there is no player"), ("--size 7 greedy", "must be even"), ("--protocol uci greedy", "uci")],
)
def test_a_wrong_start_is_one_line_on_stderr(arguments: str, says: str) -> None:
    result = CliRunner().invoke(command, arguments.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr.splitlines()[-1]
