"""Bars of histograms of differences."""

from itertools import pairwise

import pytest

from othello_lab.experiment.show.charts import bar_bounds, bar_width


@pytest.mark.parametrize("squares", [16, 36, 64, 100, 256])
@pytest.mark.parametrize("bars", [24, 65])
def test_0_lies_in_the_middle_of_a_bar_and_each_has_as_many_even_numbers(squares: int, bars: int) -> None:
    width = bar_width(2 * squares + 1, bars)
    bounds = bar_bounds(squares, width)
    assert bounds[0] < -squares
    assert bounds[-1] > squares
    assert 0 in (bounds[1:] + bounds[:-1]) / 2
    held = [sum(low < n < high for n in range(-1000, 1000, 2)) for low, high in pairwise(bounds)]
    assert held == [width // 2] * len(held)
