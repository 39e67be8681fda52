"""What comes into replay from whole games, against the games themselves."""

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import is_other_side
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import observation
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from rlglue.glue import Glue
from tests.agent.parts import DQNAgent, dqn_agent

FRAMES = 3


def recorded(opponent: str, games: int, **options: str) -> tuple[DQNAgent, list[Game], list[str]]:
    """Play some games at random, and return the agent, the games, and the agent's colour in each."""
    own = {"hidden": "8", "frames": str(FRAMES), "n_step": "1", "epsilon_end": "1", **options}
    agent = dqn_agent(own, seed=1)
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent=opponent, first="random", seed=5))
    glue = Glue(agent, environment)
    glue.RL_init()
    found, colours = [], []
    for _ in range(games):
        glue.RL_episode(0)
        found.append(environment.game)
        colours.append(environment.colour.value)
    return agent, found, colours


def result(game: Game, board: Board) -> int:
    """+1, 0 or -1 for the side to move on `board`."""
    black, white = game.board.counts()
    lead = black - white if board.turn.value == "black" else white - black
    return (lead > 0) - (lead < 0)


def stack(decisions: list[Board], index: int) -> NDArray[np.int32]:
    """The planes at a decision and at the same side's decisions before it, newest first."""
    this = decisions[index]
    same = [board for board in decisions[: index + 1] if board.turn is this.turn][::-1][:FRAMES]
    planes = [np.asarray(observation.encode(board, this.turn)) for board in same]
    planes += [np.zeros_like(planes[0])] * (FRAMES - len(planes))
    return np.concatenate(planes).reshape(4 * FRAMES, -1)


def test_selfplay_turns_the_sign_where_the_other_side_decides_next() -> None:
    """Also over forced passes, where the same side decides again; what ends a game is the mover's own."""
    agent, games, _ = recorded("self", 60)
    slot = same_side = 0
    for game in games:
        decisions = [board for board in game.boards[:-1] if board.legal_moves]
        for index, board in enumerate(decisions):
            batch = agent.learner.replay.batch(np.array([slot]))
            slot += 1
            assert np.array_equal(batch.s_tm1[0], stack(decisions, index))
            if index == len(decisions) - 1:
                assert (batch.r_t[0], batch.discount_t[0]) == (result(game, board), 0)
                continue
            same = decisions[index + 1].turn is board.turn
            same_side += same
            assert batch.discount_t[0] == np.float32(0.99 if same else -0.99)
            assert batch.r_t[0] == 0
            assert np.array_equal(batch.s_t[0], stack(decisions, index + 1))
    assert slot == agent.learner.replay.appended
    assert same_side > 5, "no forced pass was seen"


def test_against_an_opponent_every_next_decision_is_ones_own() -> None:
    agent, games, colours = recorded("random", 60)
    slot = 0
    for game, colour in zip(games, colours, strict=True):
        decisions = [b for b in game.boards[:-1] if b.legal_moves and b.turn.value == colour]
        for index, board in enumerate(decisions):
            batch = agent.learner.replay.batch(np.array([slot]))
            slot += 1
            last = index == len(decisions) - 1
            assert batch.discount_t[0] == np.float32(0 if last else 0.99)
            reward = {1: 1.0, 0: -0.5, -1: -1.0}[result(game, board)] if last else 0
            assert batch.r_t[0] == reward
    assert slot == agent.learner.replay.appended


@pytest.mark.parametrize(
    ("action", "discs_now", "taken", "other"),
    [
        (3, 5, True, True),  # my disc is the opponent's: I am looked at from the other side
        (3, 5, False, False),  # the opponent had to pass, I go on
        (3, 6, True, False),  # the opponent has moved, and taken the square
        (-1, 4, False, True),  # I passed, and the other side is to move
        (-1, 5, False, False),  # I passed, and the opponent has moved
    ],
)
def test_the_discs_tell_whose_turn_it_is(action: int, discs_now: int, taken: bool, other: bool) -> None:
    opponent = np.zeros(16, np.int32)
    opponent[3] = taken
    assert is_other_side(4, action, discs_now, opponent) is other
