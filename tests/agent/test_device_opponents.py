"""Players on a device, against those of `game` that they stand for."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from othello_lab.agent.device.learning import Judge, planes
from othello_lab.agent.device.luck import luck_of, seat_words
from othello_lab.agent.device.pool import make_opponent
from othello_lab.agent.device.rules import SIZES, Positions, Rules, to_mask
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import make_network
from othello_lab.agent.dqn.policy import action_values
from othello_lab.agent.selfplay.pool import Share, make_pool
from othello_lab.game.batch import games as batch
from othello_lab.game.batch.games import BatchGames, pick_each
from othello_lab.game.batch.positions import Positions as KernelPositions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.play import luck

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
def test_planes_are_those_of_the_game(size: int) -> None:
    positions = midgame(size)
    seen = planes(torch.stack(on_device(positions), 1), Rules(size).squares)
    assert np.array_equal(seen.numpy(), batch.planes(positions, np.float32).reshape(seen.shape))


def test_a_network_says_what_it_says_elsewhere() -> None:
    network = make_network(DQNConfig(hidden=(16, 8)), 6, torch.Generator().manual_seed(1))
    positions = on_device(midgame(6))
    states = planes(torch.stack(positions, 1), Rules(6).squares)
    found = Judge(Rules(6), network).values(positions)
    assert torch.allclose(found, action_values(network, states, symmetric=False), atol=1e-6)


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
    player = make_opponent(name, Rules(size))
    seen = on_device(positions)
    values = player.values(seen)[to_mask(seen.legal, Rules(size).squares)]  # type: ignore[attr-defined]
    evaluator = make_evaluator(name, size)
    expected: NDArray[np.float64] = evaluator.move_values(positions)  # type: ignore[attr-defined]
    assert len(expected) > 1000 // (9 - size)
    assert np.allclose(values.numpy(), expected, rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "name", ["random", "corner-greedy", "positional", "mobility", "weights:heur", "random-weights"]
)
def test_players_choose_what_compiled_ones_do_with_the_same_luck(name: str, size: int) -> None:
    positions, numbers = midgame(size, 2000), np.arange(2000)
    words = torch.stack([torch.from_numpy(luck.seat_words(5, numbers, k).view(np.int64)) for k in range(3)])
    assert torch.equal(words, seat_words(5, torch.from_numpy(numbers)))
    (compiled,) = make_pool([Share(name, 0.5)], [], size)
    chosen = compiled.policy.choose_many(positions, words[1].numpy().view(np.uint64))
    seen = on_device(positions)
    moves = make_opponent(name, Rules(size))(seen, luck_of(words[1], seen))
    agree = np.mean(chosen == moves.numpy())
    least = 0.999 if name == "random-weights" else 1  # its sums may be rounded otherwise
    assert agree >= least


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="'greedy' does not play on a device: expected random,"):
        make_opponent("greedy", Rules(8))
