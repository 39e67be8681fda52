from collections import Counter
from functools import cache

import numpy as np
import pytest

from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.study.analysis import counts
from othello_lab.experiment.study.analysis.games import Games, of_records
from othello_lab.game import Colour, Game
from othello_lab.game.notation import square_name
from othello_lab.game.records import Record
from tests.experiment.study.analysis import reference
from tests.game import sampling

pytestmark = pytest.mark.slow

SIDES = {"both": None, "black": Colour.BLACK, "white": Colour.WHITE}
SIZES = (4, 6, 10)


@cache
def random_games(size: int, count: int = 12) -> tuple[Games, list[Game]]:
    """Return the same games in a batch and one by one. Some have passes, and some end early."""
    games = sampling.random_games(size, count, seed=size)
    assert any(-1 in game.moves for game in games)
    return of_records([Record(game) for game in games]), games


@cache
def counted_tables(size: int, count: int = 12) -> dict[str, Table]:
    games, _ = random_games(size, count)
    counted = counts.count(games)
    every = [*counts.result_tables(games, counted.choices), *counts.move_tables(games, counted)]
    return {table.title: table for table in every}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("size", SIZES)
def test_legal_moves_of_each_turn(size: int, side: str) -> None:
    _, games = random_games(size)
    expected = reference.choices(games, SIDES[side])
    table = counted_tables(size)["moves"].where(side=side)
    assert table.column("turn") == list(expected)
    assert np.allclose(table.numbers("mean"), [np.mean(each) for each in expected.values()])
    assert np.allclose(table.numbers("p95"), [np.percentile(each, 95) for each in expected.values()])
    assert table.column("decisions") == [len(each) for each in expected.values()]
    histogram = counted_tables(size)["moves_histogram"].where(side=side)
    for turn, each in expected.items():
        own = histogram.where(turn=turn)
        assert dict(zip(own.column("moves"), own.column("decisions"), strict=True)) == Counter(each)


@pytest.mark.parametrize("size", SIZES)
def test_the_tree_is_the_product_of_the_means(size: int) -> None:
    _, games = random_games(size)
    table = counted_tables(size)["tree"]
    means = [np.mean(each) for each in reference.choices(games).values()]
    whole = table.where(side="both").numbers("log10")
    assert whole[0] == pytest.approx(np.log10(means).sum())
    assert whole[3] == pytest.approx(np.log10(means[3:]).sum())
    parts = [table.where(side=colour, turn=0).numbers("log10")[0] for colour in ("black", "white")]
    assert sum(parts) == pytest.approx(whole[0], rel=0.05), "means of both sides together are a little larger"


@pytest.mark.parametrize("colour", list(Colour))
@pytest.mark.parametrize("size", SIZES)
def test_where_a_side_can_play_and_take_a_corner_in_its_own_turns(size: int, colour: Colour) -> None:
    _, games = random_games(size)
    heat = counted_tables(size)["squares_by_turn"].where(side=colour.value)
    for turn in (0, 5, 11):
        if any(each.colour is colour and each.turn == turn for each in reference.decisions(games)):
            expected = reference.possible(games, colour, turn)
            own = heat.where(turn=turn)
            assert own.column("square") == [square_name(square, size) for square in expected]
            assert np.allclose(own.numbers("possible"), list(expected.values()))
    chances = counted_tables(size)["corner_chances"].where(side=colour.value)
    expected = reference.corner_chances(games, colour)
    assert dict(zip(chances.column("turn"), chances.column("share"), strict=True)) == pytest.approx(expected)


@pytest.mark.parametrize("size", SIZES)
def test_squares_that_are_played(size: int) -> None:
    _, games = random_games(size)
    own = counted_tables(size)["squares"].where(side="both")
    made = [each.move for each in reference.decisions(games)]
    could = [square for each in reference.decisions(games) for square in each.legal]
    for name, found in (("played", made), ("possible", could)):
        expected = np.array([found.count(square) / len(made) for square in range(size**2)])
        assert np.allclose(own.numbers(name), expected)
        assert (own.numbers(f"{name}_low") <= expected).all()
        assert (expected <= own.numbers(f"{name}_high")).all()


def test_what_no_game_showed_may_still_be() -> None:
    tables = counted_tables(6, 3)
    for table, share in ((tables["squares"], "played"), (tables["captures"], "never")):
        none = table.numbers(share) == 0
        assert none.any()
        assert (table.numbers(f"{share}_low")[none] == 0).all()
        assert (table.numbers(f"{share}_high")[none] > 0.01).all(), "three games say little"


@pytest.mark.parametrize("size", SIZES)
def test_passes_and_unlike_boards_of_each_turn(size: int) -> None:
    _, games = random_games(size, 40)
    passed, boards = reference.passes(games), reference.boards(games)
    table, by_side = (counted_tables(size, 40)[name] for name in ("flow", "passes"))
    for turn, count, decided, share, _, _, unlike in table.rows:
        who = passed.get(int(turn), [])
        for colour in Colour if decided else ():
            own = by_side.where(turn=turn, side=colour.value)
            assert own.numbers("share")[0] == pytest.approx(who.count(colour) / int(count))
        assert share == pytest.approx(len(who) / int(count))
        assert unlike == len(boards[int(turn)])
        assert decided == sum(each.turn == turn for each in reference.decisions(games))


@pytest.mark.parametrize("size", SIZES)
def test_results_points_and_corners_at_the_end(size: int) -> None:
    counted, games = random_games(size)
    ends = [game.board for game in games]
    outcomes = [board.outcome() for board in ends]
    tables = counted_tables(size)
    scores = tables["scores"]
    for kind, name in (("disc_diff", "games"), ("final_score", "games_final_score")):
        expected = Counter(getattr(outcome, kind) for outcome in outcomes)
        found = {row[0]: row[scores.place(name)] for row in scores.rows}
        assert {score: count for score, count in found.items() if count} == expected
    won = sum(outcome is not None and outcome.winner is Colour.BLACK for outcome in outcomes) / len(games)
    assert tables["results"].where(side="black", result="won").numbers("share")[0] == pytest.approx(won)
    after = [next(board for board in game.boards if sum(board.counts()) == 10) for game in games]
    points = tables["points"].where(turn=6)
    assert np.allclose(points.numbers("mean"), np.mean([board.counts() for board in after], axis=0))
    owned = counts.corner_owners(counted)
    of_black = [
        sum(board.black >> s & 1 for s in (0, size - 1, size**2 - size, size**2 - 1)) for board in ends
    ]
    assert owned["black"].tolist() == of_black
    assert (owned["black"] + owned["white"] + owned["nobody"] == 4).all()


@pytest.mark.parametrize("colour", list(Colour))
@pytest.mark.parametrize("size", SIZES)
def test_delays_from_chance_to_disc(size: int, colour: Colour) -> None:
    _, games = random_games(size)
    captures, histogram = (
        counted_tables(size)[name].where(side=colour.value) for name in ("captures", "delays")
    )
    table = counts.kinds(size)
    for kind, name in enumerate(counts.KINDS):
        expected, lost = reference.delays(games, colour, set(np.flatnonzero(table == kind).tolist()))
        took = [delay for delay in expected if delay is not None]
        row = captures.where(kind=name)
        assert row.column("chances") == [len(expected)]
        assert row.numbers("at_once")[0] == pytest.approx(took.count(0) / max(1, len(expected)))
        assert row.numbers("by_the_other")[0] == pytest.approx(lost / max(1, len(expected)))
        own = histogram.where(kind=name)
        found = dict(zip(own.column("delay"), own.column("squares"), strict=True))
        assert {delay: count for delay, count in found.items() if count} == Counter(took)


def test_the_kinds_of_squares() -> None:
    rows = np.array([*"0CXe."])[counts.kinds(6)]
    assert ["".join(row) for row in rows.reshape(6, 6)] == [
        "0CeeC0",
        "CX..XC",
        "e....e",
        "e....e",
        "CX..XC",
        "0CeeC0",
    ]
