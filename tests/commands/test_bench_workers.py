"""`othello bench workers`: the table, not the figures; and what the model is made of."""

import pytest
from click.testing import CliRunner

from othello_lab.commands.bench.workers import Costs, model
from othello_lab.commands.cli import cli


@pytest.mark.parametrize(
    ("learner", "of_the_learner"), [("ntuple", "learning:"), ("ntuple,parts=2", "putting")]
)
def test_the_benchmark_runs(learner: str, of_the_learner: str) -> None:
    words = ["bench", "workers", "--size", "4", "--rounds", "1", "--shards", "1", "--learner", learner]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["games", "on", of_the_learner, "bytes:"]
    assert [line.split()[0] for line in lines[-5:]] == ["1", "2", "10", "100", "1,000"]


def test_workers_play_at_once_and_the_learner_learns_all_their_games() -> None:
    costs = Costs(playing=1e-3, learning=1e-4, order_bytes=1.25e9, result_bytes=1.25e3)
    assert model(costs, 1) == pytest.approx((0.512, 0.0512, 1 + 0.000512, 0.001))
    assert model(costs, 32) == pytest.approx((0.512, 1.6384, 2 + 0.016384, 0.032))
