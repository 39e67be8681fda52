from collections.abc import Iterator
from math import inf
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.experiment.study.statistics.intervals import (
    Estimate,
    Interval,
    difference,
    mean_of,
    over_runs,
    student,
    wilson,
)
from othello_lab.experiment.study.statistics.units import mean, score, score_difference, units

pytestmark = pytest.mark.slow

_REPETITIONS = 1000


class World(NamedTuple):
    openings: int
    truth: float
    draws: float
    alike: float
    """The share of openings in which one number decides both games."""
    opposed: bool = False
    """Whether this number favours one colour. Otherwise, it favours one player."""

    def play(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the points of both games, [openings, 2]."""
        luck = rng.random((self.openings, 2))
        linked = np.where(self.opposed, 1 - luck[:, 0], luck[:, 0])
        luck[:, 1] = np.where(rng.random(self.openings) < self.alike, linked, luck[:, 1])
        won = self.truth - self.draws / 2
        points: NDArray[np.float64] = (luck < won) * 0.5 + (luck < won + self.draws) * 0.5
        return points


def games(points: NDArray[np.float64]) -> Iterator[tuple[int, float]]:
    return ((opening, each) for opening, both in enumerate(points.tolist()) for each in both)


WORLDS = [
    World(40, 0.5, 0.0, 0.0),
    World(40, 0.5, 0.3, 1.0),
    World(40, 0.5, 0.1, 0.7, opposed=True),
    World(40, 0.8, 0.05, 0.5),
    World(40, 0.95, 0.04, 0.5),
    World(40, 0.98, 0.0, 0.5),
    World(40, 0.98, 0.02, 0.5, opposed=True),
    World(20, 0.5, 0.2, 1.0),
    World(20, 0.9, 0.1, 0.5),
    World(20, 0.02, 0.0, 0.5),
    World(5, 0.5, 0.0, 1.0),
    World(5, 0.8, 0.1, 0.0),
    World(2, 0.7, 0.0, 1.0),
]


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_the_interval_holds_the_true_score(world: World) -> None:
    rng = np.random.default_rng(7)
    found = [score(games(world.play(rng))).interval for _ in range(_REPETITIONS)]
    held = sum(low <= world.truth <= high for low, high in found) / _REPETITIONS
    assert held >= 0.93
    if world.openings == 40 and 0.1 < world.truth < 0.9:
        assert held <= 0.98


@pytest.mark.parametrize("alike", [0.0, 1.0])
def test_a_difference_on_the_same_openings_holds_the_truth(alike: float) -> None:
    rng = np.random.default_rng(8)
    strong, weak, held = World(40, 0.9, 0.0, alike), World(40, 0.7, 0.1, alike), 0
    for _ in range(_REPETITIONS):
        first, second = units(games(strong.play(rng))), units(games(weak.play(rng)))
        low, high = score_difference(first, second).interval
        held += low <= 0.2 <= high
    assert 0.93 <= held / _REPETITIONS <= 0.98


def test_independent_games_count_as_many_as_they_are() -> None:
    rng = np.random.default_rng(3)
    points = World(2000, 0.6, 0.0, 0.0).play(rng)
    found = score(games(points))
    assert found.interval == pytest.approx(wilson(found.value, 4000), abs=0.001)


def test_copies_count_once() -> None:
    points = World(100, 0.6, 0.1, 0.3).play(np.random.default_rng(3))
    again = np.concatenate([points, points, points], axis=1)
    assert score(games(again)).value == pytest.approx(score(games(points)).value)
    assert score(games(again)).interval == pytest.approx(score(games(points)).interval)


def test_without_spread_the_openings_count() -> None:
    found = score((opening, 1.0) for opening in range(236) for _ in range(2))
    assert found.value == 1.0
    assert found.interval == pytest.approx(wilson(1.0, 236), abs=2e-4)  # but for Student's quantile
    lost_one = score((opening, float(opening > 0)) for opening in range(236))
    assert lost_one.interval.low < found.interval.low


def test_openings_in_which_each_colour_wins_leave_little_doubt() -> None:
    found = score((opening, float(colour)) for opening in range(236) for colour in range(2))
    assert found.value == 0.5
    assert found.reach < 0.01


def test_from_one_opening_each_game_counts() -> None:
    assert score([("d3", 1.0), ("d3", 0.0), ("d3", 0.5)]).interval == wilson(0.5, 3)
    assert score([]) == (0.0, (0.0, 1.0))


def test_a_match_that_was_stopped_counts_every_game_once() -> None:
    stopped = [("a", 1.0), ("a", 1.0), ("b", 1.0), ("b", 0.0), ("c", 0.0)]
    found = score(stopped)
    assert found.value == pytest.approx(0.6)
    assert found.interval.low < 0.3
    assert found.interval.high > 0.85


def test_equal_results_are_no_proof_of_equal_strength() -> None:
    same = units((opening, 1.0) for opening in range(236))
    found = score_difference(same, same)
    assert found.value == 0.0
    assert 0.005 < found.reach < 0.02
    four = units((opening, 1.0) for opening in range(4))
    # Student's t of 5 degrees of freedom, times the standard error.
    assert score_difference(four, four).reach == pytest.approx(2.5706 * np.sqrt(2 / 24), abs=1e-3)
    few = score_difference(units([("a", 1.0)]), units([("a", 0.0)]))
    assert (few.value, few.interval) == (1.0, (-1.0, 1.0))


def test_a_mean_of_discs_has_student_over_openings() -> None:
    found = mean([("a", 10.0), ("a", 20.0), ("b", -4.0), ("b", 4.0), ("c", 6.0), ("c", 6.0)])
    assert found == mean_of([15.0, 0.0, 6.0])
    assert f"{found:+.1f}" == "+7.0 ± 18.8"
    assert mean([("a", 1.0), ("a", 3.0)]) == mean_of([1.0, 3.0])


def test_a_game_that_is_missing_does_not_count() -> None:
    found = mean([("a", 6.0), ("a", 6.0), ("b", 0.0)])
    assert found.value == 4.0
    assert found.interval.high > 30


@pytest.mark.parametrize(
    # By R: binom.confint(wins, games, methods="wilson").
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_the_interval_of_a_share_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_holds_the_share() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
    for games in range(1, 200, 7):
        assert wilson(0.0, games).low <= 0.0
        assert wilson(1.0, games).high >= 1.0


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


def test_runs_are_the_units_and_one_run_or_runs_that_won_everything_have_their_games() -> None:
    assert over_runs([1.0, 1.0, 1.0], [100, 100, 100]).interval == wilson(1.0, 300)
    shares = [0.4, 0.4, 0.5, 0.6, 0.6]
    assert over_runs(shares, [1000] * 5) == mean_of(shares)
    assert over_runs([0.3], [10]).interval == wilson(0.3, 10)
    assert over_runs([0.0, 1.0], [10, 10]).interval == (0.0, 1.0)


@pytest.mark.parametrize(
    ("value", "low", "high", "form", "text"),
    [
        (0.895, 0.88, 0.905, "", ".895 ± .015"),
        (1.0, 0.455, 1.0, "", "1.000 [.455, 1]"),
        (0.0, 0.0, 1.0, "", ".000 [0, 1]"),
        (0.98, 0.9, 0.996, ".2f", "0.98 [0.90, 1]"),
        (1.0, 0.3, 1.0, "+.2f", "+1.00 [0.30, 1]"),
        (0.2, 0.1, 0.3, "+.2f", "+0.20 ± 0.10"),
        (7.0, -11.8, 25.8, "+.1f", "+7.0 ± 18.8"),
        (3.0, -inf, inf, "+.1f", "+3.0"),
    ],
)
def test_an_interval_as_text_is_in_range(value: float, low: float, high: float, form: str, text: str) -> None:
    assert format(Estimate(value, Interval(low, high)), form) == text


def test_a_difference_holds_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(5)
    won = rng.binomial((100, 60), (0.9, 0.7), (2000, 2)) / (100, 60)
    held = 0
    for first, second in won.tolist():
        apart = difference(Estimate(first, wilson(first, 100)), Estimate(second, wilson(second, 60)))
        held += apart.interval.low <= 0.2 <= apart.interval.high
    assert 0.935 <= held / 2000 <= 0.975
