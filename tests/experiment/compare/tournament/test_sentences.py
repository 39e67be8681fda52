"""Sentences about the players of a tournament."""

import numpy as np
import pytest

from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament.meetings import Meeting
from othello_lab.experiment.compare.tournament.report import sentence
from othello_lab.experiment.show.wording import ordinal
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval


def met(first: int, second: int, score: float, reach: float, expected: float) -> Meeting:
    return Meeting(first, second, Estimate(score, Interval(score - reach, score + reach)), expected)


@pytest.mark.parametrize(
    ("found", "odd"),
    [
        ([met(0, 1, 0.7, 0.1, 0.7)], ""),
        ([met(0, 1, 0.8, 0.04, 0.7)], "; loses to 1st more often than its rating says (0.200, not 0.300)"),
        ([met(0, 1, 0.6, 0.04, 0.7)], "; loses to 1st less often than its rating says (0.400, not 0.300)"),
        ([met(1, 2, 0.9, 0.04, 0.7)], "; beats 3rd more often than its rating says (0.900, not 0.700)"),
        ([met(1, 2, 0.5, 0.04, 0.7)], "; beats 3rd less often than its rating says (0.500, not 0.700)"),
        ([met(1, 2, 0.4, 0.04, 0.7)], "; loses to 3rd, which is rated lower (0.400)"),
        ([met(0, 1, 0.4, 0.2, 0.5)], "; beats 1st, which is rated higher (0.600, perhaps by chance)"),
        (
            [met(0, 1, 0.8, 0.01, 0.7), met(1, 2, 0.1, 0.1, 0.7), met(1, 3, 0.99, 0.01, 0.9)],
            "; loses to 3rd, which is rated lower (0.100); "
            "loses to 1st more often than its rating says (0.200, not 0.300); and 1 more like that",
        ),
    ],
)  # fmt: skip
def test_a_sentence_says_the_place_and_where_the_rating_does_not_fit(found: list[Meeting], odd: str) -> None:
    apart = Ratings(np.array([300.0, 100, -100, -300]), np.eye(4), [50] * 4)
    assert sentence(1, apart, found) == f"2nd of 4{odd}"


def test_a_lead_that_may_be_chance_is_told() -> None:
    close = Ratings(np.array([1.0, 0, -100]), np.eye(3) * 100, [50] * 3)
    assert sentence(0, close, []) == "1st of 3, but perhaps no better than 2nd"
    assert sentence(1, close, []) == "2nd of 3"
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"
    ]  # fmt: skip
