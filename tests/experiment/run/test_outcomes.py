import time
from math import inf, nan

import pytest

from othello_lab.experiment.compare.match import OPPONENTS
from othello_lab.experiment.run.episodes import read_task
from othello_lab.experiment.run.length import Pace
from othello_lab.experiment.run.outcomes import Episode, Evaluation, Hundreds, Outcome, Rewards, Tally, View
from othello_lab.experiment.run.record import derive
from othello_lab.experiment.show.verdict import _SCORES, Met, level_of, met_in, verdict
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from rlglue.errors import GlueError

SPEC = (
    "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 "
    "OBSERVATIONS INTS (64 0 1) ACTIONS INTS (-1 15) REWARDS (-3 2) EXTRA {}"
)
WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


@pytest.mark.parametrize(
    ("extra", "outcomes"),
    [
        ("win=2 draw=0 loss=-3", {2: WIN, 0: DRAW, -3: LOSS, 1: None}),
        ("win=16 draw=0 loss=-16 reward=discs", {16: WIN, 2: WIN, 0: DRAW, -2: LOSS, inf: None}),
    ],
)
def test_the_task_says_what_a_return_means(extra: str, outcomes: dict[float, Outcome | None]) -> None:
    task = read_task(SPEC.format(f"othello size=4 {extra}"))
    assert task.size == 4
    assert {value: task.rewards.outcome(value) for value in outcomes} == outcomes
    assert task.rewards.outcome(nan) is None


@pytest.mark.parametrize("text", ["", "VERSION other", SPEC.format(""), SPEC.format("mines by somebody")])
def test_without_extra_the_usual_rewards_hold(text: str) -> None:
    task = read_task(text)
    assert (task.size, task.rewards) == (None, Rewards(1.0, -0.5, -1.0))


def test_a_size_that_is_not_played_here_is_not_known_and_a_broken_extra_is_one_clear_line() -> None:
    assert read_task(SPEC.format("othello size=18 win=2")).size is None
    with pytest.raises(GlueError, match="expected numbers for size, win, draw, loss"):
        read_task(SPEC.format("othello size=4 win=much"))


def test_tallies_have_a_score_and_add_up() -> None:
    tally = Tally(win=50, draw=20, loss=30)
    assert (tally.games, tally.win_rate, tally.score) == (100, 0.5, 0.6)
    assert Tally().score == 0.0
    assert Tally(1, 2, 3, 4) + Tally(10, 20, 30, 40) == Tally(11, 22, 33, 44)


def test_the_line_per_hundred_goes_on_after_a_resume() -> None:
    def episode(index: int) -> Episode:
        return Episode(index, Outcome.WIN if index % 2 else Outcome.LOSS, 1.0, 10)

    hundreds = Hundreds(View(), (episode(index) for index in range(1, 151)))
    lines = [line for index in range(151, 301) if (line := hundreds.add(episode(index)))]
    assert lines == [
        "episodes 101-200: 50 won, 0 drawn, 50 lost",
        "episodes 201-300: 50 won, 0 drawn, 50 lost",
    ]
    assert hundreds.recent.games == 100


def test_the_time_of_training_leaves_pauses_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pace = Pace(done=7, seconds=100.0)
    pace.add(1, 100)
    pace.pause(10.0)
    pace.add(1, 100)
    now = 12.0
    assert pace.work == (2, 200, 2.0)
    assert (pace.done, pace.seconds) == (9, 102.0)


def test_seeds_differ_and_are_fixed() -> None:
    seeds = derive(1)
    assert seeds == derive(1)
    assert len({seeds.environment, seeds.agent, seeds.evaluation, derive(2).agent}) == 4


SIZE = 8


def scored(value: float, reach: float = 0.05) -> Estimate:
    return Estimate(value, Interval(value - reach, value + reach))


def output(**scores: float) -> str:
    return verdict([Met(name, scored(score)) for name, score in scores.items()], SIZE)


@pytest.mark.parametrize(
    ("scores", "line"),
    [
        ({"random": 0.56}, "beats random"),
        ({"random": 0.55}, "is even with random"),
        ({"random": 0.45}, "is even with random"),
        ({"random": 0.44}, "loses to random"),
        ({"random": 0.9, "greedy": 0.9, "mobility": 0.1}, "beats random and greedy, loses to mobility"),
        ({"a": 0.1, "b": 0.5, "c": 0.9}, "beats c, is even with b, loses to a"),
        ({"a": 0.1, "b": 0.1, "c": 0.1}, "loses to all 3 opponents"),
        (dict.fromkeys("abcd", 0.9) | {"e": 0.1}, "beats a, b, c and d, loses to e"),
        (dict.fromkeys("abcde", 0.9) | {"f": 0.1}, "beats 5 of 6 opponents, loses to f"),
    ],
)
def test_whom_it_beats_is_told_by_the_intervals(scores: dict[str, float], line: str) -> None:
    assert output(**scores) == line


def test_a_draw_by_few_games_is_told() -> None:
    met = [Met("random", scored(0.9)), Met("greedy", scored(0.6, 0.3)), Met("mobility", scored(0.5))]
    assert verdict(met, SIZE) == "beats random, is even with greedy and mobility (few games)"
    assert verdict(met[::2], SIZE) == "beats random, is even with mobility"


def measured(level: int, opponents: list[str]) -> dict[str, Estimate]:
    # Levels 4 and 5 differ by only .02 against the first three opponents. With ± .04, they are one answer.
    return {text: scored(_SCORES[SIZE][text][level - 1], 0.03) for text in opponents}


@pytest.mark.parametrize("level", [1, 4])
@pytest.mark.parametrize("count", [3, 8])
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
