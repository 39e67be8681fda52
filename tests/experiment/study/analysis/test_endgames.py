"""Moves beside the exact solver."""

import numpy as np
import pytest
from rich.console import Console

from othello_lab.experiment.study.analysis import endgames
from othello_lab.experiment.study.analysis.endgames import Solved
from othello_lab.experiment.study.analysis.games import Games, of_records
from othello_lab.experiment.study.analysis.moves import count_choices
from othello_lab.experiment.study.analysis.sources import Meeting, meet
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.decisions import Decision
from othello_lab.game.records import Record

PERFECT = "search:depth=1,endgame=12"


def played_by(player: str, games: int) -> Games:
    openings = ("b1a1", "b1c1", "b1a3", "a2a1", "a2a3")
    return meet(
        Meeting((player, player), (player, player), 4, games, openings), Pool(), Console(quiet=True)
    ).games


def solved(games: Games, count: int) -> list[Solved]:
    wanted = endgames.sample(games, count_choices(games), count, seed=1)
    return list(endgames.solve(games, wanted, Pool()))


def test_one_who_solves_loses_nothing_and_random_moves_lose() -> None:
    table = endgames.agreement(played_by(PERFECT, 10), solved(played_by(PERFECT, 10), 30))
    assert set(table.numbers("best")) == {1.0}
    assert not table.numbers("loss").any()
    assert (table.numbers("best_low") < 1).all(), "which a few moves do not prove"
    games = played_by("random", 200)
    at_random = endgames.agreement(games, solved(games, 200)).where(side="both", empties="all")
    loss, low, high = (at_random.numbers(f"loss{end}")[0] for end in ("", "_low", "_high"))
    assert low < at_random.numbers("loss_at_random")[0] < high
    assert loss > 1
    assert at_random.numbers("best_low")[0] < at_random.numbers("best_at_random")[0]
    assert at_random.numbers("best_at_random")[0] < at_random.numbers("best_high")[0]


def test_decisions_are_counted_by_side_and_empty_squares() -> None:
    games = of_records([Record(Game.from_transcript("b1a1a2", 4))])
    board = Board.parse("XXXXXXXXXXXXX--- O")
    values = [{13: 2, 14: -2}, {13: 4, 14: 4, 15: 0}]
    found = [Solved(turn, 0, Decision(board, 14, each)) for turn, each in zip((1, 2), values, strict=True)]
    table = endgames.agreement(games, found)
    assert [(row[0], row[1], row[2]) for row in table.rows] == [
        *(("both", 10, 1), ("both", 11, 1), ("both", "all", 2)),
        *(("black", 10, 1), ("black", "all", 1)),
        *(("white", 11, 1), ("white", "all", 1)),
    ]
    both = table.where(side="both", empties="all")
    assert [both.numbers(name)[0] for name in ("best", "kept", "loss")] == [0.5, 0.5, 2.0]
    assert both.numbers("best_at_random")[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert both.numbers("kept_at_random")[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert both.numbers("loss_at_random")[0] == pytest.approx((2 + 4 / 3) / 2)


def test_positions_are_drawn_evenly_and_have_a_choice() -> None:
    games = played_by("random", 100)
    choices = count_choices(games)
    wanted = endgames.sample(games, choices, 88, seed=3)
    assert all(choices[turn, game] > 1 for turn, game in wanted)
    counts = np.bincount([games.turns - turn for turn, _ in wanted])
    assert counts[2:11].max() == 8
    assert wanted == endgames.sample(games, choices, 88, seed=3)
