"""The n-tuple learner: its updates by hand, its checkpoints, and that it learns in every seat."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import Seeds
from othello_lab.agent.memory.frames import pack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.ntuple.learner import NTupleLearner, afterstate_returns
from othello_lab.agent.ntuple.method import NTupleConfig, configure
from othello_lab.agent.ntuple.network import LearningNetwork
from othello_lab.agent.ship import ship
from othello_lab.game import Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.observation import encode
from othello_lab.game.players import RegistryError, make
from tests.agent.parts import freeze, play, trio, won
from tests.agent.played import played
from tests.game.sampling import random_boards

SEEDS = Seeds(np.random.SeedSequence(0), np.random.SeedSequence(0))
CORNER = NTupleConfig(("a1",), counts=False, stages=1, few=0, step="constant", learning_rate=0.8)
"""One weight for each content of a corner: 0 empty, 1 own, 2 the other side's; four instances."""
START = Positions.of([Board.start(4)])


def test_an_update_by_hand() -> None:
    network = LearningNetwork(CORNER, 4)
    # All four corners are empty and share a weight: each instance moves it by a fourth of 0.8 * (0.5 - 0).
    squared = network.learn(START, np.array([0.5]), CORNER.learning_rate, coherent=False)
    assert squared == pytest.approx(0.25)
    assert network.weights[0].tolist() == pytest.approx([0.4, 0.0, 0.0])
    value = np.tanh(4 * 0.4)
    assert network.online.values(START)[0] == pytest.approx(value)
    network.learn(START, np.array([0.0]), CORNER.learning_rate, coherent=False)
    assert network.weights[0, 0] == pytest.approx(0.4 - 0.8 * value)


def test_a_coherent_step_by_hand() -> None:
    network = LearningNetwork(CORNER, 4)
    network.learn(START, np.array([0.5]), 0.8, coherent=True)
    # Nothing was known of the weight when its first instance came, and all its errors agree after that.
    assert network.weights[0, 0] == pytest.approx(0.4)
    assert network.errors[0, 0].tolist() == pytest.approx([2.0, 2.0])
    error = -1.0 - float(np.tanh(1.6))
    network.learn(START, np.array([-1.0]), 0.8, coherent=True)
    weight, total, size = 0.4, 2.0, 2.0
    for _ in range(4):
        weight += 0.8 / 4 * abs(total) / size * error
        total, size = total + error, size + abs(error)
    assert network.weights[0, 0] == pytest.approx(weight)
    assert network.errors[0, 0].tolist() == pytest.approx([total, size])


def test_mirror_images_learn_together() -> None:
    config = NTupleConfig(("a1 b1 c1 d1",), counts=False, stages=1, few=0, step="constant")
    network = LearningNetwork(config, 4)
    board = Board.start(4).play(1)
    network.learn(Positions.of([board]), np.array([0.5]), 0.5, coherent=False)
    edge = network.weights[0].reshape(3, 3, 3, 3)  # d1, c1, b1, a1
    assert np.abs(edge).max() > 0
    assert (edge == edge.transpose(3, 2, 1, 0)).all()


def transition(board: Board, move: int, reward: float, discount: float, after: Board | None) -> Transition:
    frame, ahead = (pack(encode(b, b.turn)) if b else None for b in (board, after))
    assert frame is not None
    return Transition(frame, move, reward, discount, ahead)


def test_a_game_teaches_its_afterstates() -> None:
    evaluator = make_evaluator("piece-values", 4)
    first = Board.start(4)
    second = first.play(1)
    moves = [1, next(iter(second.legal_moves))]
    game = [transition(first, moves[0], 0.0, -1.0, second), transition(second, moves[1], 1.0, 0.0, None)]
    positions, targets = afterstate_returns(game, 4, evaluator, lambda_=0.0)
    after = [second, second.play(moves[1])]
    expected = Positions.of(after)
    assert (positions.own == expected.own).all()
    assert (positions.opponent == expected.opponent).all()
    values = -np.clip(evaluator.values(Positions.of([second.play(m) for m in second.legal_moves])), -1, 1)
    # Whoever is to move after the first move is the second player: its best move is what it is worth.
    assert targets.tolist() == [values.max(), -1.0]


def test_where_the_other_side_must_pass_the_position_is_learned_from_the_movers_view() -> None:
    before, move, passing = next(
        (board, move, board.play(move))
        for board in random_boards(4, 200)
        for move in board.legal_moves
        if board.play(move).must_pass
    )
    game = [transition(before, move, 0.25, 0.0, None)]
    positions, targets = afterstate_returns(game, 4, make_evaluator("discs", 4), 0.0)
    turned = Positions.of([Board(4, passing.opponent, passing.own, passing.turn)])
    assert (positions.own == turned.own).all()
    assert targets.tolist() == [0.25]


def test_the_weights_that_play_are_an_average() -> None:
    learner = NTupleLearner(NTupleConfig(("a1",), stages=1, average=0.5), 4, SEEDS)
    game = played([1.0], [True], [0])
    for _ in range(3):
        learner.learn(game)
    assert learner.numbers["updates"] == 3
    assert 0 < np.abs(learner.network.average).max() < np.abs(learner.network.weights).max()


def test_a_falling_step_ends_at_nothing_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    learner = NTupleLearner(NTupleConfig(("a1",), step="falling", games=2, learning_rate=0.5), 4, SEEDS)
    steps = []
    for _ in range(4):
        steps.append(learner.numbers["step"])
        learner.learn(played([1.0], [True], [0]))
    assert steps == [0.5, 0.25, 0.0, 0.0]
    assert caplog.messages == ["the step has fallen to 0 in 2 games: nothing is learned from here on"]


def test_it_learns_and_plays_the_same_in_every_seat(tmp_path: Path) -> None:
    glue, agent = trio("ntuple", tmp_path)
    play(glue, 400)
    path = agent.save_policy("net")
    freeze(glue)
    glue.RL_env_message("episode 5000")
    assert won(glue, 100) > 0.8
    one_ply = make(f"trained:{path}", 4)
    searching = make(f"alphabeta:depth=1,eval=ntuple:{path}", 4)
    assert one_ply is not searching
    assert make_evaluator(f"trained:{path}", 4).values(START)[0] != 0


def test_checkpoints_of_another_network_are_refused(tmp_path: Path) -> None:
    _, agent = trio("ntuple", tmp_path)
    path = agent.save_policy("net")
    _, other = trio("ntuple", tmp_path, stages="2")
    assert "holds another network: stages=7, here 2" in other.agent_message("load_policy net")
    with pytest.raises(RegistryError, match="is for 4x4 boards"):
        make(f"ntuple:{path}", 8)
    stored = checkpoint.load(path)
    halves = {"plays": stored.arrays["plays"].astype(np.float16)}
    checkpoint.save(tmp_path / "halves.safetensors", "ntuple", halves, stored.values)
    assert make(f"ntuple:{tmp_path / 'halves.safetensors'}", 4)
    checkpoint.save(tmp_path / "short.safetensors", "ntuple", {"plays": halves["plays"][:3]}, stored.values)
    with pytest.raises(RegistryError, match="another array 'plays'"):
        make(f"ntuple:{tmp_path / 'short.safetensors'}", 4)
    values = {**stored.values, "config": {**stored.values["config"], "patterns": ["a1 a1"]}}
    checkpoint.save(tmp_path / "twice.safetensors", "ntuple", halves, values)
    with pytest.raises(RegistryError, match="none twice"):
        make(f"ntuple:{tmp_path / 'twice.safetensors'}", 4)


def test_a_policy_with_fewer_stages_is_refined(tmp_path: Path) -> None:
    _, coarse = trio("ntuple", tmp_path, stages="2")
    # Two stages, and those of few discs.
    coarse.learner.network.average[:] = np.arange(4)[:, None]
    coarse.save_policy("coarse")
    _, fine = trio("ntuple", tmp_path, stages="6")
    assert fine.agent_message("load_policy coarse").startswith("message understood")
    assert fine.learner.network.weights[:, 0].tolist() == [0, 0, 0, 1, 1, 1, 2, 3]
    assert fine.learner.network.average[:, 5].tolist() == [0, 0, 0, 1, 1, 1, 2, 3]


def test_what_ships_is_a_policy_in_halves(tmp_path: Path) -> None:
    _, agent = trio("ntuple", tmp_path)
    agent.learner.network.average[:] = 1.5
    stored = checkpoint.load(ship(agent.save_policy("policy"), "how", tmp_path / "out"))
    assert stored.path == tmp_path / "out" / "ntuple" / "pretrained" / "4x4.safetensors"
    assert stored.values["recipe"] == "how"
    assert stored.arrays["plays"].dtype == np.float16
    assert (stored.arrays["plays"] == 1.5).all()
    assert make(f"ntuple:{stored.path}", 4)


def test_pretrained_is_what_ships_for_the_board() -> None:
    assert make("ntuple:pretrained", 6)
    assert make("ntuple:pretrained", 8)
    with pytest.raises(RegistryError, match="no ntuple:pretrained for 4x4 boards; it ships for 6x6 and 8x8"):
        make("ntuple:pretrained", 4)


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ({"step": "small"}, "step is 'small', expected coherent, falling or constant"),
        ({"lam": "2"}, "lam is 2.0, expected 0 to 1"),
        ({"stages": "0"}, "stages is 0, expected 1 or more"),
        ({"patterns": "nowhere.txt"}, "No such file"),
        ({"patern": "x"}, "did you mean patterns"),
    ],
)
def test_wrong_options_are_refused(option: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        configure(option, 8)
