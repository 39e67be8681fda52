"""TD(lambda) by hand: traces, signs and targets."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.td.learning import Traces
from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.td.network import SCALES, Autograd, ByHand, make_network
from othello_lab.game import Board, Game
from tests.agent.td_parts import PASSING, decisions, frame, learner, linear, seen, transitions


def test_traces_decay_by_lambda_and_the_discount_once_a_step() -> None:
    traces = Traces(2, lam=0.5)
    first, second, third = (np.array(row, np.float32) for row in ([1, 0], [0, 1], [1, 1]))
    assert traces.add(first, -1.0).tolist() == [1, 0]
    assert traces.add(second, 1.0).tolist() == [-0.5, 1], "the other side's gain is this side's loss"
    assert traces.add(third, 0.0).tolist() == [0.75, 1.5], "after a forced pass the same side decides"
    assert traces.add(first, 1.0).tolist() == [1, 0], "at the end nothing is left"
    traces.clear()
    assert traces.add(second, 1.0).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("lam", "shares"),
    [
        (0.0, [0, 0, 0, 0, 1]),
        (0.5, [-0.0625, 0.125, -0.25, 0.5, 1]),
        (1.0, [-1, 1, -1, 1, 1]),
    ],
)
def test_a_won_game_teaches_each_side_its_own_part(lam: float, shares: list[float]) -> None:
    """From nothing every prediction is 0 until the end: the last error is 1, and is shared by the traces.

    Black moves 1st and 3rd, white 2nd, 4th and, after a forced pass, 5th: the game is said to end there.
    """
    game = Game.from_transcript(PASSING, 4)
    made = linear(lam=lam, learning_rate=0.25)
    for t in transitions(game, result=1.0):
        made.take(t)
    discs = [seen(board, move) for board, move in decisions(game)]
    wanted = np.array(shares) @ np.array([np.append(x, 1) for x in discs])
    assert np.allclose(made.values.weights, 0.25 * wanted)
    assert made.numbers["updates"] == 5


def test_three_steps_worked_out() -> None:
    """With a bias of 0.5 for every afterstate, tanh, lambda 0.5 and alpha 1."""
    game = Game.from_transcript("c4b4a4", 4)
    one, two, _ = (seen(board, move) for board, move in decisions(game))
    made = linear(lam=0.5, learning_rate=1.0, cut=False)
    made.values.weights[-1] = 0.5
    v = np.tanh(0.5)
    first, second, _ = transitions(game, 0.0)
    made.take(first)
    # The other side's best move is worth v to it: target -v, error -2v; the gradient is 1 - v * v.
    slope = 1 - v * v
    weights = -2 * v * slope * np.append(one, 1)
    weights[-1] += 0.5
    assert np.allclose(made.values.weights, weights, atol=1e-6)
    # The second step starts from these weights: all is looked at anew but the trace.
    board, _ = decisions(game)[2]
    replies = [np.tanh(np.append(seen(board, move), 1) @ weights) for move in board.legal_moves]
    now = np.tanh(np.append(two, 1) @ weights)
    trace = -0.5 * slope * np.append(one, 1) + (1 - now**2) * np.append(two, 1)
    made.take(second)
    weights += (-max(replies) - now) * trace
    assert np.allclose(made.values.weights, weights, atol=1e-6)


def test_the_sum_of_small_steps_is_that_of_the_lambda_returns() -> None:
    """Backward and forward view agree while weights stand still (Sutton and Barto, 2nd edition, 12.4)."""
    made = learner(hidden=(7, 5), lam=0.6, learning_rate=1e-4)
    game = Game(Board.start(4))
    while not game.board.is_over:
        if not game.pass_if_forced():
            stack = frame(game.board)[None]
            game.play(made.choose(stack, np.array(list(game.board.legal_moves)), np.random.default_rng(0)))
    before = made.values.weights.copy()
    steps = transitions(game, result=-1.0)
    outputs, gradients = zip(*(said(made.values.network, b, m) for b, m in decisions(game)), strict=True)
    wanted, ahead = np.zeros_like(before), -1.0
    for index in reversed(range(len(steps))):
        if steps[index].discount:
            ahead = steps[index].discount * (0.4 * outputs[index + 1] + 0.6 * ahead)
        wanted += (ahead - outputs[index]) * gradients[index]
    for t in steps:
        made.take(t)
    assert np.abs(wanted).max() > 0.1
    assert np.allclose((made.values.weights - before) / 1e-4, wanted, atol=0.01 * np.abs(wanted).max())


def said(network: torch.nn.Module, board: Board, move: int) -> tuple[float, NDArray[np.float32]]:
    """What a network says of a move, and its gradient, by autograd."""
    output = network(torch.from_numpy(seen(board, move))[None]).squeeze()
    slopes = torch.autograd.grad(output, list(network.parameters()))
    return output.item(), torch.cat([slope.flatten() for slope in slopes]).numpy()


def test_a_random_move_cuts_the_trace() -> None:
    game = Game.from_transcript(PASSING, 4)
    (_, _), (board, move), *_ = decisions(game)
    first, second, *_ = transitions(game, 0.0)
    for cut in (True, False):
        made = linear(lam=1.0, cut=cut, learning_rate=1.0)
        made.take(first)
        better = next(other for other in board.legal_moves if other != move)
        apart = seen(board, better) - seen(board, move)
        made.values.weights[:-1] = 0.1 * apart
        made.begin(best=False)
        made.take(first)
        before = made.values.weights.copy()
        assert before[:-1] @ apart > 0, "there is a better move than the one that is played"
        made.take(second)
        change = made.values.weights - before
        own = np.append(seen(board, move), 1)
        assert np.allclose(change, change[-1] * own, atol=1e-7) is cut, "the first move's discs are in it"


@pytest.mark.parametrize("units", ["sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("output", ["sigmoid", "tanh"])
@pytest.mark.parametrize("hidden", [(), (9,), (9, 6)])
def test_by_hand_is_what_autograd_does(units: str, output: str, hidden: tuple[int, ...]) -> None:
    config = TDConfig(hidden=hidden, units=units, output=output)
    one, other = (make_network(config, 4, torch.Generator().manual_seed(1)) for _ in range(2))
    by_hand, autograd = ByHand(one, SCALES[output]), Autograd(other, SCALES[output])
    inputs = np.random.default_rng(0).integers(0, 2, (5, 32)).astype(np.float32)
    assert np.allclose(by_hand.outputs(inputs), autograd.outputs(inputs), atol=1e-6)
    for row in inputs:
        (said, slope), (wanted, wanted_slope) = by_hand.gradient(row), autograd.gradient(row)
        assert said == pytest.approx(wanted, abs=1e-6)
        assert np.allclose(slope, wanted_slope, atol=1e-6)


def test_a_chance_is_half_of_a_value_and_a_draw_is_even() -> None:
    """From nothing a sigmoid says 0.5: a draw is no error, a loss half a win's way down."""
    game = Game.from_transcript(PASSING, 4)
    for result, error in [(0.0, 0.0), (-1.0, 0.5)]:
        made = linear(output="sigmoid", learning_rate=1.0, lam=0.0)
        for t in transitions(game, result):
            made.take(t)
        last = seen(*decisions(game)[-1])
        assert np.allclose(made.values.weights, -error * 0.25 * np.append(last, 1))


def test_against_an_opponent_the_next_afterstate_is_ones_own() -> None:
    board = Board.start(4)
    later = Game.from_transcript("c4b4", 4).board
    made = linear(lam=0.0, learning_rate=1.0, gamma=0.9)
    made.values.weights[-1] = 0.5
    made.take(Transition(frame(board), 14, 0.0, 0.9, frame(later)))
    v = np.tanh(0.5)
    change = (0.9 * v - v) * (1 - v * v)
    assert made.values.weights[-1] == pytest.approx(0.5 + change, abs=1e-6)
