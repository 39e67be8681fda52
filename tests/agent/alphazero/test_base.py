"""A network that stands on an evaluator: it begins with what that says, keeps it, and knows it again."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.alphazero.learner import AlphaZeroLearner
from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.learner import Seeds
from othello_lab.agent.make import check_learner, make_agent
from othello_lab.agent.policy import move_values
from othello_lab.agent.policy_value.guide import NetworkGuide
from othello_lab.agent.task import TaskError
from othello_lab.game.batch.games import BatchGames, legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from tests.agent.learners import ALPHAZERO
from tests.agent.parts import AGAINST_RANDOM, play, trio

BASE = "ntuple:pretrained"


def guide() -> NetworkGuide:
    """What a network says that has learned nothing yet."""
    config = AlphaZeroConfig(width=8, blocks=1, base=BASE)
    learner = AlphaZeroLearner(config, 6, Seeds(np.random.SeedSequence(0), np.random.SeedSequence(1)))
    return NetworkGuide(learner._best_guide.network, learner._best_guide.base)


def some_positions() -> Positions:
    games, rng = BatchGames.start(6, 20), np.random.default_rng(0)
    for _ in range(9):
        choices = [np.flatnonzero(row) for row in to_mask(games.legal, 6)]
        games.play(np.array([rng.choice(squares) for squares in choices]))
    return games.positions


def test_it_begins_as_its_base() -> None:
    positions, evaluator = some_positions(), make_evaluator(BASE, 6)
    worths = move_values(positions, evaluator)
    legal = legal_moves(positions)
    logits, values = guide().judge(positions)
    choices = count_squares(legal, 6)
    best = np.maximum.reduceat(worths, np.cumsum(choices) - choices)
    assert values == pytest.approx(best, abs=1e-5)
    assert logits[to_mask(legal, 6)] == pytest.approx(4 * worths, abs=1e-5)


def test_what_it_has_learned_is_added_and_comes_back_from_a_file(tmp_path: Path) -> None:
    glue, agent = trio(ALPHAZERO, tmp_path, size=6, base=BASE)
    play(glue, 12)
    path = agent.save_policy("net")
    found = make_evaluator(f"trained:{path}", 6).values(some_positions())
    assert found == pytest.approx(agent.learner._best_guide.values(some_positions()), abs=1e-6)
    assert found != pytest.approx(guide().values(some_positions()), abs=1e-3)


def test_a_network_on_another_base_is_refused(tmp_path: Path) -> None:
    _, agent = trio(ALPHAZERO, tmp_path, size=6, base=BASE)
    stored = checkpoint.load(agent.save_policy("net"))
    arrays = {**stored.arrays, "network.sample": stored.arrays["network.sample"] + np.float32(0.1)}
    other = tmp_path / "other.safetensors"
    checkpoint.save(other, stored.kind, arrays, stored.values)
    with pytest.raises(RegistryError, match="stands on another network than the one that ships now"):
        make(f"trained:{other}", 6)


def test_there_is_no_base_for_other_boards() -> None:
    with pytest.raises(ValueError, match="base is 'positional', expected none or ntuple:pretrained"):
        check_learner("alphazero,base=positional", 6)
    with pytest.raises(ValueError, match=r"base=ntuple:pretrained: .*10x10"):
        check_learner(f"alphazero,base={BASE}", 10)


@pytest.mark.parametrize("method", ["alphazero", "ppo"])
def test_an_agent_without_a_base_for_the_board_says_so(method: str) -> None:
    agent = make_agent(f"{method},base={BASE}")
    with pytest.raises(TaskError, match=f"this agent does not play on 4x4: base={BASE}: "):
        agent.agent_init(AGAINST_RANDOM.task_spec())
