import shlex
import sys
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.engine import command
from othello_lab.console.engines.engine_game import GameClock
from othello_lab.console.engines.lines import LONGEST
from othello_lab.game import Board, Colour, Game
from othello_lab.game.notation import square_name
from othello_lab.game.players.player import MoveValues
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.players.simple import SimplePolicy
from tests.calling import add_player
from tests.cases import cases
from tests.console.conftest import gtp, nboard, talk
from tests.game.engine_programs import FAKE, PASSES, ROOT

WIPED_OUT = "e6f4e3f6g5d6e7f5c5"  # After these moves, black has all 13 discs.


def plays(transcript: str, passes: bool) -> list[str]:
    game = Game.from_transcript(transcript)
    moves = zip(game.boards, game.moves, strict=False)
    return [f"play {board.turn.value} {square_name(move, 8)}" for board, move in moves if passes or move >= 0]


GTP = cases("gtp_session")


def test_each_command_of_gtp_is_answered() -> None:
    answers = gtp("greedy", *(line for line, _ in GTP), "name")
    assert answers == [answer for _, answer in GTP]  # nothing after quit


def test_every_gtp_command_that_is_listed_is_known() -> None:
    listed = gtp("greedy", "list_commands")[0].removeprefix("= ").split("\n")
    assert {"play", "genmove", "undo", "showboard", "final_score"} <= {*listed}
    assert gtp("greedy", *(f"known_command {name}" for name in listed)) == ["= true"] * len(listed)


@pytest.mark.parametrize("passes", [True, False])
def test_a_game_with_passes_is_followed_whether_they_are_said_or_not(passes: bool) -> None:
    moves = plays(PASSES, passes)
    output = gtp(
        "greedy", *moves, "final_score", "genmove black", *["undo"] * (len(moves) + 1), "undo", "showboard"
    )
    score = Game.from_transcript(PASSES).board.outcome()
    assert score
    assert output[: len(moves)] == ["="] * len(moves)
    assert output[len(moves)] == f"= {'B' if score.final_score > 0 else 'W'}+{abs(score.final_score)}"
    assert output[len(moves) + 1] == "= PASS"
    assert output[-2] == "? cannot undo"
    assert "X 2  O 2  black to move" in output[-1]


def test_a_pass_after_the_end_is_accepted_and_can_be_undone() -> None:
    moves = plays(WIPED_OUT, passes=True)
    output = gtp(
        "greedy",
        *moves,
        "play white pass",
        "genmove black",
        "play b PASS",
        *["undo"] * 3,
        "final_score",
        "undo",
        "final_score",
    )
    assert output[len(moves) :] == [
        "=",
        "= PASS",
        "=",
        *["="] * 3,
        "= B+64",
        "=",
        "? cannot score: the game goes on",
    ]
    assert nboard(
        "greedy", *(f"move {line.split()[2]}" for line in moves), "move PA", "move pass", "ping 1"
    ) == ["pong 1"]


def test_a_side_that_must_pass_says_so() -> None:
    game = Game.from_transcript(PASSES)
    ply = next(ply for ply, board in enumerate(game.boards) if board.must_pass)
    turn = game.boards[ply].turn
    before = plays(PASSES, passes=True)[:ply]
    output = gtp(
        "greedy", *before, f"genmove {turn.value}", f"genmove {turn.other.value}", "undo", "undo", "undo"
    )
    assert output[ply] == "= PASS"
    assert output[ply + 1].startswith("= ")
    assert output[ply + 2 :] == ["="] * 3


def test_other_boards() -> None:
    output = gtp("greedy", "boardsize 4", "genmove black", "showboard", "boardsize 16", "showboard")
    assert output[1] in {f"= {square_name(move, 4).upper()}" for move in Board.start(4).legal_moves}
    assert "\n 4 " in output[2]
    assert "\n16 " in output[4]


def test_a_size_that_the_player_does_not_play_is_refused_and_the_game_stays() -> None:
    output = gtp("dqn:pretrained", "play black b1", "boardsize 10", "showboard", size=4)
    assert output[1].startswith("? unacceptable size: ")
    assert "after b1" in output[2]


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
    output = gtp("greedy", *WILD, "name")
    assert output[:2] == ["= othello-lab greedy"] * 2
    assert output[2].startswith("? unknown command")
    assert output[3] == f"? line too long: more than {LONGEST:,} characters"
    assert output[4].startswith("? syntax error: ")
    assert output[5:] == ["= othello-lab greedy"]
    assert max(map(len, output)) < 600
    output = nboard("greedy", *WILD, "ping 1")
    assert output == [f"status line too long: more than {LONGEST:,} characters", "pong 1"]


def test_a_script_longer_than_what_is_read_ahead_is_answered_without_waiting() -> None:
    assert gtp("random", *["known_command undo"] * 3000) == ["= true"] * 3000


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_the_end_of_the_input_is_the_end(protocol: str) -> None:
    assert talk(protocol, "greedy") == ""


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "ask"), [("gtp", "genmove black"), ("nboard", "go")])
def test_a_player_that_dies_is_told(protocol: str, ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    player = f"engine:{shlex.join([sys.executable, str(FAKE)])} dies,name=fake"
    output = talk(protocol, player, ask)
    why = "fake ended with exit status 1: out of memory, out of luck"
    assert f"? {why}" in output or f"status go: {why}" in output


class Careless(SimplePolicy):
    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        print("= A1")
        return super().values(game, rng)


def test_nothing_but_the_protocol_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    add_player(monkeypatch, "careless", partial(Careless, "greedy"))
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


BLACK, WHITE = Colour.BLACK, Colour.WHITE


def test_a_side_has_what_it_was_given_less_what_it_used() -> None:
    clock = GameClock()
    assert clock.left(BLACK) is None
    clock.set(600)
    clock.use(BLACK, 20)
    assert (clock.left(BLACK), clock.left(WHITE)) == ((580, 0), (600, 0))
    clock.tell(BLACK, 570)
    clock.use(BLACK, 5)
    assert clock.left(BLACK) == (565, 0)
    clock.use(BLACK, 900)
    assert clock.left(BLACK) == (0, 0)
    clock.restart()
    assert clock.left(BLACK) == (600, 0)


def test_after_the_main_time_there_are_periods() -> None:
    clock = GameClock()
    clock.set(10, 60, 20)
    clock.use(WHITE, 11)
    assert clock.left(WHITE) == (3, 1)
    clock.tell(WHITE, 45, 15)
    clock.use(WHITE, 5)
    assert clock.left(WHITE) == (40, 15)


@pytest.mark.parametrize("settings", [(0, 0, 0), (300, 60, 0)])
def test_no_limit(settings: tuple[int, int, int]) -> None:
    clock = GameClock()
    clock.set(*settings)
    assert clock.left(BLACK) is None


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int] | None]:
    """Return the remaining times that the search receives, move by move."""
    told: list[tuple[float, int] | None] = []

    def hurry(self: DeepeningPlayer, board: Board, left: tuple[float, int] | None) -> None:
        told.append(left)

    monkeypatch.setattr(DeepeningPlayer, "hurry", hurry)
    return told


def test_gtp_tells_a_search_what_is_left(heard: list[tuple[float, int] | None]) -> None:
    script = ["genmove black", "time_settings 600 0 0", "genmove white", "genmove black", "genmove white"]
    script += ["time_left black 20 0", "genmove black", "time_left white 50 10", "genmove white"]
    gtp("search:depth=1", *script, "clear_board", "genmove black")
    assert heard[0] is None
    expected = [(600, 0), (600, 0), (600, 0), (20, 0), (50, 10), (600, 0)]
    assert [left and (round(left[0]), left[1]) for left in heard[1:]] == expected
    assert heard[3] < heard[1]  # type: ignore[operator]  # none of them is None


GGF = "(;GM[Othello]PB[a//9]PW[b]TI[5:00//2:00]TY[8]BO[8 {} *]B[F5//0.5]W[D6/1.2/0.25];)".format(
    "---------------------------O*------*O---------------------------"
)


def test_nboard_tells_it_by_the_times_of_moves(heard: list[tuple[float, int] | None]) -> None:
    untimed = GGF.replace("TI[5:00//2:00]", "")
    script = [f"set game {GGF}", "go", "move C3 0.00 1.5", "go", "move D3", "go", f"set game {untimed}", "go"]
    nboard("search:depth=1", *script)
    assert heard == [(299.5, 0), (299.75, 0), (298.0, 0), None]
