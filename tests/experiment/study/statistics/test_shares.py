"""Shares of games and means over units: intervals held to published numbers, and to simulated games."""

from math import inf

import numpy as np
import pytest

from othello_lab.experiment.study.statistics.intervals import (
    Estimate,
    Interval,
    difference,
    mean_of,
    over_runs,
    student,
    wilson,
)


@pytest.mark.parametrize(
    # By R: binom.confint(wins, games, methods="wilson").
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_the_interval_of_a_share_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=1e-4)


def test_without_games_nothing_is_known() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("games", range(1, 200, 7))
def test_the_interval_holds_the_share(games: int) -> None:
    for share in (0.0, 1.0):
        low, high = wilson(share, games)
        assert low <= share <= high


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.706), (31, 2.0395), (40, 2.0211), (120, 1.9799)])
def test_quantiles_are_those_of_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=1e-4)


def test_a_mean_has_the_interval_of_student() -> None:
    # Standard deviation .1, and the .975 quantile for 4 degrees of freedom.
    found = mean_of([0.4, 0.4, 0.5, 0.6, 0.6])
    half = 2.776 * 0.1 / 5**0.5
    assert found.value == pytest.approx(0.5)
    assert found.interval == pytest.approx((0.5 - half, 0.5 + half))
    assert mean_of([3.0]) == (3.0, (-inf, inf))


def test_the_difference_of_two_shares_is_newcombes() -> None:
    # Newcombe 1998, table II, method 10: 56/70 - 48/80 and 10/10 - 0/20.
    def found(won: int, games: int) -> Estimate:
        return Estimate(won / games, wilson(won / games, games))

    apart = difference(found(56, 70), found(48, 80))
    assert apart.value == pytest.approx(0.2)
    assert apart.interval == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert difference(found(10, 10), found(0, 20)).interval == pytest.approx((0.6791, 1.0), abs=1e-4)


def test_runs_that_won_everything_have_an_interval_too() -> None:
    assert over_runs([1.0, 1.0, 1.0], [100, 100, 100]).interval == wilson(1.0, 300)


def test_runs_are_the_units_and_one_run_has_its_games() -> None:
    shares = [0.4, 0.4, 0.5, 0.6, 0.6]
    assert over_runs(shares, [1000] * 5) == mean_of(shares)
    assert over_runs([0.3], [10]).interval == wilson(0.3, 10)
    assert over_runs([0.0, 1.0], [10, 10]).interval == (0.0, 1.0)


def test_the_reach_is_the_larger_side() -> None:
    assert Interval(0.1, 0.4).reach(0.3) == pytest.approx(0.2)
    assert str(Estimate(0.895, Interval(0.88, 0.905))) == "0.895 ± 0.015"


def test_a_difference_holds_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(5)
    won = rng.binomial((100, 60), (0.9, 0.7), (2000, 2)) / (100, 60)
    held = 0
    for first, second in won.tolist():
        apart = difference(Estimate(first, wilson(first, 100)), Estimate(second, wilson(second, 60)))
        held += apart.interval.low <= 0.2 <= apart.interval.high
    assert 0.935 <= held / 2000 <= 0.975
