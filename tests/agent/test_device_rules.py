"""The rules on a device, bit for bit against the kernels of `game`.

The device is the processor, or what OTHELLO_DEVICE names, such as cuda.
"""

import os

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.rules import SIZES, Positions, Rules, count, lowered, to_mask
from othello_lab.agent.device.torch_device import read_device
from othello_lab.game import PASS
from othello_lab.game.batch import games as batch
from othello_lab.game.batch.games import BatchGames, pick_each
from othello_lab.game.batch.positions import Positions as KernelPositions
from othello_lab.game.batch.positions import count_squares
from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.choices import random_word

GAMES = 10_000
"""Random games of each size: together more than a million positions, 600,000 of them on 8x8."""
DEVICE = read_device(os.environ.get("OTHELLO_DEVICE", "cpu"))


def words(squares: NDArray[np.uint64]) -> Tensor:
    return torch.from_numpy(squares.view(np.int64).ravel().copy()).to(DEVICE)


def after_passes(games: BatchGames) -> BatchGames:
    """Return the games once those who must pass have done so."""
    passes = games.must_pass
    own, opponent = games.positions.own, games.positions.opponent
    sides = np.where(passes[:, None], (opponent, own), (own, opponent))
    return BatchGames(KernelPositions(games.size, *sides), games.black_to_move ^ passes)


def scattered(size: int, n: int) -> KernelPositions:
    """Positions that no game reaches: each square is empty, own or the opponent's at random."""
    rng, board = np.random.default_rng(size), np.uint64((1 << size * size) - 1)
    own, other = (rng.integers(2**64, size=(n, 1), dtype=np.uint64) & board for _ in range(2))
    return KernelPositions(size, own, other & ~own)


@pytest.mark.parametrize("size", SIZES)
def test_random_games_are_those_of_the_kernels(size: int) -> None:
    rules, rng = Rules(size, DEVICE), np.random.default_rng(size)
    games, positions = BatchGames.start(size, GAMES), rules.start(GAMES)
    while not games.finished.all():
        moves = pick_each(games.legal, size, rng)
        on, black = moves != PASS, games.black_to_move.copy()
        played = rules.play(positions, torch.from_numpy(moves).to(DEVICE).clamp(min=0))
        games.play(moves)
        passes = games.must_pass
        games = after_passes(games)
        winner = np.where(black, 1, -1) * games.outcomes().winner
        assert np.array_equal(played.result.cpu().numpy()[on], winner[on])
        sign = np.where(games.finished, 0, np.where(passes, 1, -1))
        assert np.array_equal(played.sign.cpu().numpy()[on], sign[on])
        new = zip(played.positions, positions, strict=True)
        moved = torch.from_numpy(on).to(DEVICE)
        positions = Positions(*(torch.where(moved, after, before) for after, before in new))
        assert torch.equal(positions.own, words(games.positions.own))
        assert torch.equal(positions.opponent, words(games.positions.opponent))
        assert torch.equal(positions.legal, words(games.legal))


@pytest.mark.parametrize("size", SIZES)
def test_moves_and_flips_of_any_position_are_those_of_the_kernels(size: int) -> None:
    rules, positions = Rules(size, DEVICE), scattered(size, 20_000)
    own, opponent = words(positions.own), words(positions.opponent)
    assert torch.equal(rules.legal_moves(own, opponent), words(batch.legal_moves(positions)))
    discs = torch.ones_like(rules.squares) << rules.squares
    flips = rules.flips(own[:300, None], opponent[:300, None], discs)  # [300, squares]
    for index in range(300):
        mine, theirs = positions.own[index, 0], positions.opponent[index, 0]
        for square in range(size * size):
            turned = int(bitboard.flips(mine, theirs, square, size))
            assert int(flips[index, square]) % 2**64 == turned


def test_counts_and_masks_are_those_of_the_kernels() -> None:
    positions = scattered(8, 10_000)
    squares = words(positions.own)
    assert np.array_equal(count(squares).cpu().numpy(), count_squares(positions.own, 8))
    assert np.array_equal(
        to_mask(squares, Rules(8, DEVICE).squares).cpu().numpy(), batch.to_mask(positions.own, 8)
    )
    assert lowered(torch.tensor([-1]), 60).tolist() == [15], "no copies of the sign come in"


def test_a_size_whose_squares_fit_no_word_is_refused() -> None:
    with pytest.raises(ValueError, match="4x4, 6x6 or 8x8, not 10x10"):
        Rules(10)


def test_random_numbers_are_those_of_the_compiled_generator() -> None:
    seed = 2**63 + 12345
    random = Randomness(seed, DEVICE)
    found = [*random.words(2, 3).flatten().tolist(), *random.words(4).tolist()]
    assert [word % 2**64 for word in found] == [int(random_word(np.uint64(seed), i)) for i in range(10)]
    assert int(random.count) == 10


def test_draws_below_a_limit_are_uniform() -> None:
    random = Randomness(1, DEVICE)
    counts = torch.bincount(random.below(7, 70_000), minlength=7).cpu()
    assert len(counts) == 7
    assert (counts - 10_000).abs().max() < 400  # four standard deviations of 93
    assert random.below(torch.tensor([1, 2], device=DEVICE).repeat(1000), 2000).view(1000, 2).amax(
        0
    ).tolist() == [0, 1]
