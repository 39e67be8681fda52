"""A TD agent in every seat: it learns, resumes to the byte, plays, judges, and refuses what does not fit."""

import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.td.learner import TDLearner
from othello_lab.agent.td.method import TD, TDConfig
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board, Game
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from othello_lab.game.search.batched import children
from rlglue.glue import Glue
from tests.agent.parts import freeze, play

TDAgent = LearningAgent[TDConfig, TDLearner]
SMALL_CONV = {"network": "conv", "channels": "3", "dense": "5"}


def agent_in(directory: Path, size: int = 4, seed: int = 1, options: dict[str, str] | None = None) -> TDAgent:
    return LearningAgent(TD, options or {}, seed, size, directory)


def glue_of(agent: TDAgent, opponent: str = "self") -> Glue:
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=agent.size or 8, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue


@pytest.mark.parametrize("opponent", ["random", "self"])
@pytest.mark.parametrize("options", [{}, SMALL_CONV], ids=["mlp", "conv"])
def test_it_resumes_to_the_byte(tmp_path: Path, opponent: str, options: dict[str, str]) -> None:
    agent, other = agent_in(tmp_path, options=options), agent_in(tmp_path, seed=9, options=options)
    glue, again = glue_of(agent, opponent), glue_of(other, opponent)
    play(glue, 10)
    assert glue.RL_agent_message("save middle").startswith("message understood")
    rest = play(glue, 10)
    again.RL_env_message("episode 10")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 10) == rest
    assert other.save("end").read_bytes() == agent.save("end").read_bytes()
    assert agent.stats()["updates"] > 100


def test_self_play_teaches_it_to_win(tmp_path: Path) -> None:
    agent = agent_in(tmp_path)
    play(glue_of(agent), 500)
    path = agent.save_policy("net")
    seat = Glue(
        make_agent(f"trained:{path}"),
        OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", first="alternate")),
    )
    seat.RL_init()
    returns = [(seat.RL_episode(0), seat.RL_return())[1] for _ in range(100)]
    assert np.mean(np.array(returns) > 0) > 0.7


def test_the_frozen_agent_the_player_and_the_evaluator_agree(tmp_path: Path) -> None:
    agent = agent_in(tmp_path, size=6)
    glue = glue_of(agent)
    play(glue, 20)
    path = agent.save_policy("net")
    freeze(glue)
    transcript = play(glue, 1)[0]
    player, rng = make(f"trained:{path}", 6), np.random.default_rng(0)
    search = make(f"alphabeta:depth=1,eval=trained:{path}", 6)
    game, searched = Game(Board.start(6)), 0
    while not game.board.is_over:
        if game.pass_if_forced():
            continue
        move = player.choose(game, rng)
        ends = any(game.board.play(other).is_over for other in game.board.legal_moves)
        searched += not ends
        assert ends or search.choose(game, rng) == move
        game.play(move)
    assert game.transcript() == transcript
    assert searched > 20


@pytest.mark.parametrize("size", [4, 8, 10, 16])
def test_a_move_is_worth_what_its_position_is_not_to_the_other_side(tmp_path: Path, size: int) -> None:
    agent = agent_in(tmp_path, size=size)
    play(glue_of(agent), 1)
    boards = [board for board in passing_game(size).boards if board.legal_moves]
    positions = Positions.of(boards)
    values = agent.learner.move_values(positions)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", size)
    after = children(positions)
    over = BatchGames(after).finished
    assert np.allclose(values[~over], -evaluator.values(after)[~over], atol=1e-6)
    assert np.isin(values[over], [-1, 0, 1]).all(), "the result of a finished game is known"
    assert over.any()
    assert len(values) == sum(len(board.legal_moves) for board in boards)
    assert np.abs(values).max() <= 1
    assert values.std() > 0.01


def passing_game(size: int) -> Game:
    game, rng = Game(Board.start(size)), np.random.default_rng(1)
    while not game.board.is_over:
        game.play(int(rng.choice(list(game.board.legal_moves) or [PASS])))
    return game


def test_options_are_read_and_refused() -> None:
    described = json.loads(
        agent_in(Path(), options={"lam": "0.3", "hidden": "20,10"}).agent_message("config")
    )
    assert described == {"agent": "td", "lam": "0.3", "hidden": "20,10"}
    for text, reason in [
        ("td,lambda=0.5", "td has no option 'lambda'"),
        ("td,lam=1.5", "lam is 1.5, expected 0 to 1"),
        ("td,output=relu", "output is 'relu', expected sigmoid or tanh"),
        ("td,learning_rate=0", "learning_rate is 0.0, expected a number above 0"),
        ("td,channels=0", "channels is 0, expected 1 or more"),
        ("td,hidden=0", r"hidden is \[0\], expected layers of 1 or more units"),
    ]:
        with pytest.raises(ValueError, match=reason):
            make_agent(text)


def test_checkpoints_of_another_board_network_or_options_are_refused(tmp_path: Path) -> None:
    four, six = agent_in(tmp_path), agent_in(tmp_path, size=6)
    wide, low = (agent_in(tmp_path, options={key: text}) for key, text in [("hidden", "129"), ("lam", "0.1")])
    for one in (four, six, wide, low):
        play(glue_of(one), 1)
    path = four.save("four")
    before = wide.save("wide").read_bytes()
    assert "is for 4x4 boards" in six.agent_message("load four")
    assert "is of an agent with other options: lam=0.9, here 0.1" in low.agent_message("load four")
    assert "other options" in wide.agent_message("load four")
    assert "holds another network" in wide.agent_message("load_policy four")
    assert wide.save("wide").read_bytes() == before
    assert low.agent_message("load_policy four").startswith("message understood")
    assert np.array_equal(low.learner.values.weights, four.learner.values.weights)
    with pytest.raises(RegistryError, match="is for 4x4 boards"):
        make(f"trained:{path}", 6)


def test_forged_checkpoints_are_refused(tmp_path: Path) -> None:
    agent = agent_in(tmp_path)
    play(glue_of(agent), 1)
    path = agent.save("one")
    _, kind, arrays, values = checkpoint.load(path)
    before = path.read_bytes()
    config = values["config"]
    for changed, other in [
        ({**values, "config": {**config, "hidden": [10**7, 10**7, 10**7]}}, arrays),
        ({**values, "config": {**config, "network": "conv", "channels": 2**62}}, arrays),
        ({**values, "config": {**config, "more": 1}}, arrays),
        ({**values, "updates": -1}, arrays),
        ({**values, "draws": {}}, arrays),
        ({**values, "batches": 3}, arrays),
        (values, {**arrays, "more": np.zeros(3)}),
        (values, {name: array.astype(np.float64) for name, array in arrays.items()}),
        (values, {}),
    ]:
        checkpoint.save(path, kind, other, changed)
        assert agent.agent_message("load one").startswith("error: ")
        assert agent.save("same").read_bytes() == before
