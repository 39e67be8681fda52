"""Players on a device, against those of `game` that they stand for."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agent.device.choosing import best_of_equals, pick
from agent.device.networks import Judge, planes, turns
from agent.device.opponents import CornerGreedyOpponent, RandomWeightsOpponent
from agent.device.pool import make_opponent
from agent.device.randomness import Randomness
from agent.device.rules import SIZES, Positions, Rules
from agent.device.words import to_mask
from agent.dqn.acting import action_values
from agent.dqn.config import DQNConfig
from agent.dqn.network import make_network
from game import symmetry
from game.batch import games as batch
from game.batch.games import BatchGames, pick_each
from game.batch.positions import Positions as KernelPositions
from game.evaluators import make_evaluator
from game.kernels import arrays
from game.kernels.words import from_int
from game.search import batched

CPU = torch.device("cpu")


def midgame(size: int, n: int = 400) -> KernelPositions:
    """Positions of random games in which the side to move can move, from all phases."""
    games, rng = BatchGames.start(size, n), np.random.default_rng(size)
    stop = rng.integers(size * size - 4, size=n)
    own, opponent = games.positions.own.copy(), games.positions.opponent.copy()
    for ply in range(size * size - 4):
        now = (stop >= ply) & games.legal.any(axis=1)
        own[now], opponent[now] = games.positions.own[now], games.positions.opponent[now]
        games.play(pick_each(games.legal, size, rng))
    return KernelPositions(size, own, opponent)


def on_device(positions: KernelPositions) -> Positions:
    own, opponent = (
        torch.from_numpy(side.view(np.int64).ravel().copy()) for side in (positions.own, positions.opponent)
    )
    return Rules(positions.size).look(own, opponent)


@pytest.mark.parametrize("size", SIZES)
def test_planes_and_symmetries_are_those_of_the_game(size: int) -> None:
    positions = midgame(size)
    seen = planes(torch.stack(on_device(positions), 1), Rules(size).squares)
    assert np.array_equal(seen.numpy(), batch.planes(positions, np.float32).reshape(seen.shape))
    sources, targets = turns(size, CPU)
    assert np.array_equal(sources.numpy(), symmetry.inverses(size))
    assert np.array_equal(targets.numpy(), symmetry.permutations(size))


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_network_says_what_it_says_elsewhere(symmetric: bool) -> None:
    config = DQNConfig(hidden=(16, 8))
    network = make_network(config, 6, torch.Generator().manual_seed(1))
    positions = on_device(midgame(6))
    rules = Rules(6)
    states = planes(torch.stack(positions, 1), rules.squares)
    found = Judge(rules, network, symmetric).values(positions)
    assert torch.allclose(found, action_values(network, states, symmetric), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *(
            (name, size)
            for name in ("positional", "mobility", "weights:swh", "weights:bench")
            for size in SIZES
        ),
        ("ntuple:pretrained", 8),
    ],
)
def test_evaluating_players_value_moves_as_the_compiled_ones(name: str, size: int) -> None:
    positions = midgame(size)
    player = make_opponent(name, Rules(size), Randomness(1, CPU), len(positions))
    seen = on_device(positions)
    values = player.values(seen)[to_mask(seen.legal, Rules(size).squares)]  # type: ignore[attr-defined]
    evaluator = make_evaluator(name, size)
    if name.startswith("weights"):  # this player takes a finished game like any other position
        expected: NDArray[np.float64] = -evaluator.values(batched.children(positions))
    else:
        expected = evaluator.move_values(positions)  # type: ignore[attr-defined]
    assert len(expected) > 1000 // (9 - size)
    assert np.allclose(values.numpy(), expected, rtol=1e-6, atol=1e-4)


def test_corner_greedy_takes_what_it_takes_in_2017() -> None:
    positions, n = midgame(6, 300), 300
    rules, seen = Rules(6), on_device(positions)
    player = CornerGreedyOpponent(rules, Randomness(1, CPU))
    moves = torch.stack([player.choose(seen) for _ in range(400)])  # [400, n]
    legal = to_mask(seen.legal, rules.squares)
    assert legal[torch.arange(n), moves].all()
    on_offer = to_mask(seen.legal & rules.corners, rules.squares)
    share = on_offer[torch.arange(n), moves].float().mean(0)  # of moves that are corners
    choices, offered = legal.sum(1), on_offer.sum(1)
    expected = 0.9 + 0.1 * offered / choices
    some = offered > 0
    assert (share[some] - expected[some]).abs().max() < 0.08  # five standard errors
    most = np.zeros_like(positions.own)
    arrays.most_flips(positions.own, positions.opponent, from_int(0, 6), 6, most)
    first = torch.from_numpy(batch.to_mask(most, 6).argmax(axis=1))
    taken = (moves == first).float().mean(0)
    assert (taken[~some] - (0.8 + 0.2 / choices[~some])).abs().max() < 0.1


def test_random_weights_are_drawn_anew_for_the_games_that_begin() -> None:
    player = RandomWeightsOpponent(Rules(8), Randomness(1, CPU), 2000)
    before = player.weights.clone()
    player.restart(torch.arange(2000) < 1000)
    assert (before[:1000] != player.weights[:1000]).all()
    assert torch.equal(before[1000:], player.weights[1000:])
    table = player.weights.view(2000, 8, 8)
    for (row, column), low, high in (((0, 0), 60, 120), ((0, 1), -45, 5), ((1, 1), -60, 0), ((0, 3), -5, 25)):
        square = table[:, row, column]
        assert low - 2 < float(square.min()) < low + 2 < high - 2 < float(square.max()) < high + 2
        for turned in (table[:, 7 - row, column], table[:, column, row]):
            assert (square - turned).abs().max() < 4, "alike but for noise"


def test_picks_are_uniform_over_the_set() -> None:
    mask = torch.tensor([[False, True, False, True, True]]).repeat(9000, 1)
    counts = torch.bincount(pick(mask, Randomness(1, CPU)), minlength=5)
    assert counts[[0, 2]].tolist() == [0, 0]
    assert (counts[[1, 3, 4]] - 3000).abs().max() < 200
    values = torch.tensor([[9.0, 2.0, 9.0, 1.0, 2.0]]).repeat(9000, 1)
    chosen = torch.bincount(best_of_equals(values, mask, Randomness(2, CPU)), minlength=5)
    assert chosen[[0, 2, 3]].tolist() == [0, 0, 0], "of the set, the largest alone"
    assert abs(int(chosen[1]) - 4500) < 250


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="'greedy' does not play on a device: expected random,"):
        make_opponent("greedy", Rules(8), Randomness(1, CPU), 1)
