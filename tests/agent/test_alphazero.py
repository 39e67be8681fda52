import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from othello_lab.agent import checkpoint
from othello_lab.agent.alphazero.learner import AlphaZeroLearner, Examples, Losses, examples_of, losses_of
from othello_lab.agent.alphazero.method import AlphaZeroConfig, configure
from othello_lab.agent.learner import Seeds
from othello_lab.agent.make import make_agent
from othello_lab.agent.policy import move_values
from othello_lab.agent.policy_value.network import NetworkGuide, Outputs, ResidualNetwork
from othello_lab.agent.task import TaskError
from othello_lab.game import PASS, Board, symmetry
from othello_lab.game.batch import Positions, count_squares, legal_moves, planes, repeated, to_mask
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.luck import seat_seeds
from othello_lab.game.play import Turn
from othello_lab.game.registry import RegistryError, parse
from tests.agent.learners import ALPHAZERO
from tests.agent.parts import AGAINST_RANDOM, hand_made, play, trio
from tests.game.sampling import random_games

CONFIG = AlphaZeroConfig(width=16, blocks=2, batch=4)


def network(**outputs: torch.Tensor) -> ResidualNetwork:
    fixed = ResidualNetwork(CONFIG, 4)
    fixed.forward = lambda inputs: Outputs(**outputs)  # type: ignore[method-assign]  # nothing is computed
    return fixed


def examples(boards: list[Board], moves: list[int], value: float = 0.0, score: float = 0.0) -> Examples:
    positions, n = Positions.of(boards), len(boards)
    policies = np.zeros((n, positions.size**2), np.float16)
    policies[np.arange(n), moves] = 1
    numbers = (np.full(n, number, np.float32) for number in (value, score))
    return Examples(positions.own, positions.opponent, policies, *numbers)


def learner(config: AlphaZeroConfig = CONFIG, size: int = 4) -> AlphaZeroLearner:
    return AlphaZeroLearner(config, size, Seeds(np.random.SeedSequence(0), np.random.SeedSequence(1)))


def learn(learning: AlphaZeroLearner, data: Examples, turn: int) -> Losses:
    losses = losses_of(learning.network, *data.transformed(np.array([turn]), 4))
    learning.update(losses.policy + losses.value + 0.5 * losses.score)
    return Losses(*(part.detach() for part in losses))


def test_the_value_of_a_decision_is_the_result_mixed_with_what_the_search_said() -> None:
    """The third of four decisions follows a pass. The last position is proven, so the game ends there."""
    played = hand_made(
        best=[0.2, -0.4, 0.6, 1.0],
        on_policy=[True, True, True, False],
        discount=[-1, -1, 1, 0],
        results=np.array([-1, 1, -1, -1], np.int8),
        scores=np.array([-8, 8, -8, -8], np.int16),
        policies=np.zeros((4, 16), np.float16),
    )
    computed = examples_of(played, bootstrap=0.25)
    wanted = [0.75 + 0.25 * 0.2, -0.75 + 0.25 * -0.4, 0.75 + 0.25 * 0.6, 1.0]
    assert computed.values.tolist() == pytest.approx(wanted)
    assert computed.scores.tolist() == [-0.5, 0.5, -0.5, -0.5]


def test_before_a_move_of_somebody_else_the_search_stands_for_the_result() -> None:
    results, policies = np.array([1, -1, 1], np.int8), np.zeros((3, 16), np.float16)
    played = hand_made([0.2, -0.4, 0.6], [True, False, True], [-1, -1, 0], results=results, policies=policies)
    assert examples_of(played, bootstrap=0.0).values.tolist() == pytest.approx([0.4, -0.4, 1.0])


def test_the_losses_by_hand() -> None:
    board = Board.start(4)
    inputs = torch.from_numpy(planes(Positions.of([board]), np.float32)).flatten(2)
    logits = torch.full((1, 16), 9.0)  # illegal squares have the highest, and count for nothing
    first, second, third, fourth = board.legal_moves
    logits[0, [first, second, third, fourth]] = torch.tensor([math.log(3), 0.0, 0.0, 0.0])
    outputs = network(logits=logits, values=torch.tensor([0.5]), scores=torch.tensor([0.25]))
    losses = losses_of(outputs, inputs, examples([board], [first], value=1.0, score=-0.25))
    assert [float(part) for part in losses] == pytest.approx([math.log(2), 0.25, 0.25])


@pytest.mark.parametrize("turn", range(symmetry.SYMMETRIES))
def test_an_example_is_turned_with_its_policy(turn: int) -> None:
    board = Board.start(4).play(1)
    move = next(iter(board.legal_moves))
    other = symmetry.transform(board, turn), int(symmetry.permutations(4)[turn, move])
    computed = []
    for (position, square), turn_of in (((board, move), turn), (other, 0)):
        learning = learner()
        for _ in range(3):
            learn(learning, examples([position], [square], 0.5), turn_of)
        computed.append(learning.weights()["weights"])
    np.testing.assert_array_equal(computed[0], computed[1])


@pytest.mark.slow
def test_it_learns_what_it_is_shown_and_what_plays_follows() -> None:
    learning = learner()
    board = Board.start(4)
    data = examples([board], [next(iter(board.legal_moves))], 0.5, 0.25)
    losses = [learn(learning, data, 0) for _ in range(300)]
    assert [float(part) for part in losses[0]] == pytest.approx([math.log(4), 0.25, 0.0625])
    assert all(float(part) < 0.03 for part in losses[-1])
    inputs = torch.from_numpy(planes(Positions.of([board]), np.float32)).flatten(1)
    for one in (learning.network, learning.average):
        assert float(one(inputs).values.detach()) == pytest.approx(0.5, abs=0.05)


@pytest.mark.slow
def test_it_learns_from_single_games() -> None:
    glue, _ = trio(ALPHAZERO, learning_rate="0.003", epochs="4")
    play(glue, 80)
    stats = json.loads(glue.RL_agent_message("stats"))
    assert stats["updates"] > 40
    assert stats["policy_loss"] < 1.2


def test_only_the_last_decisions_of_whole_games_are_remembered() -> None:
    glue, agent = trio(ALPHAZERO, opponent="self", memory="40")
    glue.RL_episode(3)
    play(glue, 1)
    assert 4 < agent.learner.numbers["remembered"] <= 12, "the decisions of one game"
    play(glue, 5)
    assert agent.learner.numbers["remembered"] == 40


def test_it_explores_by_the_noise_of_its_search_alone() -> None:
    positions, words = repeated(Board.start(4), 50), seat_seeds(1, np.arange(50), 1)
    config = configure(parse(ALPHAZERO).options | {"considered": "2"}, 4)
    learned = learner(config)
    turn = Turn(np.arange(50), positions, np.ones(50, np.bool_))
    chosen = learned.decide(turn, words)
    assert len(set(chosen.moves.tolist())) > 1
    assert np.array_equal(learned.decide(turn, words).moves, chosen.moves)
    _, agent = trio(ALPHAZERO)
    assert agent.epsilon == 0


@pytest.mark.slow
def test_a_position_before_a_pass_is_worth_minus_what_it_is_to_the_other_side(tmp_path: Path) -> None:
    glue, agent = trio(ALPHAZERO, tmp_path, opponent="self")
    play(glue, 20)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    values = evaluator.values(Positions.of([board, board.play(PASS)]))
    assert values[0] == pytest.approx(-values[1])
    assert 0 < abs(values[0]) < 1


BASE = "ntuple:pretrained"


def guide() -> NetworkGuide:
    return learner(AlphaZeroConfig(width=8, blocks=1, base=BASE), 6).best_guide  # type: ignore[arg-type]


def some_positions() -> Positions:
    return Positions.of([game.boards[9] for game in random_games(6, 20)])


def test_it_begins_as_its_base() -> None:
    positions, evaluator = some_positions(), make_evaluator(BASE, 6)
    worths = move_values(positions, evaluator)
    legal = legal_moves(positions)
    logits, values = guide().judge(positions)
    choices = count_squares(legal, 6)
    best = np.maximum.reduceat(worths, np.cumsum(choices) - choices)
    assert values == pytest.approx(best, abs=1e-5)
    assert logits[to_mask(legal, 6)] == pytest.approx(4 * worths, abs=1e-5)


@pytest.mark.slow
def test_what_it_has_learned_is_added_and_comes_back_from_a_file(tmp_path: Path) -> None:
    glue, agent = trio(ALPHAZERO, tmp_path, size=6, base=BASE)
    play(glue, 12)
    path = agent.save_policy("net")
    computed = make_evaluator(f"trained:{path}", 6).values(some_positions())
    assert computed == pytest.approx(agent.learner.best_guide.values(some_positions()), abs=1e-6)
    assert computed != pytest.approx(guide().values(some_positions()), abs=1e-3)


def test_a_network_on_another_base_is_refused(tmp_path: Path) -> None:
    _, agent = trio(ALPHAZERO, tmp_path, size=6, base=BASE)
    stored = checkpoint.load(agent.save_policy("net"))
    arrays = {**stored.arrays, "network.sample": stored.arrays["network.sample"] + np.float32(0.1)}
    other = tmp_path / "other.safetensors"
    checkpoint.save(other, stored.kind, arrays, stored.values)
    with pytest.raises(RegistryError, match="stands on another network than the one that ships now"):
        make(f"trained:{other}", 6)


@pytest.mark.parametrize("method", ["alphazero", "ppo"])
def test_an_agent_without_a_base_for_the_board_says_so(method: str) -> None:
    agent = make_agent(f"{method},base={BASE}")
    with pytest.raises(TaskError, match=f"this agent does not play on 4x4: base={BASE}: "):
        agent.agent_init(AGAINST_RANDOM.task_spec())
