from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import Seeds
from othello_lab.agent.make import make_agent
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.selfplay.games import GameBatch, move_returns
from othello_lab.agent.selfplay.play import GameSettings, SelfPlayGames, by_values
from othello_lab.agent.td.learner import TDLearner, Traces
from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.td.network import MLPValueNetwork, ValueNetwork, afterstate_inputs, make_network
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Game
from othello_lab.game.batch import BatchGames, Positions, repeated
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.search.textbook import children
from tests.agent.parts import (
    AGAINST_RANDOM,
    agent_of,
    decisions,
    frame,
    play,
    played_by,
    seated,
    transitions,
    trio,
    won,
)
from tests.game.sampling import random_games

# A game on 4x4 in which black must pass after white's d4. No move has ended the game yet.
PASSING = "c4b4a2d4a1"


def learner(**options: object) -> TDLearner:
    config = replace(TDConfig(), **options)  # type: ignore[arg-type]  # whatever a test asks for
    return TDLearner(config, 4, Seeds(*np.random.SeedSequence(0).spawn(2)))


def linear(**options: object) -> TDLearner:
    """Without a hidden layer and knowledge, the gradients are the discs themselves, and 1 for the bias."""
    learned = learner(**{"hidden": (), **options})
    learned.values.weights[:] = 0
    return learned


def afterstate(board: Board, move: int) -> NDArray[np.float32]:
    """Return the afterstate as the side that has moved sees it: its discs, then the other side's discs."""
    after = board.play(move)
    own, other = (after.black, after.white) if board.turn.value == "black" else (after.white, after.black)
    squares = range(board.size**2)
    return np.array([own >> s & 1 for s in squares] + [other >> s & 1 for s in squares], np.float32)


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
    [(0.0, [0, 0, 0, 0, 1]), (0.5, [-0.0625, 0.125, -0.25, 0.5, 1]), (1.0, [-1, 1, -1, 1, 1])],
)
def test_a_won_game_teaches_each_side_its_own_part(lam: float, shares: list[float]) -> None:
    """All predictions are 0 at first, so the traces share the last error, which is 1.

    Black moves 1st and 3rd. White moves 2nd, 4th and, after a forced pass, 5th. Then the game ends.
    """
    game = Game.from_transcript(PASSING, 4)
    learned = linear(lam=lam, learning_rate=0.25)
    for t in transitions(game, result=1.0):
        learned.take(t)
    discs = [afterstate(board, move) for board, move in decisions(game)]
    wanted = np.array(shares) @ np.array([np.append(x, 1) for x in discs])
    assert np.allclose(learned.values.weights, 0.25 * wanted)
    assert learned.numbers["updates"] == 5


def test_three_steps_worked_out() -> None:
    """The bias of every afterstate is 0.5, the network has tanh, lambda is 0.5, and alpha is 1."""
    game = Game.from_transcript("c4b4a4", 4)
    one, two, _ = (afterstate(board, move) for board, move in decisions(game))
    learned = linear(lam=0.5, learning_rate=1.0, cut=False)
    learned.values.weights[-1] = 0.5
    v = np.tanh(0.5)
    first, second, _ = transitions(game, 0.0)
    learned.take(first)
    # For the other side, its best move has the value v: target -v, error -2v, gradient 1 - v * v.
    slope = 1 - v * v
    weights = -2 * v * slope * np.append(one, 1)
    weights[-1] += 0.5
    assert np.allclose(learned.values.weights, weights, atol=1e-6)
    # The second step starts from these weights. Only the trace keeps old numbers.
    board, _ = decisions(game)[2]
    replies = [np.tanh(np.append(afterstate(board, move), 1) @ weights) for move in board.legal_moves]
    now = np.tanh(np.append(two, 1) @ weights)
    trace = -0.5 * slope * np.append(one, 1) + (1 - now**2) * np.append(two, 1)
    learned.take(second)
    weights += (-max(replies) - now) * trace
    assert np.allclose(learned.values.weights, weights, atol=1e-6)


def test_the_sum_of_small_steps_is_that_of_the_lambda_returns() -> None:
    """The backward and the forward view agree for fixed weights (Sutton and Barto, 2nd edition, 12.4)."""
    learned = learner(hidden=(7, 5), lam=0.6, learning_rate=1e-4)
    game = Game(Board.start(4))
    while not game.board.is_over:
        if not game.pass_if_forced():
            stack = frame(game.board)[None]
            game.play(learned.choose(stack, np.array(list(game.board.legal_moves)), np.random.default_rng(0)))
    before = learned.values.weights.copy()
    steps = transitions(game, result=-1.0)
    outputs, gradients = zip(
        *(gradient_of(learned.values.network, b, m) for b, m in decisions(game)), strict=True
    )
    wanted, ahead = np.zeros_like(before), -1.0
    for index in reversed(range(len(steps))):
        if steps[index].discount:
            ahead = steps[index].discount * (0.4 * outputs[index + 1] + 0.6 * ahead)
        wanted += (ahead - outputs[index]) * gradients[index]
    for t in steps:
        learned.take(t)
    assert np.abs(wanted).max() > 0.1
    assert np.allclose((learned.values.weights - before) / 1e-4, wanted, atol=0.01 * np.abs(wanted).max())


def gradient_of(network: torch.nn.Module, board: Board, move: int) -> tuple[float, NDArray[np.float32]]:
    output = network(torch.from_numpy(afterstate(board, move))[None]).squeeze()
    slopes = torch.autograd.grad(output, list(network.parameters()))
    return output.item(), torch.cat([slope.flatten() for slope in slopes]).numpy()


def test_a_random_move_cuts_the_trace() -> None:
    game = Game.from_transcript(PASSING, 4)
    (_, _), (board, move), *_ = decisions(game)
    first, second, *_ = transitions(game, 0.0)
    for cut in (True, False):
        learned = linear(lam=1.0, cut=cut, learning_rate=1.0)
        learned.take(first)
        better = next(other for other in board.legal_moves if other != move)
        apart = afterstate(board, better) - afterstate(board, move)
        learned.values.weights[:-1] = 0.1 * apart
        learned.begin(best=False)
        learned.take(first)
        before = learned.values.weights.copy()
        assert before[:-1] @ apart > 0, "there is a better move than the one that is played"
        learned.take(second)
        change = learned.values.weights - before
        step = np.append(afterstate(board, move), 1)
        assert np.allclose(change, change[-1] * step, atol=1e-7) is cut, "the first move's discs are in it"


@pytest.mark.parametrize("units", ["sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("output", ["sigmoid", "tanh"])
@pytest.mark.parametrize("hidden", [(), (9,), (9, 6)])
def test_by_hand_is_what_autograd_does(units: str, output: str, hidden: tuple[int, ...]) -> None:
    config = TDConfig(hidden=hidden, units=units, output=output)  # type: ignore[arg-type]
    by_hand, autograd = (
        kind(config, make_network(config, 4, torch.Generator().manual_seed(1)))
        for kind in (MLPValueNetwork, ValueNetwork)
    )
    inputs = np.random.default_rng(0).integers(0, 2, (5, 32)).astype(np.float32)
    assert np.allclose(by_hand.outputs(inputs), autograd.outputs(inputs), atol=1e-6)
    for row in inputs:
        (value, slope), (wanted, wanted_slope) = by_hand.gradient(row), autograd.gradient(row)
        assert value == pytest.approx(wanted, abs=1e-6)
        assert np.allclose(slope, wanted_slope, atol=1e-6)


def test_a_chance_is_half_of_a_value_and_a_draw_is_even() -> None:
    """At first a sigmoid gives 0.5, so a draw has no error."""
    game = Game.from_transcript(PASSING, 4)
    for result, error in [(0.0, 0.0), (-1.0, 0.5)]:
        learned = linear(output="sigmoid", learning_rate=1.0, lam=0.0)
        for t in transitions(game, result):
            learned.take(t)
        last = afterstate(*decisions(game)[-1])
        assert np.allclose(learned.values.weights, -error * 0.25 * np.append(last, 1))


def test_against_an_opponent_the_next_afterstate_is_ones_own() -> None:
    board = Board.start(4)
    later = Game.from_transcript("c4b4", 4).board
    learned = linear(lam=0.0, learning_rate=1.0, gamma=0.9)
    learned.values.weights[-1] = 0.5
    learned.take(Transition(frame(board), 14, 0.0, 0.9, frame(later)))
    v = np.tanh(0.5)
    change = (0.9 * v - v) * (1 - v * v)
    assert learned.values.weights[-1] == pytest.approx(0.5 + change, abs=1e-6)


def test_the_target_of_an_afterstate_is_the_return_of_the_next_decision() -> None:
    """In the first game, the third decision follows a pass. In the second, the second is random."""
    played = GameBatch(
        positions=repeated(Board.start(4), 5),
        moves=np.zeros(5, np.int64),
        values=np.array([0.1, 0.2, 0.4, -0.6, 1.0]),
        on_policy=np.array([True, True, True, False, True]),
        next_index=np.array([2, 3, 4, -1, -1]),
        discount=np.array([-1, -1, 1, 0, 0], np.int8),
        results=np.array([-1, 1, 1, -1, 1], np.int8),
        scores=np.zeros(5, np.int16),
    )
    # From the end: the won game is 1, the same side's decision before is 1, the other side's -(0.4 / 2 + 1 /
    # 2).
    assert np.allclose(move_returns(played, 0.5, 1.0), [-0.7, 0.6, 1, -1, 1])
    assert np.allclose(move_returns(played, 0.0, 1.0), [-0.4, 0.6, 1, -1, 1])
    assert np.allclose(move_returns(played, 1.0, 0.5), [-0.25, 0.3, 0.5, -1, 1])


def test_it_learns_how_games_end() -> None:
    """With lambda 1 and without random moves, the targets are the results."""
    learned = learner(lam=1.0, batch=32, batch_rate=0.01)
    rules = GameSettings(4, random_opening=3, epsilon=0.0)
    played = (
        SelfPlayGames(rules, np.arange(64), by_values(learned.move_values, rules.epsilon), (), seed=5)
        .play()
        .batch
    )
    assert np.array_equal(move_returns(played, 1.0, 1.0), played.results)
    games = BatchGames(played.positions)
    games.play(played.moves)
    inputs = afterstate_inputs(games.positions)

    def error() -> float:
        return float(np.mean((learned.values.outputs(inputs) - played.results) ** 2))

    before = error()
    for _ in range(10):
        learned.learn(played)
    assert error() < before / 2
    assert learned.numbers["updates"] == 10 * len(played)


def test_the_game_looks_the_same_from_every_side() -> None:
    spreads = []
    for symmetries in (True, False):
        learned = learner(batch=32, batch_rate=0.01, symmetries=symmetries)
        played = played_by(learned)
        for _ in range(8):
            learned.learn(played)
        spreads.append(np.ptp(learned.move_values(repeated(Board.start(4), 1))))
    assert spreads[0] < spreads[1] / 2


@pytest.mark.slow
def test_self_play_teaches_it_to_win(tmp_path: Path) -> None:
    glue, agent = trio("td", tmp_path, opponent="self")
    play(glue, 500)
    path = agent.save_policy("net")
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", first="alternate"))
    seat = seated(make_agent(f"trained:{path}"), environment)
    assert won(seat, 100) > 0.7


@pytest.mark.parametrize("size", [4, 8, pytest.param(10, marks=pytest.mark.slow)])
def test_a_move_is_worth_what_its_position_is_not_to_the_other_side(tmp_path: Path, size: int) -> None:
    glue, agent = trio("td", tmp_path, opponent="self", size=size)
    play(glue, 1)
    (game,) = random_games(size, 1, seed=1)
    boards = [board for board in game.boards if board.legal_moves]
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


@pytest.mark.parametrize("text", ["td", "td,output=sigmoid", "ntuple"])
@pytest.mark.parametrize("rewards", [{"reward": "discs"}, {"reward": "10,5,0"}], ids=str)
def test_positions_are_worth_results_whatever_the_rewards(text: str, rewards: dict[str, Any]) -> None:
    learned = []
    for options in (rewards, {"reward": "1,0,-1"}):
        agent = agent_of(text)
        play(seated(agent, OthelloEnvironment(replace(AGAINST_RANDOM, **options))), 30)
        learned.append(agent.learner.policy())
    assert all(np.array_equal(learned[0][name], learned[1][name]) for name in learned[1])


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
