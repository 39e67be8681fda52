"""What scores come to in one line: whom an agent beats, and which level of `othello play` that is."""

import pytest

from othello_lab.experiment.compare.judging.trial import OPPONENTS
from othello_lab.experiment.run.outcomes import Evaluation, Tally
from othello_lab.experiment.run.verdict import _SCORES, Met, level_of, met_in, verdict
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval

SIZE = 8


def scored(value: float, reach: float = 0.05) -> Estimate:
    return Estimate(value, Interval(value - reach, value + reach))


def said(**scores: float) -> str:
    return verdict([Met(name, scored(score)) for name, score in scores.items()], SIZE)


@pytest.mark.parametrize(
    ("scores", "line"),
    [
        ({"random": 0.9}, "beats random"),
        ({"random": 0.56}, "beats random"),
        ({"random": 0.55}, "is even with random"),
        ({"random": 0.45}, "is even with random"),
        ({"random": 0.44}, "loses to random"),
        ({"random": 0.9, "greedy": 0.9, "mobility": 0.1}, "beats random and greedy, loses to mobility"),
        (
            {"mobility": 0.1, "greedy": 0.5, "random": 0.9},
            "beats random, is even with greedy, loses to mobility",
        ),
        ({"a": 0.9, "b": 0.9}, "beats a and b"),
        ({"a": 0.1, "b": 0.1, "c": 0.1}, "loses to all 3 opponents"),
        (dict.fromkeys("abcd", 0.9) | {"e": 0.1}, "beats a, b, c and d, loses to e"),
        (dict.fromkeys("abcde", 0.9) | {"f": 0.1}, "beats 5 of 6 opponents, loses to f"),
    ],
)
def test_whom_it_beats_is_told_by_the_intervals(scores: dict[str, float], line: str) -> None:
    assert said(**scores) == line


def test_a_draw_by_few_games_is_told() -> None:
    met = [Met("random", scored(0.9)), Met("greedy", scored(0.6, 0.3)), Met("mobility", scored(0.5))]
    assert verdict(met, SIZE) == "beats random, is even with greedy and mobility (few games)"
    assert verdict(met[::2], SIZE) == "beats random, is even with mobility"


def measured(level: int, opponents: list[str]) -> dict[str, Estimate]:
    # Levels 4 and 5 are only .02 apart against the first three opponents: with ± .04 they are one answer.
    return {text: scored(_SCORES[SIZE][text][level - 1], 0.03) for text in opponents}


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [3, 4, 8])
def test_a_level_is_about_itself(level: int, count: int) -> None:
    opponents = [*OPPONENTS.values()][:count]
    assert level_of(measured(level, opponents), SIZE) == f"about level {level}"


def test_what_the_opponents_do_not_tell_apart_is_a_range() -> None:
    everybody = dict.fromkeys(OPPONENTS.values(), scored(1.0, 0.03))
    assert level_of(everybody, SIZE) == "about level 6 or higher"
    assert level_of(dict.fromkeys(OPPONENTS.values(), scored(0.93, 0.15)), SIZE) == "about level 4 to 5"
    assert level_of(dict.fromkeys(OPPONENTS.values(), scored(0.1, 0.03)), SIZE) == "below level 1"


def test_there_is_no_level_where_nothing_was_measured() -> None:
    usual = dict.fromkeys([*OPPONENTS.values()][:3], scored(0.6))
    assert level_of(usual, SIZE)
    assert level_of(usual, 10) == level_of(usual, None) == ""
    assert level_of(dict.fromkeys([*OPPONENTS.values()][:2], scored(0.6)), SIZE) == "", "two are no scale"
    assert level_of(dict.fromkeys(["greedy", "mobility", "search"], scored(0.6)), SIZE) == ""


@pytest.mark.parametrize("size", _SCORES)
def test_levels_are_measured_with_the_usual_opponents_and_rise(size: int) -> None:
    table = _SCORES[size]
    assert list(table) == list(OPPONENTS.values())
    means = [sum(column) / len(table) for column in zip(*table.values(), strict=True)]
    assert means == sorted(means)


def result(opponent: str, colour: str, won: int, lost: int) -> Evaluation:
    return Evaluation(300, opponent, colour, Tally(won, 0, lost))


def test_of_a_run_games_from_openings_count_where_there_are_some() -> None:
    results = [
        result("corner-greedy", "black", 100, 0),
        result("corner-greedy (openings)", "black", 90, 10),
        result("corner-greedy (openings)", "white", 10, 90),
        result("greedy", "black", 90, 10),
        result("mobility (openings)", "white", 0, 40),
        Evaluation(300, "unknown", "black", Tally(other=50)),
    ]
    met = {each.name: each for each in met_in(results)}
    assert list(met) == ["corner-greedy", "greedy", "mobility"]
    assert met["corner-greedy"].score.value == 0.5
    assert met["greedy"].text == "", "its games began elsewhere than those of the levels"
    assert verdict([*met.values()], SIZE) == "beats greedy, is even with corner-greedy, loses to mobility"
