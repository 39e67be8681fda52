from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import Seeds
from othello_lab.agent.ntuple.learner import NTupleLearner, afterstate_returns
from othello_lab.agent.ntuple.method import NTUPLE, NTupleConfig, configure
from othello_lab.agent.ntuple.network import PLAYS, LearningNetwork, shape_of
from othello_lab.game import Board
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.registry import RegistryError
from othello_lab.game.solver.solver import Solver
from othello_lab.game.values import EXPECTED_DISCS, EXPECTED_RESULT
from scripts.fit_ntuple import Fit, Plan, main
from tests.agent.parts import freeze, hand_made, play, transition, trio, won
from tests.game.sampling import random_games

SEEDS = Seeds(np.random.SeedSequence(0), np.random.SeedSequence(0))
# One weight for each content of a corner: 0 empty, 1 own, 2 the other side's. There are four instances.
CORNER = NTupleConfig(("a1",), counts=False, stages=1, few=0, step="constant", learning_rate=0.8)
START = Positions.of([Board.start(4)])


def test_an_update_by_hand() -> None:
    network = LearningNetwork(CORNER, 4)
    # All four corners are empty and share a weight. Each instance moves it by a fourth of 0.8 * (0.5 - 0).
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
    # The weight was unknown before its first instance. All later errors agree.
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
    # The second player moves after the first move, so the first move has the value of the best reply.
    assert targets.tolist() == [values.max(), -1.0]


def test_where_the_other_side_must_pass_the_position_is_learned_from_the_movers_view() -> None:
    before, move, passing = next(
        (board, move, board.play(move))
        for game in random_games(4, 100)
        for board in game.boards
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
    game = hand_made([1.0], [True], [0])
    for _ in range(3):
        learner.learn(game)
    assert learner.numbers["updates"] == 3
    assert 0 < np.abs(learner.network.average).max() < np.abs(learner.network.weights).max()


@pytest.mark.slow
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
    evaluator = make_evaluator(f"trained:{path}", 4)
    assert evaluator.unit == EXPECTED_RESULT
    assert evaluator.values(START)[0] != 0


def test_checkpoints_of_another_network_are_refused(tmp_path: Path) -> None:
    _, agent = trio("ntuple", tmp_path)
    path = agent.save_policy("net")
    _, other = trio("ntuple", tmp_path, stages="2")
    assert "holds another policy: stages=7, here 2" in other.agent_message("load_policy net")
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
    coarse.learner.network.average[:] = np.arange(4)[:, None]
    coarse.save_policy("coarse")
    _, fine = trio("ntuple", tmp_path, stages="6")
    assert fine.agent_message("load_policy coarse").startswith("message understood")
    assert fine.learner.network.weights[:, 0].tolist() == [0, 0, 0, 1, 1, 1, 2, 3]
    assert fine.learner.network.average[:, 5].tolist() == [0, 0, 0, 1, 1, 1, 2, 3]


def test_pretrained_is_what_ships_for_the_board() -> None:
    assert make("ntuple:pretrained", 6)
    assert make("ntuple:pretrained", 8)
    with pytest.raises(RegistryError, match="no ntuple:pretrained for 4x4 boards; it ships for 6x6 and 8x8"):
        make("ntuple:pretrained", 4)


CONFIG = configure({"stages": "3"}, 4)
PLAN = Plan(games=4000, opening=8, epsilon=0.2, positions=4000, depth=2, exact=6, seed=3)


def start_in(folder: Path) -> Path:
    path, arrays = folder / "start.safetensors", {PLAYS: np.zeros(shape_of(CONFIG, 4), np.float32)}
    checkpoint.save(path, NTUPLE.name, arrays, {"size": 4, "config": asdict(CONFIG)})
    return path


@pytest.mark.slow
def test_values_come_near_the_discs_at_the_end(tmp_path: Path) -> None:
    fitted = Fit(start_in(tmp_path), PLAN)
    lines = list(fitted.run())
    fitted.save(tmp_path / "end.safetensors")
    assert [line.partition(":")[0] for line in lines] == ["stage 2", "stage 1", "stage 0"]
    evaluator = make_evaluator(f"ntuple:{tmp_path / 'end.safetensors'}", 4)
    games = random_games(4, 40)
    boards = [board for game in games for board in game.boards if 16 - sum(board.counts()) in (3, 6, 8)]
    positions = Positions.of([board for board in boards if board.legal_moves])
    assert evaluator.unit == EXPECTED_DISCS
    predicted = 16 * np.arctanh(np.clip(evaluator.values(positions), -0.999, 0.999))
    solver = Solver(4)
    truth = np.array([solver.value(positions.board(i)) for i in range(len(positions))])
    assert np.corrcoef(predicted, truth)[0, 1] > 0.8
    assert np.abs(predicted - truth).mean() < 0.6 * np.abs(truth).mean()


@pytest.mark.slow
def test_the_same_seed_fits_the_same_network(tmp_path: Path) -> None:
    start, plan = start_in(tmp_path), replace(PLAN, games=200, positions=200)
    for name in ("a", "b"):
        fitted = Fit(start, plan)
        list(fitted.run())
        fitted.save(tmp_path / f"{name}.safetensors")
    a, b = ((tmp_path / f"{name}.safetensors").read_bytes() for name in "ab")
    assert a == b


@pytest.mark.slow
def test_the_command_leaves_a_policy_of_the_same_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start, end = start_in(tmp_path), tmp_path / "end.safetensors"
    options = "--games 50 --positions 50 --depth 1 --exact 4"
    monkeypatch.setattr("sys.argv", ["fit_ntuple", str(start), str(end), *options.split()])
    main()
    output = capsys.readouterr().out
    assert output.startswith("stage 2: ")
    assert "discs, before" in output
    assert NTUPLE.open(checkpoint.load(end), 4).config == replace(CONFIG, unit="discs")
