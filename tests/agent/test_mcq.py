"""Monte-Carlo Q as a learner: its network and updates against plain torch, its symmetries."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.mcq.learner import MCQLearner
from othello_lab.agent.mcq.method import MCQConfig
from othello_lab.agent.mcq.network import boards_of
from othello_lab.agent.mcq.returns import Samples, batches, turned
from othello_lab.agent.memory.frames import pack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.selfplay.played import Played
from othello_lab.game import PASS, Board, Game, observation, symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.search.batched import children


def learner(size: int = 4, seed: int = 0, **options: object) -> MCQLearner:
    draws, weights = np.random.SeedSequence(seed).spawn(2)
    return MCQLearner(MCQConfig(**options), size, Seeds(draws, weights))  # type: ignore[arg-type]  # as written


def plain(of: MCQLearner) -> nn.Sequential:
    """The same network as its layers stand in the source: board and one-hot move in, one tanh out."""
    weights = [weight.detach().clone() for weight in of.network.parameters()]
    layers: list[nn.Module] = []
    for matrix, bias in zip(weights[::2], weights[1::2], strict=True):
        layer = nn.Linear(matrix.shape[1], matrix.shape[0])
        layer.weight.data, layer.bias.data = matrix, bias
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1], nn.Tanh())


def inputs(boards: NDArray[np.int8], moves: NDArray[np.int64]) -> torch.Tensor:
    return torch.from_numpy(np.hstack([boards, np.eye(boards.shape[1])[moves]])).float()


def random_samples(n: int, squares: int = 16) -> Samples:
    rng = np.random.default_rng(n)
    boards = rng.integers(-1, 2, (n, squares)).astype(np.int8)
    return Samples(boards, rng.integers(squares, size=n), rng.uniform(-1, 1, n).astype(np.float32))


@pytest.mark.parametrize("network", ["net", "simple"])
def test_updates_are_those_of_adam_on_the_squared_error(network: str) -> None:
    own = learner(network=network, learning_rate=0.01)
    units = {"net": [32, 256, 384, 256, 1], "simple": [32, 192, 256, 1]}[network]
    reference = plain(own)
    assert [layer.in_features for layer in reference if isinstance(layer, nn.Linear)] == units[:-1]
    adam = torch.optim.Adam(reference.parameters(), lr=0.01)
    for n in (7, 12, 9):
        batch = random_samples(n)
        values = reference(inputs(batch.boards, batch.moves))[:, 0]
        loss = ((values - torch.from_numpy(batch.targets)) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        assert own.update(batch) == pytest.approx(float(loss.detach()), rel=1e-4)
    for mine, theirs in zip(own.network.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=1e-4)


LAST = Board.parse("-OX-XXXXXXXXXXXX X")
"""Black takes a1, and has all the discs."""


def one_game_played() -> Played:
    """A game of one decision."""
    return Played(
        Positions.of([LAST]),
        moves=np.array([0]),
        best=np.zeros(1),
        greedy=np.ones(1, np.bool_),
        following=np.array([-1]),
        discount=np.zeros(1, np.int8),
        results=np.ones(1, np.int8),
        scores=np.array([16], np.int16),
    )


def some_boards(size: int, number: int) -> list[Board]:
    """Positions of random games in which the side to move has a move."""
    rng, found = np.random.default_rng(size), list[Board]()
    while len(found) < number:
        game = Game(Board.start(size))
        while not game.board.is_over:
            game.play(int(rng.choice([*game.board.legal_moves] or [PASS])))
        found += [board for board in game.boards if board.legal_moves]
    return found[:number]


def test_all_moves_of_many_positions_have_the_values_of_each_alone() -> None:
    own, boards = learner(6), some_boards(6, 1100)
    positions = Positions.of(boards)
    found = own.move_values(positions)
    network, expected = plain(own), []
    for board in boards:
        moves = np.array([*board.legal_moves])
        seen = boards_of(Positions.of([board])).repeat(len(moves), axis=0)
        expected.append(network(inputs(seen, moves))[:, 0].detach().numpy())
    assert len(found) == len(children(positions))
    np.testing.assert_allclose(found, np.concatenate(expected), atol=1e-5)


def test_another_judges_by_its_weights_as_they_were() -> None:
    own: BatchLearner = learner(batch=8)
    other: BatchLearner = learner(seed=1)
    positions = Positions.of(some_boards(4, 5))
    before, weights = own.move_values(positions), own.weights()
    own.learn(one_game_played())
    other.take_weights(weights)
    np.testing.assert_array_equal(other.move_values(positions), before)
    assert not np.array_equal(own.move_values(positions), before)


def test_a_sample_and_its_variants_are_one_game_seen_from_eight_sides() -> None:
    for board in some_boards(6, 20):
        move = max(board.legal_moves)
        one = Samples(boards_of(Positions.of([board])), np.array([move]), np.ones(1, np.float32))
        for k in range(symmetry.SYMMETRIES):
            other = symmetry.transform(board, k)
            seen = turned(one, np.array([k]), 6)
            np.testing.assert_array_equal(seen.boards, boards_of(Positions.of([other])))
            assert other.play(seen.moves[0]) == symmetry.transform(board.play(move), k)


def shown(symmetries: str, seed: int) -> list[tuple[int, int]]:
    """Which of two samples was shown under which symmetry: discs and moves on squares in a class of eight."""
    squares = symmetry.permutations(6)[:, 1]
    samples = Samples(np.eye(36, dtype=np.int8)[[1, 1]], np.array([1, 1]), np.array([0, 1], np.float32))
    config, found = MCQConfig(symmetries=symmetries, batch=3), []
    for batch in batches(samples, 6, config, np.random.default_rng(seed)):
        assert len(batch.moves) <= 3
        assert batch.boards[np.arange(len(batch.moves)), batch.moves].all(), "disc and move turn together"
        found += [(int(t), [*squares].index(m)) for t, m in zip(batch.targets, batch.moves, strict=True)]
    return found


def test_both_symmetry_modes() -> None:
    everything = sorted((sample, k) for sample in range(2) for k in range(8))
    assert sorted(shown("all", 0)) == everything
    assert shown("all", 0) != shown("all", 1), "in an order drawn anew"
    drawn = [shown("one", seed) for seed in range(60)]
    assert all(sorted(sample for sample, _ in once) == [0, 1] for once in drawn)
    assert sorted({pair for once in drawn for pair in once}) == everything


def test_it_learns_the_same_from_games_played_at_once_as_from_the_wire() -> None:
    at_once, wire = learner(games=1), learner(games=1)
    at_once.learn(one_game_played())
    wire.take(Transition(pack(observation.encode(LAST, LAST.turn)), 0, 1.0, 0.0, None))
    wire.end(1)
    assert at_once.numbers == wire.numbers
    assert at_once.numbers["return_mean"] == at_once.numbers["updates"] == 1
    for name, array in at_once.state()[0].items():
        np.testing.assert_array_equal(array, wire.state()[0][name])
