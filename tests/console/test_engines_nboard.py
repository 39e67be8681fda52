"""`othello engine --protocol nboard`, driven by a script."""

import pytest

from othello_lab.game import Game
from othello_lab.game.notation import square_name
from othello_lab.game.solver.solver import Convention, Solver
from tests.console.engine_talk import nboard
from tests.game.engine_programs import PASSES

GGF = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[5:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.5]W[D6/1.2/0.3];)"
)


def test_each_line_of_nboard_is_answered() -> None:
    script = ["nboard 2", "set depth 6", "set contempt -3", f"set game {GGF}", "move C3//1.5", "ping 12"]
    script += ["learn", "what is this", "go", "go", "quit", "ping 13"]
    said = nboard("alphabeta:depth=2,eval=positional", *script)
    assert said[0] == "set myname alphabeta:depth=2,eval=positional"
    assert said[1:3] == ["pong 12", "learned"]
    moves = [line.split("/")[0].removeprefix("=== ").lower() for line in said if line.startswith("===")]
    game = Game.from_transcript("f5d6c3")
    assert len(moves) == 2  # the second as legal as the first: go makes no move
    assert {*moves} <= {square_name(move, 8) for move in game.board.legal_moves}
    assert said[-1].startswith("status ")


def test_the_first_version_of_nboard_wants_the_bare_move() -> None:
    assert nboard("greedy", "nboard 1", "move F5", "go")[2] in ("=== D6", "=== F4", "=== F6")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("move a1", "status move: a1 is not legal here: it turns over no disc for black"),
        ("move z9", "status move: 'z9' is no square: say one like d3, or row,col from 0 like 2,3"),
        ("move PA", "status move: a pass is not legal here: black has a move"),
        ("hint many", "status hint: expected a whole number, found 'many'"),
        ("ping", "status ping: expected a whole number, found ''"),
        (
            "set game (;GM[Go];)",
            "status set game: game 1, which begins in line 1: "
            "GM[Go] is not Othello: in GGF that is GM[Othello]",
        ),
        ("set game", "status set game: expected one game in GGF, found 0"),
    ],
)
def test_what_is_wrong_in_nboard_is_said_and_changes_nothing(line: str, says: str) -> None:
    said = nboard("greedy", line, "nboard 1", "move F5", "go")
    assert said[0] == says
    assert said[3].startswith("=== ")


def test_passes_may_be_left_out_in_nboard_too() -> None:
    game = Game.from_transcript(PASSES)
    sent = [f"move {square_name(move, 8)}" for move in game.moves if move >= 0]
    said = nboard("greedy", *sent, "go", "hint 1")
    assert said == ["status go: the game is over", "status hint: there is no move to value here"]


def endgame() -> Game:
    game = Game.from_transcript(PASSES)
    while game.board.must_pass or len(game.moves) > 52:
        game.undo()
    return game


def test_hints_near_the_end_are_those_of_the_solver() -> None:
    game = endgame()
    sent = [f"move {'PA' if move < 0 else square_name(move, 8)}" for move in game.moves]
    said = nboard("search:depth=2,endgame=10", *sent, "hint 20", "analyze")
    found = [line.split() for line in said if line.startswith("search ")]
    solver = Solver(8, Convention.DISC_DIFF, 1)
    exact = {
        square_name(move, 8).upper(): -solver.solve(game.board.play(move)).value
        for move in game.board.legal_moves
    }
    assert {words[1][:2]: float(words[2]) for words in found} == exact
    assert {(words[3], words[4]) for words in found} == {("0", "100%")}
    assert any(line.startswith("nodestats ") for line in said)
    assert f"analysis {len(game.moves)} {max(exact.values()):.2f}" in said
    assert said[-1] == "status search:depth=2,endgame=10 is waiting"


def test_hints_change_nothing_that_is_played() -> None:
    plain = nboard("noisy:positional,share=.5", "nboard 1", "go")
    asked = nboard("noisy:positional,share=.5", "nboard 1", "hint 3", "hint 1", "go")
    assert [line for line in asked if line.startswith("===")] == plain[2:3]
