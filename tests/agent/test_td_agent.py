"""A TD agent in every seat: it learns to win, plays, judges, and refuses what does not fit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.make import make_agent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board, Game
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import make
from othello_lab.game.search.batched import children
from tests.agent.parts import AGAINST_RANDOM, agent_of, freeze, play, seated, trio, won


def test_self_play_teaches_it_to_win(tmp_path: Path) -> None:
    glue, agent = trio("td", tmp_path, opponent="self")
    play(glue, 500)
    path = agent.save_policy("net")
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", first="alternate"))
    seat = seated(make_agent(f"trained:{path}"), environment)
    assert won(seat, 100) > 0.7


def test_the_frozen_agent_the_player_and_the_evaluator_agree(tmp_path: Path) -> None:
    glue, agent = trio("td", tmp_path, opponent="self", size=6)
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
    glue, agent = trio("td", tmp_path, opponent="self", size=size)
    play(glue, 1)
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


def test_options_are_read() -> None:
    agent = agent_of("td", lam="0.3", hidden="20,10")
    described = json.loads(agent.agent_message("config"))
    assert described == {"agent": "td", "lam": "0.3", "hidden": "20,10"}


@pytest.mark.parametrize("text", ["td", "td,output=sigmoid", "ntuple"])
@pytest.mark.parametrize(
    "rewards", [{"reward": "discs"}, {"reward_win": 10.0, "reward_draw": 5.0, "reward_loss": 0.0}], ids=str
)
def test_positions_are_worth_results_whatever_the_rewards(text: str, rewards: dict[str, Any]) -> None:
    """The same is learned as where a win is worth 1, a draw 0 and a loss -1."""
    learned = []
    for said in (rewards, {"reward_draw": 0.0}):
        agent = agent_of(text)
        play(seated(agent, OthelloEnvironment(replace(AGAINST_RANDOM, **said))), 30)
        learned.append(agent.learner.policy())
    assert all(np.array_equal(learned[0][name], learned[1][name]) for name in learned[1])


def test_a_policy_of_an_agent_with_other_options_is_taken_up(tmp_path: Path) -> None:
    (glue, agent), (low, other) = trio("td", tmp_path), trio("td,lam=0.1", tmp_path)
    for one in (glue, low):
        play(one, 1)
    agent.save("four")
    assert "is of an agent with other options: lam=0.9, here 0.1" in low.RL_agent_message("load four")
    assert low.RL_agent_message("load_policy four").startswith("message understood")
    assert np.array_equal(other.learner.values.weights, agent.learner.values.weights)


def test_forged_checkpoints_are_refused(tmp_path: Path) -> None:
    glue, agent = trio("td", tmp_path, opponent="self")
    play(glue, 1)
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
