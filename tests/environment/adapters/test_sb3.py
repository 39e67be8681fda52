import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

pytest.importorskip("stable_baselines3")

from othello_lab.environment.adapters.sb3 import OthelloVecEnv
from othello_lab.environment.adapters.vector import OthelloVectorEnv, random_actions


def test_games_are_those_of_the_vector_environment() -> None:
    ours = OthelloVectorEnv(8, size=4, opponent="random", autoreset_mode=AutoresetMode.SAME_STEP)
    theirs = OthelloVecEnv(8, size=4, opponent="random")
    theirs.seed(3)
    rng, ended = np.random.default_rng(0), 0
    seen, infos = ours.reset(seed=3)
    np.testing.assert_array_equal(theirs.reset(), seen)
    for _ in range(20):
        np.testing.assert_array_equal(theirs.env_method("action_masks"), infos["action_mask"])
        actions = random_actions(infos["action_mask"], rng)
        seen, rewards, over, _, infos = ours.step(actions)
        planes, gained, done, told = theirs.step(actions)
        for found, expected in ((planes, seen), (gained, rewards), (done, over)):
            np.testing.assert_array_equal(found, expected)
        for row in np.flatnonzero(over):
            np.testing.assert_array_equal(told[row]["terminal_observation"], infos["final_obs"][row])
        ended += over.sum()
    assert ended > 8


def test_an_illegal_action_is_told() -> None:
    games = OthelloVecEnv(2, size=4)
    games.reset()
    masks = games.env_method("action_masks", indices=[0, 1])
    _, rewards, over, told = games.step(np.array([mask.argmin() for mask in masks]))
    assert rewards.tolist() == [-1, -1]
    assert over.all()
    assert all(each["illegal"] for each in told)
