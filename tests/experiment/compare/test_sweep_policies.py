"""What runs had learned by each checkpoint, and how training went: what is read, played and drawn."""

import csv
from pathlib import Path
from shutil import copy

import numpy as np
import pytest
from click.testing import CliRunner, Result

import othello_lab.agent.dqn
from othello_lab.commands.compare import command
from othello_lab.experiment.compare.run_figures import loss, of_training, reward, running, won
from othello_lab.experiment.run.outcomes import Checkpoint, Episode, Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.study.statistics.intervals import mean_of
from tests.experiment.compare.test_sweep_compare import finals, make_run
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small

pytestmark = pytest.mark.slow

NETWORK = Path(othello_lab.agent.dqn.__file__).parent / "pretrained" / "4x4.safetensors"


def run_with(runs: Path, name: str, *policies: str) -> RunFolder:
    folder = make_run(runs, name, finals(5, 5))
    folder.checkpoints.mkdir()
    for policy in policies:
        copy(NETWORK, folder.checkpoints / f"{policy}.safetensors")
    return folder


def compare(runs: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        command, ["--runs-dir", str(runs), "--opponent", "greedy", "--openings", "3", *arguments]
    )


def test_a_run_that_is_told_to_keeps_what_was_learned_by_each_checkpoint(tmp_path: Path) -> None:
    own = SavingAgent()
    carry_out(plan_of(tmp_path, config=small(50, keep_policies=True)), own, othello())
    saved = [message for message in own.messages if message.startswith("save_policy")]
    assert saved == [
        *(f"save_policy policy-{number:08d}" for number in (10, 20, 30, 40, 50)),
        "save_policy policy",
    ]


def test_each_kept_policy_is_matched_and_the_scores_are_written_down(tmp_path: Path) -> None:
    folder = run_with(tmp_path, "a", "policy-00000010", "policy-00000020", "policy", "policy-1")
    with (folder.path / "evaluations.csv").open("a") as file:
        file.write("20,greedy,white,many,1,2,3\n")
    newest = run_with(tmp_path, "b", "episode-00000020")
    newest.write_checkpoints([Checkpoint(done, f"episode-{done:08d}") for done in (20, 30)])
    run_with(tmp_path, "c")
    result = compare(tmp_path, "a", "b", "c", "--opponent", "random")
    assert result.exit_code == 0, result.output
    assert "a: evaluations.csv: 1 line left out, which cannot be read" in result.output
    assert "b kept only its newest 1 checkpoints: --keep-policies keeps all" in result.output
    assert "one seed: the spread" in " ".join(result.output.split())
    assert "c kept no checkpoint" in result.output
    with (tmp_path / "comparison-policies.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["run"], row["episode"], row["opponent"], row["games"]) for row in rows] == [
        ("a", "10", "greedy", "6"),
        ("a", "10", "random", "6"),
        ("a", "20", "greedy", "6"),
        ("a", "20", "random", "6"),
        ("b", "20", "greedy", "6"),
        ("b", "20", "random", "6"),
    ]
    assert rows[0]["score"] == rows[2]["score"] == rows[4]["score"]  # one network, one opponent without luck
    table = [line.split() for line in result.output.splitlines()]
    assert ["Score", "against", "greedy"] in table
    assert [row[:4] for row in table if row[:2] == ["a,", "b,"] and "%" not in row][-2:] == [
        ["a,", "b,", "c", "1"],
        ["a,", "b,", "c", "2"],
    ]
    assert (tmp_path / "comparison-policies.svg").read_text().startswith("<?xml")


def test_runs_that_kept_nothing_or_a_damaged_policy_are_one_line(tmp_path: Path) -> None:
    run_with(tmp_path, "none")
    result = compare(tmp_path, "none")
    assert result.exit_code == 1
    assert "no run has kept anything to play with: train with --keep-policies" in result.output
    folder = run_with(tmp_path, "a", "policy-00000010")
    (folder.checkpoints / "policy-00000010.safetensors").write_bytes(b"spoilt")
    result = compare(tmp_path, "a")
    assert result.exit_code == 2
    assert "policy-00000010" in "".join(result.output.split())


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
