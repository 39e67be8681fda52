"""Monte-Carlo Q over RL-Glue: it learns to win, judges positions, and refuses what is not its own."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.game import PASS, Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from tests.agent.learners import MCQ
from tests.agent.parts import freeze, play, trio, won


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio(MCQ, opponent="self", games="100")
    glue.RL_episode(3)
    play(glue, 1)
    (samples,) = agent.learner._waiting
    assert np.abs(samples.boards[0]).sum() == 4, "the first decision is that of a start"
    assert len(samples.moves) <= 12, "those of one game"


def test_it_learns_to_win() -> None:
    glue, _ = trio(MCQ, learning_rate="0.002", batch="16", symmetries="one")
    play(glue, 1000)
    freeze(glue)
    glue.RL_env_message("episode 5000")
    assert won(glue, 100) > 0.45, "a random mover wins 35 %"


def test_a_position_is_worth_its_best_move_and_a_pass_minus_the_other_sides(tmp_path: Path) -> None:
    _, agent = trio(MCQ, tmp_path, opponent="self")
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    after = board.play(PASS)
    positions = Positions.of([board, after])
    best = agent.learner.move_values(positions.take(np.array([1]))).max()
    np.testing.assert_allclose(evaluator.values(positions), [-best, best], atol=1e-6)
    over = Positions.of([Board.parse("XXX-XOXOXXOOXXXO X")])
    assert evaluator.values(over) == [0]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("waiting.moves", 16, "holds decisions with squares that are not on the board"),
        ("waiting.targets", np.nan, "values that are no finite numbers"),
    ],
)
def test_damaged_checkpoints_are_refused(tmp_path: Path, name: str, value: float, reason: str) -> None:
    glue, agent = trio(MCQ, tmp_path, opponent="self")
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array.copy() for key, array in stored.arrays.items()}
    arrays[name][0] = value
    checkpoint.save(stored.path, "mcq", arrays, stored.values)
    assert reason in glue.RL_agent_message("load one")
