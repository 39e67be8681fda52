"""Monte-Carlo Q over RL-Glue: saved, resumed and refused; it plays the same in every seat."""

import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.mcq.learner import MCQLearner
from othello_lab.agent.mcq.method import MCQ, MCQConfig
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from rlglue.glue import Glue
from tests.agent.parts import games_of_policy

MCQAgent = LearningAgent[MCQConfig, MCQLearner]
QUICK = {"games": "5", "batch": "64"}


def trio(
    directory: Path | None = None, seed: int = 1, opponent: str = "self", size: int = 4, **options: str
) -> tuple[Glue, MCQAgent]:
    agent = LearningAgent(MCQ, {**QUICK, **options}, seed, size, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=size, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue, agent


def play(glue: Glue, games: int) -> list[str]:
    return [(glue.RL_episode(0), glue.RL_env_message("transcript"))[1] for _ in range(games)]


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_it_resumes_to_the_byte(tmp_path: Path, opponent: str) -> None:
    """Also between two times of learning, with games that wait for it."""
    (glue, agent), (again, other) = trio(tmp_path, 1, opponent), trio(tmp_path, 9, opponent)
    play(glue, 13)
    assert json.loads(glue.RL_agent_message("stats"))["waiting"] == 3
    agent.save("middle")
    rest = play(glue, 9)
    again.RL_env_message("episode 13")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 9) == rest
    assert other.stats() == agent.stats()
    assert other.save("b").read_bytes() == agent.save("a").read_bytes()


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio(games="100")
    glue.RL_episode(3)
    play(glue, 1)
    (samples,) = agent.learner._waiting
    assert np.abs(samples.boards[0]).sum() == 4, "the first decision is that of a start"
    assert len(samples.moves) <= 12, "those of one game"


def test_it_learns_to_win_and_plays_the_same_in_every_seat(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random", learning_rate="0.002", batch="16", symmetries="one")
    play(glue, 1000)
    path = agent.save_policy("net")
    for message in ("freeze learning", "freeze exploring", "load_policy net"):
        assert glue.RL_agent_message(message).startswith("message understood")
    glue.RL_env_message("episode 5000")
    games, returns = [], []
    for _ in range(100):
        games += play(glue, 1)
        returns.append(glue.RL_return())
    assert np.mean(np.array(returns) > 0) > 0.45, "a random mover wins 35 %"
    assert games_of_policy(path) == games


def test_a_position_is_worth_its_best_move_and_a_pass_minus_the_other_sides(tmp_path: Path) -> None:
    _, agent = trio(tmp_path)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    after = board.play(PASS)
    positions = Positions.of([board, after])
    best = agent.learner.move_values(positions.take(np.array([1]))).max()
    np.testing.assert_allclose(evaluator.values(positions), [-best, best], atol=1e-6)
    over = Positions.of([Board.parse("XXX-XOXOXXOOXXXO X")])
    assert evaluator.values(over) == [0]


def test_wrong_options_and_files_are_refused(tmp_path: Path) -> None:
    for options, reason in [
        ("network=big", "network is 'big', expected net or simple"),
        ("win_weight=0.7,score_weight=0.4", "are above 1 together"),
        ("gamma=1.5", "gamma is 1.5, expected 0 to 1"),
        ("games=0", "games is 0, expected 1 or more"),
        ("symmetries=none", "symmetries is 'none', expected all or one"),
        ("learning_rate=0", "expected a number above 0"),
        ("weight=1", "mcq has no option 'weight'"),
    ]:
        with pytest.raises(ValueError, match=reason):
            make_agent(f"mcq,{options}")
    _, agent = trio(tmp_path)
    path = agent.save("four")
    with pytest.raises(RegistryError, match="is for 4x4 boards, this game is 6x6"):
        make(f"trained:{path}", 6)
    glue, _ = trio(tmp_path, network="net")
    assert "other options" in glue.RL_agent_message("load four")
    assert "holds another network" in glue.RL_agent_message("load_policy four")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("waiting.moves", 16, "holds decisions with squares that are not on the board"),
        ("waiting.targets", np.nan, "values that are no finite numbers"),
        ("waiting.boards", None, "lacks array 'waiting.boards'"),
        ("adam.exp_avg", None, "lacks array 'adam.exp_avg'"),
        ("network.first.bias", None, "lacks array 'network.first.bias'"),
    ],
)
def test_damaged_checkpoints_are_refused(tmp_path: Path, name: str, value: float | None, reason: str) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array.copy() for key, array in stored.arrays.items()}
    if value is None:
        del arrays[name]
    else:
        arrays[name][0] = value
    checkpoint.save(stored.path, "mcq", arrays, stored.values)
    assert reason in glue.RL_agent_message("load one")
