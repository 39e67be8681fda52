"""The values of `othello engine --protocol nboard`: discs, look by look."""

import pytest

from othello_lab.game import Game
from othello_lab.game.notation import square_name
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import empties
from tests.console.engine_talk import nboard

MIDDLE = "f5d6c3d3c4f4f6f3e6e7"
ENDING = (
    "f5d6c3d3c4f4f6f3e6e7e3g6d7b3f8d8c5c6c7c8b4f7b6a6g5a5a3h6g4b5"
    "e2g3d2f1e1f2c2d1e8g8h5h4h2h3h7g7h8b8b7a8a7g2h1a4a2b2g1a1b1c1"
)
"""A game that black wins by 38 discs, with forced passes."""


def moves(transcript: str) -> list[str]:
    game = Game.from_transcript(transcript)
    return [f"move {square_name(move, 8)}" for move in game.moves if move >= 0]


def searched(said: list[str]) -> list[list[str]]:
    return [line.split()[1:] for line in said if line.startswith("search ")]


def node_stats(said: list[str]) -> list[tuple[int, float]]:
    found = [line.split()[1:] for line in said if line.startswith("nodestats ")]
    return [(int(nodes), float(seconds)) for nodes, seconds in found]


@pytest.mark.parametrize(
    ("player", "depth", "deepest"),
    [
        ("search", 4, "4"),
        ("search:depth=9", 3, "3"),
        ("search:depth=4", None, "4"),
        ("search:hash=1", 5, "5"),
    ],
)
def test_a_hint_looks_as_deep_as_is_asked_and_says_so_look_by_look(
    player: str, depth: int | None, deepest: str
) -> None:
    said = nboard(player, *moves(MIDDLE), *([f"set depth {depth}"] if depth else []), "hint 3")
    found = searched(said)
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


@pytest.mark.parametrize(
    "player", ["search:depth=4", "ntuple:pretrained", "noisy:[ntuple:pretrained],share=1"]
)
def test_an_analysis_is_in_discs_from_the_first_move_to_the_last(player: str) -> None:
    said = nboard(player, *moves(ENDING), "analyze")
    found = {
        int(ply): float(value) for ply, value in (line.split()[1:] for line in said if line.startswith("a"))
    }
    game = Game.from_transcript(ENDING)
    assert [*found] == list(range(len(game.moves), -1, -1))
    black = {
        ply: value * (1 if game.boards[ply].turn.value == "black" else -1) for ply, value in found.items()
    }
    exact = [ply for ply in found if empties(game.boards[ply]) <= 14]
    for ply in exact[::3]:
        if game.boards[ply].legal_moves:
            assert found[ply] == Solver(8).value(game.boards[ply])
    assert black[len(game.moves)] == 38
    assert max(abs(found[ply]) for ply in range(10)) < 20
    first = min(exact)
    assert abs(black[first] - black[first - 1]) < 20  # from what is expected to what is so: no cliff
    assert abs(black[first - 1]) > 2  # no share of a game


@pytest.mark.parametrize(
    "player", ["search:nodes=3000", "mcts:simulations=1000", "ntuple:pretrained", "dqn:pretrained"]
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
    while empties(game.board) < 12 or not game.board.legal_moves:
        game.undo()
    sent = [f"move {square_name(move, 8)}" if move >= 0 else "move PA" for move in game.moves]
    exact = {square_name(move, 8).upper(): value for move, value in Solver(8).scores(game.board).items()}
    for player in ("positional", "level:5", "random"):
        found = searched(nboard(player, *sent, "hint 30"))
        assert {words[0][:2]: float(words[1]) for words in found} == exact
        assert {words[3] for words in found} == {"100%"}
