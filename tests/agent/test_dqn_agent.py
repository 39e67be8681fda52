import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.task import TaskError
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from tests.agent.learners import DQN
from tests.agent.parts import agent_of, dqn_agent, freeze, play, seated, trio, won


@pytest.mark.slow
def test_it_beats_random_on_4x4() -> None:
    options = {"hidden": "64", "warm_up": "200", "epsilon_steps": "800", "learning_rate": "0.002"}
    agent = dqn_agent({**options, "average_rate": "0.01"}, seed=1)
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=1, first="opponent"))
    glue = seated(agent, environment)
    play(glue, 300)
    freeze(glue)
    assert won(glue, 100) > 0.8


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games() -> None:
    assert play(trio(DQN, seed=3)[0], 30) == play(trio(DQN, seed=3)[0], 30)
    assert play(trio(DQN, seed=3)[0], 30) != play(trio(DQN, seed=4)[0], 30)


def test_frozen_games_change_nothing() -> None:
    glue, agent = trio(DQN)
    play(glue, 20)
    freeze(glue)
    before = (
        agent.stats(),
        {k: v.copy() for k, v in agent.learner.q.arrays().items()},
        agent.learner.replay.appended,
    )
    first = play(glue, 5)
    glue.RL_env_message("episode 20")
    assert play(glue, 5) == first, "without exploration the same episodes are the same games"
    assert {**agent.stats(), "epsilon": 0} == {**before[0], "epsilon": 0}
    assert all(np.array_equal(v, before[1][k]) for k, v in agent.learner.q.arrays().items())
    assert agent.learner.replay.appended == before[2]


def test_every_stored_transition_is_a_decision_and_ends_have_no_bootstrap() -> None:
    agent = agent_of(DQN, replay="5000")
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=1))
    glue = seated(agent, environment)
    games, decisions = 60, 0
    for _ in range(games):
        glue.RL_episode(0)
        # A pass is a step, but no decision.
        boards = environment.game.boards
        decisions += sum(b.turn is environment.colour and len(b.legal_moves) > 0 for b in boards)
    held = {key: array[: len(agent.learner.replay)] for key, array in agent.learner.replay.arrays.items()}
    assert len(agent.learner.replay) == decisions
    assert held["complete"].all()
    assert int((held["discount"] == 0).sum()) == games
    assert set(np.unique(held["reward"]).tolist()) <= {-1.0, -0.5, 0.0, 1.0}
    assert not held["reward"][held["discount"] > 0].any()
    assert np.isclose(held["discount"][held["discount"] > 0], 0.99).all()
    assert (held["action"] >= 0).all()


def test_a_cut_off_game_leaves_nothing_behind() -> None:
    glue, agent = trio(DQN, frames="3")
    glue.RL_episode(3)
    glue.RL_start()
    assert agent.learner.replay.arrays["complete"][:4].tolist() == [True, True, False, False]
    assert agent.learner.replay.arrays["back"][:4].tolist() == [0, 1, 1, 0], "frames of the last game leaked"


def test_freezing_in_the_middle_of_a_game_stores_no_invented_outcome() -> None:
    glue, agent = trio(DQN)
    glue.RL_start()
    glue.RL_step()
    freeze(glue)
    glue.RL_step()
    glue.RL_agent_message("unfreeze learning")
    while not glue.RL_step().terminal:
        pass
    complete = agent.learner.replay.arrays["complete"][: len(agent.learner.replay)]
    assert complete[0]
    assert not complete[1]


def test_stats_and_config_are_json() -> None:
    glue, _ = trio(DQN)
    play(glue, 20)
    stats = json.loads(glue.RL_agent_message("stats"))
    assert {"steps", "updates", "replay", "epsilon", "loss", "q_mean"} <= stats.keys()
    assert stats["updates"] > 0
    assert json.loads(glue.RL_agent_message("config"))["hidden"] == [16]
    assert "freeze learning" in glue.RL_agent_message("help")
    assert glue.RL_agent_message("dance").startswith("error:")


def test_a_task_of_another_size_or_kind_is_refused() -> None:
    spec = OthelloEnvironment(EnvironmentConfig(size=8)).env_init()
    with pytest.raises(TaskError, match="set up for 6x6, but the environment plays 8x8"):
        dqn_agent({}, size=6).agent_init(spec)
    with pytest.raises(TaskError, match="size=4"):
        dqn_agent({}).agent_init(spec.replace("size=8", "size=4"))
    with pytest.raises(TaskError, match="no Othello"):
        dqn_agent({}).agent_init(spec.replace("(256 0 1)", "(255 0 1)"))


def test_the_size_comes_from_the_ints_when_extra_is_silent() -> None:
    spec = OthelloEnvironment(EnvironmentConfig(size=6)).env_init()
    agent = dqn_agent({})
    agent.agent_init(spec.partition(" EXTRA")[0])
    assert agent.size == 6


def test_it_freezes_itself_after_enough_games_without_a_loss() -> None:
    glue, agent = trio(DQN, freeze_after_wins="3")
    for _ in range(300):
        glue.RL_episode(0)
        if not agent.learning:
            break
    assert agent.unbeaten == 3
    for message in ("unfreeze learning", "unfreeze exploring"):  # as after an evaluation
        glue.RL_agent_message(message)
    assert not agent.learning
    assert not agent.exploring


@pytest.mark.slow
@pytest.mark.parametrize(("priority", "replay"), [("0", "300"), ("0.6", "60")])
def test_a_thread_changes_nothing(priority: str, replay: str) -> None:
    games, weights = [], []
    for background in ("true", "false"):
        glue, agent = trio(DQN, background=background, priority=priority, n_step="3", replay=replay)
        games.append(play(glue, 40))
        agent.stats()  # waits for the update under way
        weights.append(agent.learner.q.arrays())
    assert games[0] == games[1]
    assert all(np.array_equal(array, weights[1][name]) for name, array in weights[0].items())


def test_a_reward_in_discs_is_learned_and_a_game_below_nothing_is_lost() -> None:
    agent = agent_of(DQN, seed=0, freeze_after_wins="100000")
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", reward="discs"))
    glue, unbeaten = seated(agent, environment), 0
    for _ in range(60):
        glue.RL_episode(0)
        unbeaten = 0 if glue.RL_return() < 0 else unbeaten + 1
        assert agent.unbeaten == unbeaten
    rewards = agent.learner.replay.arrays["reward"][: len(agent.learner.replay)]
    assert len(set(rewards.tolist())) > 5, "not wins and losses alone"


def test_epsilon_is_told_as_it_is_between_games() -> None:
    glue, agent = trio(DQN, epsilon_end="0.02")
    play(glue, 60)
    assert agent.stats()["epsilon"] == pytest.approx(0.02)


def test_the_first_moves_of_a_game_can_be_more_random() -> None:
    glue, agent = trio(DQN, opening_moves="1", opening_epsilon="0.75", epsilon_start="0", epsilon_end="0",
                          epsilon_schedule="linear")  # fmt: skip
    glue.RL_start()
    assert agent.epsilon == 0.75
    glue.RL_step()
    assert agent.epsilon == 0


def test_selfplay_does_not_end_learning_by_its_own_wins() -> None:
    agent = agent_of(DQN, freeze_after_wins="1")
    play(seated(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent="self"))), 20)
    assert agent.learning


def test_games_without_a_decision_are_no_reason_to_fail() -> None:
    agent = agent_of(DQN, clock="games", warm_up="0", update_every="1")
    glue = seated(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent="random")))
    assert glue.RL_env_message("start OOOOOOOOOXXOXXX- X").startswith("message understood")
    play(glue, 3)
    assert agent.learner.q.updates == 0


@pytest.mark.parametrize("verb", ["save", "save_policy", "load", "load_policy"])
def test_names_that_leave_the_directory_are_refused(tmp_path: Path, verb: str) -> None:
    glue, _ = trio(DQN, tmp_path / "inside")
    for name in ("../../x", "/etc/x", "a/b", "..", "", "a\\b", "x y", ".hidden", "x" * 300):
        assert glue.RL_agent_message(f"{verb} {name}").startswith("error:"), name
    assert list(tmp_path.rglob("*.safetensors")) == []


def test_a_policy_taken_up_while_frozen_does_not_begin_to_learn(tmp_path: Path) -> None:
    glue, agent = trio(DQN, tmp_path)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_agent_message("load_policy mine")
    play(glue, 3)
    assert agent.learner.replay.appended == 0
