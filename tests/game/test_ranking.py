"""What every move of a position is worth."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.search.deepening import Ranking
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver.solver import Solver


def rank(board: Board, evaluator: str, limits: Limits) -> list[Report]:
    return Ranking(make_evaluator(evaluator, board.size), limits).rank(board, rng())


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("transcript", ["", "b1c1d1a1", "b1a1a2c1d4a3d1b4a4"])
def test_near_the_end_the_values_are_exact(transcript: str) -> None:
    board = Game.from_transcript(transcript, 4).board
    ranked = rank(board, "discs", Limits(seconds=60))
    assert {report.move: report.value for report in ranked} == Solver(4).scores(board)
    assert all(report.solved for report in ranked)


def test_every_legal_move_is_looked_at_equally_deep_the_best_first() -> None:
    board = Game.from_transcript("f5d6c3d3c4f4f6").board
    ranked = rank(board, "positional", Limits(depth=5, seconds=60))
    assert {report.move for report in ranked} == set(board.legal_moves)
    assert {report.depth for report in ranked} == {5}
    values = [report.value for report in ranked]
    assert values == sorted(values, reverse=True)
    for report in ranked:
        assert report.variation[0] == report.move
        game = Game(board)
        for move in report.variation:  # legal, else this raises
            game.play(move)


def test_when_time_is_short_there_is_an_answer_all_the_same() -> None:
    ranked = rank(Board.start(8), "positional", Limits(seconds=1e-6))
    assert {report.move for report in ranked} == set(Board.start(8).legal_moves)


def test_with_a_number_of_nodes_the_same_seed_gives_the_same_answer() -> None:
    board = Game.from_transcript("f5d6c3d3c4f4f6").board
    few, many = (
        [rank(board, "positional", Limits(nodes=nodes)) for _ in range(2)] for nodes in (2_000, 50_000)
    )
    for first, second in (few, many):
        assert [(r.move, r.value, r.nodes, r.variation) for r in first] == [
            (r.move, r.value, r.nodes, r.variation) for r in second
        ]
        assert len({report.depth for report in first}) == 1
    assert 1 < few[0][0].depth < many[0][0].depth
    assert sum(report.nodes for report in many[0]) <= 50_000
