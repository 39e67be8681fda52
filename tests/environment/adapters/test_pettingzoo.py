import warnings
from typing import Any

import numpy as np
import pytest

from othello_lab.environment.adapters import pettingzoo
from othello_lab.environment.adapters.pettingzoo import COLOURS
from othello_lab.game import observation
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS

with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", DeprecationWarning
    )  # it imports its own games in a way that it has given up
    from pettingzoo.test import api_test, render_test, seed_test


# The checker warns about observations with a mask, except for environments in its own list.
@pytest.mark.filterwarnings("ignore:Observation (space for each agent probably|is not a NumPy array)")
@pytest.mark.parametrize("values", [{}, {"size": 4, "random_opening": 4}], ids=str)
def test_pettingzoo_finds_no_fault(values: dict[str, Any]) -> None:
    api_test(pettingzoo.env(**values), num_cycles=300)


def test_two_of_them_with_one_seed_are_alike() -> None:
    seed_test(lambda: pettingzoo.env(size=6, random_opening=6), num_cycles=100)


def test_a_seed_begins_the_same_games_again() -> None:
    env = pettingzoo.raw_env(random_opening=8)

    def openings(seed: int) -> list[list[int]]:
        found = []
        for each in (seed, None, None):
            env.reset(seed=each)
            found.append(env.observe("black_0")["observation"].ravel().tolist())
        return found

    first = openings(42)
    assert first == openings(42) != openings(43)
    assert first[0] != first[1] != first[2]


def test_the_end_is_seen_by_whoever_has_left_too() -> None:
    env = pettingzoo.raw_env(size=4)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    while not any(env.terminations.values()):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(rng.choice(legal)))
    env.step(None)
    seen = [env.observe(agent) for agent in env.possible_agents]
    assert seen[0]["observation"][0].tolist() == seen[1]["observation"][1].tolist()


def test_every_mode_renders(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: pettingzoo.env(size=6, render_mode=render_mode))
    assert "black to move" in capsys.readouterr().out


@pytest.mark.parametrize("size", [4, 8])
def test_games_follow_the_rules_with_passes_and_results(size: int) -> None:
    env, rng, passes, results = pettingzoo.env(size=size), np.random.default_rng(0), 0, set()
    for seed in range(10):
        env.reset(seed=seed)
        game, total = Game(Board.start(size)), dict.fromkeys(COLOURS, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, _, info = env.last()
            total[agent] += reward
            colour = COLOURS[agent]
            assert seen["observation"].ravel().tolist() == observation.encode(game.board, colour).tolist()
            assert info == {}
            assert over == game.board.is_over
            if over:
                env.step(None)
                continue
            assert colour is game.board.turn
            other = next(name for name in COLOURS if name != agent)
            assert not env.observe(other)["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            passes += action == size**2
            game.play(PASS if action == size**2 else action)
            env.step(np.int64(action))
        black, white = game.board.counts()
        assert tuple(total.values()) == (np.sign(black - white), np.sign(white - black))
        results.add(np.sign(black - white))
    assert passes
    assert {1, -1} <= results


def test_an_illegal_action_loses_and_the_other_wins() -> None:
    env = pettingzoo.env()
    env.reset(seed=0, options={"start": "f5"})
    assert env.agent_selection == "white_0"
    env.step(0)
    assert env.terminations == {"black_0": True, "white_0": True}
    assert env.rewards == {"black_0": 1.0, "white_0": -1.0}
    assert env.infos["white_0"] == {"illegal": True}
    assert np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist() == [64], "as at every end"
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="5x5 does not exist"):
        pettingzoo.env(size=5)
    with pytest.raises(ValueError, match="expected one of human, ansi"):
        pettingzoo.env(render_mode="loud")
