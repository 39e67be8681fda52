from itertools import combinations

import numpy as np
import pytest

from othello_lab.experiment.compare.ratings import SCALE, Numbers, Pairs, Places, UnratedError, fit, rate
from othello_lab.experiment.study.statistics.intervals import student

REPETITIONS = 1000


def everybody(players: int, openings: int, repeat: int = 1) -> tuple[Places, Places, Places, Places]:
    """Return the openings, players and colours (1 or -1) of the games of a tournament."""
    pairs = list(combinations(range(players), 2))
    games = [(opening, *pair, colour) for pair in pairs for opening in range(openings) for colour in (1, -1)]
    opening, first, second, colour = np.array(games * repeat, np.intp).T
    return opening, first, second, colour


def copied(
    copies: int, players: int, opening: Places, first: Places, second: Places, points: Numbers
) -> Pairs:
    opening, first, second = (np.tile(places, copies) for places in (opening, first, second))
    return Pairs.of(players, opening, first, second, np.tile(points, copies))


def outcomes(expected: Numbers, draws: float, rng: np.random.Generator) -> Numbers:
    """Return results with these expectations. `draws` is the share of draws between equals."""
    half = draws * np.minimum(expected, 1 - expected)
    luck = rng.random(expected.shape)
    return np.asarray((luck < expected - half) * 0.5 + (luck < expected + half) * 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "openings", "gap", "favour", "draws", "copies"),
    [
        (2, 30, 300, 0.0, 0.1, 1),
        (4, 30, 120, 1.5, 0.1, 1),  # an opening favours a side by 260 points, as often as not
        (5, 40, 200, 0.0, 0.3, 1),
        (5, 40, 150, 2.0, 0.0, 1),
        (5, 40, 150, 1.0, 0.1, 3),  # players without randomness: each game three times
        (12, 10, 100, 1.0, 0.1, 1),  # more players than openings
    ],
)
def test_the_truth_lies_in_95_of_100_intervals(
    players: int, openings: int, gap: float, favour: float, draws: float, copies: int
) -> None:
    rng = np.random.default_rng(players)
    true: Numbers = np.linspace(-gap / 2, gap / 2, players) * (players - 1) / SCALE
    opening, first, second, colour = everybody(players, openings)
    by = rng.normal(0, favour, (REPETITIONS, openings))[:, opening] * colour
    points = outcomes(1 / (1 + np.exp(-(true[first] - true[second] + by))), draws, rng)
    found = fit(copied(copies, players, opening, first, second, points))
    wanted = _seen_through(true, favour)
    spread = np.sqrt(np.diagonal(found.covariance, axis1=-2, axis2=-1))
    inside = np.abs(found.strengths - wanted) <= student(openings - 1) * spread
    assert 0.93 <= inside.mean() <= 0.97


def _seen_through(true: Numbers, favour: float) -> Numbers:
    """Return strengths that give the same expectations without favour, which moves all scores towards 1/2."""
    luck = np.random.default_rng(0).normal(0, favour, 20_000)
    apart = (true[:, None] - true)[..., None]
    expected = (1 / (1 + np.exp(-(apart + luck)))).mean(-1)
    many = 1e7
    games = np.full((1, len(true), len(true)), many) * (1 - np.eye(len(true)))
    return fit(Pairs(games, many * expected[None] * (games > 0))).strengths


def test_equal_scores_are_equal_ratings_and_more_are_more() -> None:
    opening, first, second, _ = everybody(3, 20)
    even = rate(Pairs.of(3, opening, first, second, np.full(len(opening), 0.5)))
    assert even.points == pytest.approx([0, 0, 0], abs=1e-6)
    first_wins = np.where(first == 0, 0.75, 0.5)
    assert rate(Pairs.of(3, opening, first, second, first_wins)).order()[0] == 0


def test_two_players_are_apart_by_their_score() -> None:
    """With one pair, the prior adds one drawn game, so the score is 91 of 100 in the model's scale."""
    opening, first, second, _ = everybody(2, 50)
    won = np.arange(100) < 91
    ratings = rate(Pairs.of(2, opening, first, second, won.astype(float)))
    assert ratings.points[0] - ratings.points[1] == pytest.approx(400 * np.log10(91.5 / 9.5))
    assert ratings.chances()[0, 1] == pytest.approx(91.5 / 101)
    assert ratings.chances() + ratings.chances().T == pytest.approx(1)
    assert ratings.difference(0, 1).value == pytest.approx(2 * ratings.points[0])
    # One rating is minus the other, so their difference has twice the interval.
    assert ratings.difference(0, 1).reach == pytest.approx(2 * ratings.of(0).reach)


@pytest.mark.parametrize("repeat", [1, 4])
def test_who_won_everything_has_a_rating_and_a_wide_interval(repeat: int) -> None:
    opening, first, second, _ = everybody(3, 20, repeat)
    ratings = rate(Pairs.of(3, opening, first, second, np.where(first == 0, 1.0, 0.5)))
    best = ratings.of(0)
    assert 300 < best.value < 2000
    assert 150 < best.reach < 2000


def test_copies_of_games_say_nothing_new() -> None:
    rng = np.random.default_rng(3)
    opening, first, second, _ = everybody(4, 60)
    points = rng.integers(0, 3, len(opening)) / 2
    once = rate(Pairs.of(4, opening, first, second, points))
    ten = rate(copied(10, 4, opening, first, second, points))
    assert ten.of(0).reach == pytest.approx(once.of(0).reach, rel=0.03)


def test_players_who_never_met_nor_met_the_same_have_no_common_scale() -> None:
    places = np.array([0, 2]), np.array([1, 3])
    with pytest.raises(UnratedError, match="no games link player 3 with the first"):
        rate(Pairs.of(4, np.zeros(2, int), *places, np.array([1.0, 0.0])))
