"""The interquartile mean and its bootstrap, by hand and as the library of the paper's authors has them."""

from math import inf

import numpy as np
import pytest

from scripts import benchmark
from scripts.benchmark import interquartile_mean


def test_the_middle_half_is_what_counts() -> None:
    # Of eight the two lowest and the two highest go: (.2 + .3 + .4 + .9) / 4.
    scores = np.array([[0.0, 0.1, 0.2, 0.3], [1.0, 0.4, 1.0, 0.9]])
    assert interquartile_mean(scores).value == pytest.approx(0.45)
    # Of six one goes at each end, since a quarter is rounded down.
    assert interquartile_mean(np.array([[0.0, 0.1, 0.2], [0.3, 0.5, 1.0]])).value == pytest.approx(0.275)


def test_seeds_are_drawn_anew_for_each_opponent() -> None:
    """Of two seeds and one opponent a sample is 0, ½ or 1, in the shares ¼, ½ and ¼."""
    found = interquartile_mean(np.array([[0.0], [1.0]]))
    assert found == (0.5, (0.0, 1.0))
    # Each opponent alone has no spread, and so has no sample: seeds never take another opponent's score.
    apart = interquartile_mean(np.array([[0.2, 0.8], [0.2, 0.8], [0.2, 0.8]]))
    assert apart.interval == pytest.approx((0.5, 0.5))


def test_the_samples_are_those_of_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "SAMPLES", 40)
    scores = np.random.default_rng(1).random((5, 8))
    drawn = np.random.default_rng(3).integers(5, size=(40, 5, 8))
    means = [
        np.mean(sorted(scores[sample[seed, place], place] for seed in range(5) for place in range(8))[10:30])
        for sample in drawn
    ]
    assert interquartile_mean(scores, seed=3).interval == pytest.approx(np.percentile(means, (2.5, 97.5)))


def test_one_seed_says_nothing_about_others() -> None:
    assert interquartile_mean(np.array([[0.2, 0.8]])) == (0.5, (-inf, inf))


def test_it_is_what_the_authors_library_finds() -> None:
    """By rliable 1.2.0, 50,000 samples: 0.4875, 0.36875 to 0.605."""
    found = interquartile_mean(np.arange(40).reshape(5, 8) * 7 % 41 / 40)
    assert found.value == pytest.approx(0.4875)
    assert found.interval == pytest.approx((0.36875, 0.605), abs=0.005)
