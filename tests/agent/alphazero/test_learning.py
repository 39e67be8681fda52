"""What an AlphaZero network learns: targets and losses by hand, and the symmetries of the board."""

import math

import numpy as np
import pytest
import torch

from othello_lab.agent.alphazero.learner import Examples, Losses, examples_of, losses_of, turned
from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.policy_value.learner import LearningNetwork
from othello_lab.agent.policy_value.network import Outputs, ResidualNetwork
from othello_lab.agent.selfplay.played import Played
from othello_lab.game import Board, symmetry
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions, repeated

CONFIG = AlphaZeroConfig(width=16, blocks=2, batch=4)


def network(**outputs: torch.Tensor) -> ResidualNetwork:
    """What says the same of every position."""
    made = ResidualNetwork(CONFIG, 4)
    made.forward = lambda planes: Outputs(**outputs)  # type: ignore[method-assign]  # nothing is computed
    return made


def examples(boards: list[Board], moves: list[int], value: float = 0.0, score: float = 0.0) -> Examples:
    positions, n = Positions.of(boards), len(boards)
    policies = np.zeros((n, positions.size**2), np.float16)
    policies[np.arange(n), moves] = 1
    numbers = (np.full(n, number, np.float32) for number in (value, score))
    return Examples(positions.own, positions.opponent, policies, *numbers)


def learn(learning: LearningNetwork, shown: Examples, turn: int, share: float) -> Losses:
    losses = losses_of(learning.network, *turned(shown, np.array([turn]), 4))
    learning.step(losses.policy + losses.value + 0.5 * losses.score, share)
    return Losses(*(part.detach() for part in losses))


def test_the_value_of_a_decision_is_the_result_mixed_with_what_the_search_said() -> None:
    """A game of four decisions, the third after a pass; the last one is proven, and the game was thrown away
    there.
    """
    played = Played(
        positions=repeated(Board.start(4), 4),
        moves=np.zeros(4, np.int64),
        best=np.array([0.2, -0.4, 0.6, 1.0]),
        greedy=np.array([True, True, True, False]),
        following=np.array([1, 2, 3, -1]),
        discount=np.array([-1, -1, 1, 0], np.int8),
        results=np.array([-1, 1, -1, -1], np.int8),
        scores=np.array([-8, 8, -8, -8], np.int16),
        policies=np.zeros((4, 16), np.float16),
    )
    found = examples_of(played, bootstrap=0.25)
    wanted = [0.75 + 0.25 * 0.2, -0.75 + 0.25 * -0.4, 0.75 + 0.25 * 0.6, 1.0]
    assert found.values.tolist() == pytest.approx(wanted)
    assert found.scores.tolist() == [-0.5, 0.5, -0.5, -0.5]


def test_before_a_move_of_somebody_else_the_search_stands_for_the_result() -> None:
    played = Played(
        positions=repeated(Board.start(4), 3),
        moves=np.zeros(3, np.int64),
        best=np.array([0.2, -0.4, 0.6]),
        greedy=np.array([True, False, True]),
        following=np.array([1, 2, -1]),
        discount=np.array([-1, -1, 0], np.int8),
        results=np.array([1, -1, 1], np.int8),
        scores=np.zeros(3, np.int16),
        policies=np.zeros((3, 16), np.float16),
    )
    found = examples_of(played, bootstrap=0.0)
    assert found.values.tolist() == pytest.approx([0.4, -0.4, 1.0])


def test_the_losses_by_hand() -> None:
    board = Board.start(4)
    seen = torch.from_numpy(planes(Positions.of([board]), np.float32)).flatten(2)
    logits = torch.full((1, 16), 9.0)  # illegal squares have the highest, and count for nothing
    first, second, third, fourth = board.legal_moves
    logits[0, [first, second, third, fourth]] = torch.tensor([math.log(3), 0.0, 0.0, 0.0])
    outputs = network(logits=logits, values=torch.tensor([0.5]), scores=torch.tensor([0.25]))
    losses = losses_of(outputs, seen, examples([board], [first], value=1.0, score=-0.25))
    assert [float(part) for part in losses] == pytest.approx([math.log(2), 0.25, 0.25])


@pytest.mark.parametrize("turn", range(symmetry.SYMMETRIES))
def test_an_example_is_turned_with_its_policy(turn: int) -> None:
    board = Board.start(4).play(1)
    move = next(iter(board.legal_moves))
    other = symmetry.transform(board, turn), int(symmetry.permutations(4)[turn, move])
    found = []
    for (position, square), turn_of in (((board, move), turn), (other, 0)):
        learning = LearningNetwork(CONFIG, 4, torch.Generator().manual_seed(1), torch.device("cpu"))
        for _ in range(3):
            learn(learning, examples([position], [square], 0.5), turn_of, 0.5)
        found.append(learning.weights()["weights"].numpy().copy())
    np.testing.assert_array_equal(found[0], found[1])


def test_it_learns_what_it_is_shown_and_what_plays_follows() -> None:
    learning = LearningNetwork(CONFIG, 4, torch.Generator().manual_seed(1), torch.device("cpu"))
    board = Board.start(4)
    shown = examples([board], [next(iter(board.legal_moves))], 0.5, 0.25)
    losses = [learn(learning, shown, 0, 0.1) for _ in range(300)]
    assert [float(part) for part in losses[0]] == pytest.approx([math.log(4), 0.25, 0.0625])
    assert all(float(part) < 0.03 for part in losses[-1])
    seen = torch.from_numpy(planes(Positions.of([board]), np.float32)).flatten(1)
    for made in (learning.network, learning.average):
        assert float(made(seen).values.detach()) == pytest.approx(0.5, abs=0.05)
