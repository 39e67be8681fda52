from pathlib import Path

import numpy as np
import pytest

from othello_lab.experiment.compare.run_figures import loss, of_training, reward, running, won
from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.study.statistics.intervals import mean_of
from tests.experiment.compare.test_sweep_compare import make_run
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small

pytestmark = pytest.mark.slow


def test_a_run_that_is_told_to_keeps_what_was_learned_by_each_checkpoint(tmp_path: Path) -> None:
    own = SavingAgent()
    carry_out(plan_of(tmp_path, config=small(50, keep_policies=True)), own, othello())
    saved = [message for message in own.messages if message.startswith("save_policy")]
    assert saved == [
        *(f"save_policy policy-{number:08d}" for number in (10, 20, 30, 40, 50)),
        "save_policy policy",
    ]


def trained(runs: Path, name: str, outcomes: list[Outcome], losses: dict[int, float]) -> RunFolder:
    folder = make_run(runs, name, {}, episodes=0)
    with folder:
        for number, outcome in enumerate(outcomes, 1):
            points = 1.0 if outcome is Outcome.WIN else -1.0
            folder.add_episode(Episode(number, outcome, points, 5, 9, 3, "black", 0))
        for number, value in losses.items():
            folder.add_metrics(number, {"agent": {"loss": value, "updates": 1}})
    return folder


def test_running_means_are_of_the_last_games_and_over_the_runs(tmp_path: Path) -> None:
    half = [Outcome.WIN, Outcome.LOSS] * 150
    runs = [
        trained(tmp_path, "one", half, {100: 1.0, 200: 0.5}),
        trained(tmp_path, "two", [Outcome.WIN] * 300, {100: 3.0, 200: 1.5}),
    ]
    shares, rewards, losses = (running(runs, read) for read in (won, reward, loss))
    assert shares
    assert rewards
    assert losses
    assert (shares.mean[-1], rewards.mean[-1]) == pytest.approx((0.75, 0.5))
    assert (losses.games[0], losses.games[-1]) == (100, 200)
    assert np.allclose(losses.mean[[0, -1]], [2.0, 1.0])
    assert (shares.low[-1], shares.high[-1]) == pytest.approx(mean_of([0.5, 1.0]).interval)
    alone = running(runs[:1], won)
    assert alone
    assert (alone.low == alone.mean).all()


def test_a_panel_that_has_no_data_is_left_out(tmp_path: Path) -> None:
    folder = trained(tmp_path, "one", [Outcome.WIN] * 30, {})
    figure = of_training({"one": [folder]})
    assert figure
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["Reward", "Won"]
    assert of_training({"none": [trained(tmp_path, "none", [], {})]}) is None


def test_the_games_of_a_run_against_itself_are_no_measure(tmp_path: Path) -> None:
    folder = trained(tmp_path, "one", [Outcome.WIN] * 30, {10: 1.0})
    config = folder.config()
    folder.write_config({**config, "environment_stats": {"opponent": "self"}})
    assert (reward(folder), won(folder)) == (None, None)
    assert loss(folder) == ([10], [1.0])
