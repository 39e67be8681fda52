"""What every learner of a network with a policy and a value keeps in self-play by the thousand."""

from pathlib import Path
from types import ModuleType

import pytest

from othello_lab.experiment.workers.pool import Pool
from tests.agent.alphazero import parts as alphazero
from tests.agent.ppo import parts as ppo

LEARNERS = pytest.mark.parametrize("learner", [alphazero, ppo], ids=["alphazero", "ppo"])


@LEARNERS
def test_the_same_seed_gives_the_same_learner_on_any_number_of_processes(
    learner: ModuleType, tmp_path: Path
) -> None:
    saved = []
    for jobs in (1, 2):
        _, agent = learner.trio(tmp_path / str(jobs))
        with Pool(jobs) as pool:
            rounds = learner.selfplay(agent, pool)
            told = [rounds.play(done, 600) for done in (0, 600)]
        saved.append((agent.save("end").read_bytes(), told))
    assert saved[0] == saved[1]


@LEARNERS
def test_self_play_goes_on_from_a_checkpoint_to_the_byte(learner: ModuleType, tmp_path: Path) -> None:
    (_, agent), (_, again) = learner.trio(tmp_path), learner.trio(tmp_path, seed=9)
    with Pool() as pool:
        rounds = learner.selfplay(agent, pool)
        rounds.play(0, 30)
        agent.save("middle")
        rounds.play(30, 30)
        again.load("middle")
        learner.selfplay(again, pool).play(30, 30)
    assert again.save("again").read_bytes() == agent.save("end").read_bytes()
