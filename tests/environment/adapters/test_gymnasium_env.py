import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from othello_lab.environment.adapters.gymnasium_env import OthelloEnv
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import NotStartedError, OthelloEnvironment
from othello_lab.environment.testing import action_of
from othello_lab.game.board import Board
from othello_lab.game.notation import PASS

ID = "othello_lab.environment.adapters:OthelloLab/Othello-v0"


def made(**values: Any) -> OthelloEnv:  # noqa: ANN401  whatever a test sets
    env = gymnasium.make(ID, **values).unwrapped
    assert isinstance(env, OthelloEnv)
    return env


def play(env: OthelloEnv, rng: np.random.Generator, **reset: Any) -> tuple[list[int], float]:  # noqa: ANN401
    env.reset(**reset)
    actions = []
    for _ in range(500):
        actions.append(int(rng.choice(np.flatnonzero(env.action_masks()))))
        _, reward, terminated, truncated, _ = env.step(np.int64(actions[-1]))
        assert not truncated
        if terminated:
            return actions, reward
    raise AssertionError("the game never ended")


@pytest.mark.parametrize("values", [{}, {"size": 6, "opponent": "random", "first": "random"}], ids=str)
def test_gymnasium_finds_no_fault(values: dict[str, Any]) -> None:
    check_env(made(**values))


def test_stable_baselines_finds_no_fault() -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    for mode in OthelloEnv.metadata["render_modes"]:
        checker.check_env(made(render_mode=mode), skip_render_check=False)


@pytest.mark.slow
@pytest.mark.parametrize(("extra", "module"), [("gymnasium", ""), ("pettingzoo", ".pettingzoo")])
def test_without_an_extra_a_line_says_what_to_install(extra: str, module: str) -> None:
    code = f"import sys; sys.modules[{extra!r}] = None; import environment.adapters{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"python -m pip install 'othello-lab[{extra}]'" in done.stderr.splitlines()[-1]


def test_games_are_those_of_the_rl_glue_environment() -> None:
    values: dict[str, Any] = {"size": 6, "opponent": "greedy", "first": "alternate", "random_opening": 6}
    env, glue = made(**values), OthelloEnvironment(EnvironmentConfig(**values))
    glue.env_init()
    for seed in range(6):
        seen, _ = env.reset(seed=seed)
        settings = env._environment.settings
        glue.settings.seed, glue.settings.next_episode = settings.seed, settings.next_episode - 1
        expected, reward, terminated = glue.env_start(), 0.0, False
        while not terminated:
            assert seen.ravel().tolist() == list(expected.intArray)
            action = int(np.argmax(env.action_masks()))
            seen, reward, terminated, _, _ = env.step(np.int64(action))
            step = glue.env_step(action_of(PASS if action == 36 else action))
            expected = step.o
            assert (reward, terminated) == (step.r, step.terminal)
        assert reward in (1.0, -0.5, -1.0)


def test_the_mask_is_the_plane_of_legal_moves_and_never_empty() -> None:
    env, rng, passes = made(size=4, opponent="random"), np.random.default_rng(0), 0
    for seed in range(30):
        seen, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            legal = seen.reshape(4, 16)[2] == 1
            assert info["action_mask"].tolist() == [*legal.astype(int), int(not legal.any())]
            assert (env.action_masks() == info["action_mask"].astype(bool)).all()
            passes += int(not legal.any())
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            seen, _, terminated, _, info = env.step(action)
        assert info["action_mask"].any()
    assert passes, "no game had a forced pass"


@pytest.mark.parametrize("action", [0, 27, 64])
def test_an_illegal_action_loses_in_the_position_as_it_is(action: int) -> None:
    env = made(rewards=(2, 0, -3))
    seen, _ = env.reset(seed=0)
    after, reward, terminated, _, info = env.step(np.int64(action))
    assert (reward, terminated, info["illegal"]) == (-3.0, True, True)
    assert (after == seen).all()
    assert np.flatnonzero(info["action_mask"]).tolist() == [64], "as at every end"
    assert np.flatnonzero(env.action_masks()).tolist() == [64]
    assert [env.step(np.int64(each))[1:3] for each in (action, 19)] == [(0.0, True)] * 2, "it is lost once"
    assert not env.reset()[1]["illegal"]


def test_a_step_before_the_first_reset_and_what_is_no_action_are_errors() -> None:
    env = made(size=4)
    with pytest.raises(NotStartedError, match="call reset first"):
        env.step(np.int64(1))
    env.reset(seed=0)
    for action in (-1, 17, 1.5, "d3"):
        with pytest.raises(ValueError, match="expected an int from 0 to 16"):
            env.step(action)  # type: ignore[arg-type]  # that is what is tried


def test_a_seed_decides_this_game_and_those_after_it() -> None:
    env = made(size=6, opponent="random", first="alternate", random_opening=4)
    first, second = (
        [play(env, np.random.default_rng(1), **reset) for reset in ({"seed": 7}, {}, {})] for _ in range(2)
    )
    assert first == second
    assert first[0] != play(env, np.random.default_rng(1), seed=8)


def test_options_are_for_one_game() -> None:
    env = made(opponent="random")
    env.reset(seed=0, options={"start": "f5d6c3", "first": "opponent", "opponent": "greedy"})
    assert env.game.boards[0] == Board.start(8)
    assert env.game.transcript().startswith("f5d6c3")
    assert env._environment.stats()["opponent"] == "greedy"
    env.reset()
    assert env.game.moves == []
    assert env._environment.stats()["opponent"] == "random"
    with pytest.raises(ValueError, match="no option 'strat'; its options: start, opponent, first"):
        env.reset(options={"strat": "f5"})


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"first": "me"}, "expected one of agent"),
        ({"opponent": "self"}, "pettingzoo"),
        ({"rewards": (1, -1)}, "a win, a draw and a loss"),
        ({"rewards": "win"}, "or 'discs'"),
        ({"render_mode": "rgb_array"}, "expected one of ansi"),
    ],
)
def test_a_wrong_argument_is_named(values: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        OthelloEnv(**values)


@pytest.mark.slow
def test_maskable_ppo_learns_on_it() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    model = contrib.MaskablePPO("MlpPolicy", made(size=4), n_steps=32, batch_size=32, n_epochs=1, seed=0)
    assert model.learn(64).num_timesteps == 64
