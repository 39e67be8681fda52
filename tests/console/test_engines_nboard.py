import shlex
import sys

import pytest

from othello_lab.console.engines.lines import LONGEST
from othello_lab.game import Game
from othello_lab.game.notation import square_name
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.solver.solver import Solver
from tests.console.conftest import nboard
from tests.game.engine_programs import PASSES, ROOT

pytestmark = pytest.mark.slow

GGF = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[5:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.5]W[D6/1.2/0.3];)"
)


def test_each_line_of_nboard_is_answered() -> None:
    script = ["nboard 2", "set depth 6", "set contempt -3", f"set game {GGF}", "move C3//1.5", "ping 12"]
    script += ["learn", "what is this", "go", "go", "quit", "ping 13"]
    output = nboard("alphabeta:depth=2,eval=positional", *script)
    assert output[0] == "set myname alphabeta:depth=2,eval=positional"
    assert output[1:3] == ["pong 12", "learned"]
    moves = [line.split("/")[0].removeprefix("=== ").lower() for line in output if line.startswith("===")]
    game = Game.from_transcript("f5d6c3")
    assert len(moves) == 2  # the second as legal as the first: go makes no move
    assert {*moves} <= {square_name(move, 8) for move in game.board.legal_moves}
    assert output[-1].startswith("status ")


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
        ("set game (;GM[Go];)", "status set game: game 1, which begins in line 1: GM[Go] is not Othello"),
        ("set game", "status set game: expected one game in GGF, found 0"),
    ],
)
def test_after_a_command_that_fails_nothing_is_played_in_another_position(line: str, says: str) -> None:
    output = nboard("greedy", line, "nboard 1", "move F5", "go", "hint 1", "analyze", f"set game {GGF}", "go")
    assert output[0].startswith(says)
    if line.startswith(("move", "set game")):
        why = f"the position is unknown since {line!r} failed: send set game"
        assert output[2:6] == [f"status {word}: {why}" for word in ("move", "go", "hint", "analyze")]
    else:
        assert output[3].startswith("=== ")
    assert output[-2].startswith("=== ")
    assert output[-2] != "=== F5"


def test_a_line_that_is_too_long_may_have_changed_the_position() -> None:
    output = nboard("greedy", f"set game {GGF[:-2]}C[{'x' * LONGEST}];)", "go", "ping 1")
    assert [line[:31] for line in output] == [
        "status line too long: more than",
        "status go: the position is unkn",
        "pong 1",
    ]


def test_passes_after_the_end_of_a_game_that_is_set_up_are_ignored() -> None:
    rest = ["C5", "F4", "E3", "F6", "G5", "E6", "E7", "PA", "PA"]
    ended = GGF.replace(";)", "".join(f"{'BW'[ply % 2]}[{word}]" for ply, word in enumerate(rest)) + ";)")
    assert nboard("greedy", f"set game {ended}", "go", "ping 1") == ["status go: the game is over", "pong 1"]


def test_a_move_may_have_spaces_instead_of_slashes() -> None:
    spaced = GGF.replace("F5//0.5", "f5 0.00 0.0").replace("D6/1.2/0.3", "D6 -1.2")
    output = nboard("greedy", "nboard 1", f"set game {spaced}", "move c3 0.00 0.0", "go", "move d3 1", "go")
    moves = [line.split()[1].lower() for line in output if line.startswith("===")]
    for transcript, move in zip(("f5d6c3", "f5d6c3d3"), moves, strict=True):
        assert move in {square_name(move, 8) for move in Game.from_transcript(transcript).board.legal_moves}


def test_passes_may_be_left_out_in_nboard_too() -> None:
    game = Game.from_transcript(PASSES)
    sent = [f"move {square_name(move, 8)}" for move in game.moves if move >= 0]
    output = nboard("greedy", *sent, "go", "hint 1")
    assert output == ["status go: the game is over", "status hint: there is no move to value here"]


def test_hints_change_nothing_that_is_played() -> None:
    plain = nboard("noisy:positional,share=.5", "nboard 1", "go")
    asked = nboard("noisy:positional,share=.5", "nboard 1", "hint 3", "hint 1", "go")
    assert [line for line in asked if line.startswith("===")] == plain[2:3]


MIDDLE = "f5d6c3d3c4f4f6f3e6e7"
# A game that black wins by 38 discs, with forced passes.
ENDING = (
    "f5d6c3d3c4f4f6f3e6e7e3g6d7b3f8d8c5c6c7c8b4f7b6a6g5a5a3h6g4b5"
    "e2g3d2f1e1f2c2d1e8g8h5h4h2h3h7g7h8b8b7a8a7g2h1a4a2b2g1a1b1c1"
)


def moves(transcript: str) -> list[str]:
    game = Game.from_transcript(transcript)
    return [f"move {square_name(move, 8)}" for move in game.moves if move >= 0]


def searched(output: list[str]) -> list[list[str]]:
    return [line.split()[1:] for line in output if line.startswith("search ")]


def node_stats(output: list[str]) -> list[tuple[int, float]]:
    found = [line.split()[1:] for line in output if line.startswith("nodestats ")]
    return [(int(nodes), float(seconds)) for nodes, seconds in found]


@pytest.mark.parametrize(
    ("player", "depth", "deepest"),
    [("search", 3, "3"), ("search:depth=9", 3, "3"), ("search:depth=4", None, "4")],
)
def test_a_hint_looks_as_deep_as_asked_look_by_look(player: str, depth: int | None, deepest: str) -> None:
    output = nboard(player, *moves(MIDDLE), *([f"set depth {depth}"] if depth else []), "hint 3")
    found = searched(output)
    assert [words[3] for words in found] == [
        str(look) for look in range(2, int(deepest) + 1) for _ in range(3)
    ]
    for look in range(0, len(found), 3):
        values = [float(words[1]) for words in found[look : look + 3]]
        assert values == sorted(values, reverse=True)
        assert len({words[0][:2] for words in found[look : look + 3]}) == 3


def test_node_stats_count_since_the_question() -> None:
    for question in ("hint 2", "analyze"):
        stats = node_stats(nboard("search:depth=5", *moves(MIDDLE[:8]), question))
        assert len(stats) > 3
        assert stats == sorted(stats)
        assert stats[0][0] < stats[-1][0]


@pytest.mark.parametrize("player", ["search:depth=2", "noisy:[ntuple:pretrained],share=1"])
def test_an_analysis_is_in_discs_from_the_first_move_to_the_last(player: str) -> None:
    output = nboard(player, *moves(ENDING), "analyze")
    found = {
        int(ply): float(value) for ply, value in (line.split()[1:] for line in output if line.startswith("a"))
    }
    game = Game.from_transcript(ENDING)
    assert [*found] == list(range(len(game.moves), -1, -1))
    black = {
        ply: value * (1 if game.boards[ply].turn.value == "black" else -1) for ply, value in found.items()
    }
    exact = [ply for ply in found if game.boards[ply].empties <= 14]
    for ply in exact[::3]:
        if game.boards[ply].legal_moves:
            assert found[ply] == Solver(8).value(game.boards[ply])
    assert black[len(game.moves)] == 38
    assert max(abs(found[ply]) for ply in range(10)) < 20
    first = min(exact)
    assert abs(black[first] - black[first - 1]) < 20  # from what is expected to what is so: no cliff
    assert abs(black[first - 1]) > 2  # no share of a game


@pytest.mark.parametrize(
    "player", ["search:nodes=300", "mcts:simulations=100", "ntuple:pretrained", "dqn:pretrained"]
)
def test_a_move_comes_with_its_discs(player: str) -> None:
    answer = next(line for line in nboard(player, *moves(ENDING[:60]), "go") if line.startswith("==="))
    name, discs, seconds = answer.removeprefix("=== ").split("/")
    assert len(name) == 2
    assert -64 <= float(discs) <= 64
    assert abs(float(discs)) > 1
    assert float(seconds) >= 0


def test_near_the_end_every_player_that_values_moves_has_the_exact_discs() -> None:
    game = Game.from_transcript(ENDING)
    while game.board.empties < 12 or not game.board.legal_moves:
        game.undo()
    sent = [f"move {square_name(move, 8)}" if move >= 0 else "move PA" for move in game.moves]
    exact = {square_name(move, 8).upper(): value for move, value in Solver(8).scores(game.board).items()}
    for player in ("positional", "level:5", "random", "search:depth=2,endgame=10"):
        found = searched(nboard(player, *sent, "hint 30"))
        assert {words[0][:2]: float(words[1]) for words in found} == exact
        assert {words[3] for words in found} == {"100%"}


def test_games_through_the_pipe_are_played_to_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for protocol, size in (("gtp", 6), ("nboard", 8)):
        command = [sys.executable, "-m", "othello_lab", "engine", "--protocol", protocol, "search:nodes=200"]
        text = f"engine:[{shlex.join(command)}],time=60"
        match = Pairing(text, "greedy", size, standard_openings(size)[:1], seed=5)
        assert not [played.record.forfeit for played in play_games(match, range(2)) if played.record.forfeit]
