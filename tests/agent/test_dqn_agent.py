import json
from pathlib import Path

import numpy as np
import pytest

from agent.dqn.method import DQN
from agent.dqn.options import configure
from agent.dqn.presets import classic
from agent.schedule import Schedule
from agent.task import TaskError
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from rlglue.glue import Glue
from tests.agent.parts import DQNAgent, dqn_agent

SMALL = {
    "hidden": "16",
    "warm_up": "20",
    "replay": "300",
    "batch": "8",
    "epsilon_steps": "100",
    "frames": "2",
}


def trio(
    seed: int = 1,
    directory: Path | None = None,
    size: int = 4,
    more: dict[str, str] | None = None,
    **options: str,
) -> tuple[Glue, DQNAgent, OthelloEnvironment]:
    agent = dqn_agent({**SMALL, **options, **(more or {})}, seed=seed, directory=directory)
    environment = OthelloEnvironment(EnvironmentConfig(size=size, opponent="random", seed=seed))
    glue = Glue(agent, environment)
    glue.RL_init()
    return glue, agent, environment


def play(glue: Glue, games: int) -> list[str]:
    transcripts = []
    for _ in range(games):
        glue.RL_episode(0)
        transcripts.append(glue.RL_env_message("transcript"))
    return transcripts


def freeze(glue: Glue) -> None:
    for message in ("freeze learning", "freeze exploring"):
        assert glue.RL_agent_message(message).startswith("message understood")


def test_it_beats_random_on_4x4_after_a_minute_of_learning() -> None:
    agent = dqn_agent(
        {"hidden": "64,64", "warm_up": "200", "epsilon_steps": "3000", "average_rate": "0.005"}, seed=1
    )
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=1, first="opponent"))
    glue = Glue(agent, environment)
    glue.RL_init()
    play(glue, 2000)
    freeze(glue)
    returns = []
    for _ in range(300):
        glue.RL_episode(0)
        returns.append(glue.RL_return())
    assert np.mean(np.array(returns) > 0) > 0.8


def test_the_same_seed_plays_the_same_games() -> None:
    assert play(trio(seed=3)[0], 30) == play(trio(seed=3)[0], 30)
    assert play(trio(seed=3)[0], 30) != play(trio(seed=4)[0], 30)


def test_frozen_games_change_nothing() -> None:
    glue, agent, _ = trio()
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
    glue, agent, environment = trio(replay="5000")
    games, decisions = 60, 0
    for _ in range(games):
        glue.RL_episode(0)
        # The agent's decisions: its steps less its passes, which are no decisions.
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
    glue, agent, _ = trio(frames="3")
    glue.RL_episode(3)
    glue.RL_start()
    assert agent.learner.replay.arrays["complete"][:4].tolist() == [True, True, False, False]
    assert agent.learner.replay.arrays["back"][:4].tolist() == [0, 1, 1, 0], "frames of the last game leaked"


def test_freezing_in_the_middle_of_a_game_stores_no_invented_outcome() -> None:
    glue, agent, _ = trio()
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


@pytest.mark.parametrize("options", [{}, {"priority": "0.6", "n_step": "2"}, {"optimiser": "rmsprop-graves"}])
def test_resume_continues_as_if_never_stopped(tmp_path: Path, options: dict[str, str]) -> None:
    glue, agent, _ = trio(directory=tmp_path, more=options)
    play(glue, 25)
    assert (
        glue.RL_agent_message("save middle") == f"message understood, saved {tmp_path / 'middle.safetensors'}"
    )
    rest = play(glue, 25)

    other, resumed, _ = trio(seed=99, directory=tmp_path, more=options)
    other.RL_env_message("seed 1")
    other.RL_env_message("episode 25")
    assert other.RL_agent_message("load middle").startswith("message understood")
    assert play(other, 25) == rest
    assert resumed.stats() == agent.stats()
    for key, array in agent.learner.q.arrays().items():
        assert np.array_equal(array, resumed.learner.q.arrays()[key]), key
    for key, array in agent.learner.replay.arrays.items():
        assert np.array_equal(array, resumed.learner.replay.arrays[key]), key


def test_a_policy_can_be_saved_and_taken_up(tmp_path: Path) -> None:
    glue, _, _ = trio(directory=tmp_path)
    play(glue, 25)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_env_message("episode 0")
    wanted = play(glue, 5)
    other, _, _ = trio(seed=1, directory=tmp_path)
    freeze(other)
    assert other.RL_agent_message("load_policy mine").startswith("message understood")
    assert play(other, 5) == wanted
    assert "policy only" in other.RL_agent_message("load mine")


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/b", "..", "", "a\\b", "x y", ".hidden"])
@pytest.mark.parametrize("verb", ["save", "save_policy", "load", "load_policy"])
def test_names_that_leave_the_directory_are_refused(tmp_path: Path, verb: str, name: str) -> None:
    glue, _, _ = trio(directory=tmp_path / "inside")
    assert glue.RL_agent_message(f"{verb} {name}").startswith("error:")
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_of_another_board_or_other_options_are_refused(tmp_path: Path) -> None:
    trio(directory=tmp_path)[0].RL_agent_message("save four")
    six = trio(directory=tmp_path, size=6)[0]
    assert "is for 4x4 boards" in six.RL_agent_message("load four")
    wider = trio(directory=tmp_path, hidden="32")[0]
    assert "other options" in wider.RL_agent_message("load four")
    assert "no checkpoint" in wider.RL_agent_message("load five")


def test_stats_and_config_are_json() -> None:
    glue, _, _ = trio()
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
    glue, agent, _ = trio(freeze_after_wins="3")
    for _ in range(300):
        glue.RL_episode(0)
        if not agent.learning:
            break
    assert agent.unbeaten == 3
    for message in ("unfreeze learning", "unfreeze exploring"):  # as after an evaluation
        glue.RL_agent_message(message)
    assert not agent.learning
    assert not agent.exploring


def test_epsilon_falls_linearly_between_its_steps() -> None:
    schedule = Schedule(
        epsilon_schedule="linear", epsilon_start=1.0, epsilon_end=0.0, epsilon_from=100, epsilon_steps=200
    )
    assert [schedule.epsilon(step) for step in (0, 100, 200, 300, 999)] == [1.0, 1.0, 0.5, 0.0, 0.0]


def test_classic_has_the_sizes_of_2017() -> None:
    config = classic(8)
    assert config.hidden == (2304,) * 9
    assert (config.replay, config.warm_up, config.batch, config.target_every) == (20_000, 5_000, 128, 10_000)
    schedule = DQN.schedule(config)
    assert [schedule.epsilon(step) for step in (5_000, 20_000)] == pytest.approx([1.0, 0.001])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"preset": "fancy"}, "there are: default, classic, report"),
        ({"depth": "3"}, "no option 'depth'"),
        ({"batch": "many"}, "batch=many is no int"),
        ({"double": "perhaps"}, "double=perhaps is no bool"),
        ({"loss": "l1"}, "expected huber or mse"),
        ({"optimiser": "lion"}, "expected adam"),
        ({"replay": "10"}, "larger than 1000: warm_up"),
        ({"gamma": "2"}, "gamma is 2.0, expected 0 to 1"),
        ({"warm_up": "-5"}, "warm_up is -5, expected 0 or more"),
        ({"learning_rate": "inf"}, "expected a number above 0"),
        ({"network": "lstm"}, "expected mlp or conv"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        configure(options, 8)


def test_options_are_read_by_their_types() -> None:
    config = configure({"preset": "classic", "hidden": "8,8", "gamma": "none", "double": "true"}, 4)
    assert (config.hidden, config.gamma, config.double, config.frames) == ((8, 8), None, True, 9)


def test_epsilon_falls_by_the_same_factor_at_every_step() -> None:
    schedule = Schedule(
        epsilon_schedule="exponential",
        epsilon_start=1.0,
        epsilon_end=0.01,
        epsilon_from=100,
        epsilon_steps=200,
    )
    assert [schedule.epsilon(step) for step in (0, 200, 300, 999)] == pytest.approx([1.0, 0.1, 0.01, 0.01])


@pytest.mark.parametrize("options", [{}, {"priority": "0.6", "n_step": "3", "replay": "60"}])
def test_a_thread_changes_nothing(options: dict[str, str]) -> None:
    games, weights = [], []
    for background in ("true", "false"):
        glue, agent, _ = trio(background=background, more=options)
        games.append(play(glue, 40))
        agent.stats()  # waits for the update under way
        weights.append(agent.learner.q.arrays())
    assert games[0] == games[1]
    assert all(np.array_equal(array, weights[1][name]) for name, array in weights[0].items())


def test_epsilon_is_told_as_it_is_between_games() -> None:
    glue, agent, _ = trio(epsilon_end="0.02")
    play(glue, 60)
    assert agent.stats()["epsilon"] == pytest.approx(0.02)


def test_the_first_moves_of_a_game_can_be_more_random() -> None:
    glue, agent, _ = trio(opening_moves="1", opening_epsilon="0.75", epsilon_start="0", epsilon_end="0",
                          epsilon_schedule="linear")  # fmt: skip
    glue.RL_start()
    assert agent.epsilon == 0.75
    glue.RL_step()
    assert agent.epsilon == 0


def test_a_policy_taken_up_while_frozen_does_not_begin_to_learn(tmp_path: Path) -> None:
    glue, agent, _ = trio(directory=tmp_path)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_agent_message("load_policy mine")
    play(glue, 3)
    assert agent.learner.replay.appended == 0


def test_selfplay_does_not_end_learning_by_its_own_wins() -> None:
    agent = dqn_agent({**SMALL, "freeze_after_wins": "1"}, seed=1)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")))
    glue.RL_init()
    play(glue, 20)
    assert agent.learning


def test_games_without_a_decision_are_no_reason_to_fail() -> None:
    agent = dqn_agent({**SMALL, "clock": "games", "warm_up": "0", "update_every": "1"}, seed=1)
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random"))
    glue = Glue(agent, environment)
    glue.RL_init()
    assert glue.RL_env_message("start OOOOOOOOOXXOXXX- X").startswith("message understood")
    play(glue, 3)
    assert agent.learner.q.updates == 0


def test_a_name_too_long_for_a_file_is_answered(tmp_path: Path) -> None:
    glue, _, _ = trio(directory=tmp_path)
    assert glue.RL_agent_message(f"load {'x' * 300}").startswith("error:")
