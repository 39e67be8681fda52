"""`--opponent self`: one agent plays both sides."""

import json

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game.notation import PASS
from othello_lab.game.observation import decode
from rlglue.taskspec import parse
from rlglue.types import Action


def act(move: int) -> Action:
    action = Action()
    action.intArray = [move]
    return action


@pytest.mark.parametrize("seed", range(8))
def test_every_ply_is_asked_for_and_seen_by_the_side_to_move(seed: int) -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="self"))
    rng = np.random.default_rng(seed)
    environment.env_init()
    seen, plies, reward = environment.env_start(), 0, 0.0
    while not environment.over:
        board = environment.game.board
        planes = decode(seen.intArray)
        assert np.flatnonzero(planes.legal).tolist() == sorted(board.legal_moves)
        assert int(planes.own.sum()) == board.own.bit_count()
        move = int(rng.choice(sorted(board.legal_moves))) if board.legal_moves else PASS
        step = environment.env_step(act(move))
        seen, reward, plies = step.o, step.r, plies + 1
        assert step.terminal or not reward
    assert plies == len(environment.game.moves)
    planes = decode(seen.intArray)
    lead = int(planes.own.sum()) - int(planes.opponent.sum())
    assert reward == np.sign(lead), "the reward is that of the side that has just moved"


def test_the_task_says_that_a_draw_is_worth_the_same_to_both() -> None:
    spec = parse(OthelloEnvironment(EnvironmentConfig(opponent="self")).env_init())
    assert spec.extra_values()["draw"] == "0.0"


def test_another_opponent_and_back() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="self"))
    environment.env_init()
    assert environment.env_message("opponent corner-greedy").startswith("message understood")
    environment.env_start()
    environment.env_step(act(min(environment.game.board.legal_moves)))
    assert len(environment.game.moves) >= 2, "the opponent has answered"
    assert environment.env_message("opponent self").startswith("message understood")
    assert json.loads(environment.env_message("stats"))["opponent"] == "self"
    stranger = OthelloEnvironment(EnvironmentConfig(size=4, allow_opponent=("self",)))
    assert "start the environment with --opponent self" in stranger.env_message("opponent self")


def test_an_illegal_action_is_the_loss_of_who_made_it() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="self"))
    environment.env_init()
    environment.env_start()
    step = environment.env_step(act(0))
    assert (step.r, step.terminal) == (-1.0, True)
