"""What a return means, and how outcomes are counted."""

import pytest

from othello_lab.experiment.run.episodes import read_task
from othello_lab.experiment.run.outcomes import Episode, Outcome, Rewards, Tally, View
from othello_lab.experiment.run.record import derive
from othello_lab.experiment.run.training.length import Hundreds, Pace
from rlglue.errors import GlueError

SPEC = (
    "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 "
    "OBSERVATIONS INTS (64 0 1) ACTIONS INTS (-1 15) REWARDS (-3 2) EXTRA {}"
)


def test_the_task_specification_says_what_a_return_means() -> None:
    task = read_task(SPEC.format("othello size=4 win=2 draw=0 loss=-3"))
    assert task.size == 4
    assert [task.rewards.outcome(x) for x in (2, 0, -3, 1)] == [
        Outcome.WIN,
        Outcome.DRAW,
        Outcome.LOSS,
        None,
    ]


def test_in_discs_the_sign_says_who_won() -> None:
    task = read_task(SPEC.format("othello size=4 win=16 draw=0 loss=-16 reward=discs"))
    assert [task.rewards.outcome(x) for x in (16, 2, 0, -2)] == [
        Outcome.WIN,
        Outcome.WIN,
        Outcome.DRAW,
        Outcome.LOSS,
    ]


@pytest.mark.parametrize("text", ["", "VERSION other", SPEC.format(""), SPEC.format("mines by somebody")])
def test_without_extra_the_usual_rewards_hold(text: str) -> None:
    task = read_task(text)
    assert task.size is None
    assert task.rewards == Rewards(1.0, -0.5, -1.0)


def test_a_size_that_is_not_played_here_is_not_known() -> None:
    assert read_task(SPEC.format("othello size=18 win=2")).size is None
    assert read_task(SPEC.format("othello size=6 win=2")).size == 6


def test_a_broken_extra_is_one_clear_line() -> None:
    with pytest.raises(GlueError, match="expected numbers for size, win, draw, loss"):
        read_task(SPEC.format("othello size=4 win=much"))


def test_score_and_standard_error() -> None:
    tally = Tally(win=50, draw=20, loss=30)
    assert (tally.games, tally.win_rate, tally.score) == (100, 0.5, 0.6)
    # The variance of 50 ones, 20 halves and 30 zeros is 0.55 - 0.36.
    assert Tally().score == 0.0


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


def test_speed_leaves_pauses_out() -> None:
    now = iter([0.0, 1.0, 12.0, 12.0])
    pace = Pace(clock=lambda: next(now))
    pace.add(1, 100)
    pace.pause(10.0)
    pace.add(1, 100)
    assert pace.steps_a_second.per_second == pytest.approx(100.0)
    assert pace.work == (2, 200, 2.0)


def test_updates_a_second_leave_pauses_out() -> None:
    now = iter([0.0, 1.0, 23.0])
    pace = Pace(clock=lambda: next(now))
    assert pace.updates_a_second.per_second == 0.0
    pace.updates(500)
    pace.pause(20.0)
    pace.updates(600)
    assert pace.updates_a_second.per_second == pytest.approx(50.0)


def test_tallies_add_up() -> None:
    assert Tally(1, 2, 3, 4) + Tally(10, 20, 30, 40) == Tally(11, 22, 33, 44)


def test_seeds_differ_and_are_fixed() -> None:
    seeds = derive(1)
    assert seeds == derive(1)
    assert len({seeds.environment, seeds.agent, seeds.evaluation, derive(2).agent}) == 4
