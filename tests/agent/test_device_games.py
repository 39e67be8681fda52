"""Games on a device beside those of compiled code: with the same luck they are the same."""

import numpy as np
import torch

from othello_lab.agent.device.games import Games
from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.pool import Pool, make_opponent
from othello_lab.agent.device.ring import Ring
from othello_lab.agent.device.rules import Rules
from othello_lab.agent.selfplay.play import Rules as GameRules
from othello_lab.agent.selfplay.play import Shard, by_values
from othello_lab.agent.selfplay.pool import Share, make_pool
from othello_lab.game.evaluators import make_evaluator

CPU = torch.device("cpu")
N, SEED = 60, 11
Decision = tuple[int, int, int]
"""The discs of the side to move, those of the other, and the square that was played."""


def compiled(size: int, shares: list[Share]) -> list[list[Decision]]:
    """The decisions of each game by compiled code, where the learner goes by square weights."""
    decide = by_values(make_evaluator("weights:swh", size).move_values, 0.2)  # type: ignore[attr-defined]  # it is compiled
    shard = Shard(GameRules(size, 6), np.arange(N), decide, list(make_pool(shares, [], size)), SEED)
    played = shard.play().played
    games: list[list[Decision]] = []
    for first in np.setdiff1d(np.arange(len(played)), played.following).tolist():
        games.append([])
        index = first
        while index >= 0:
            own, other = played.positions.own[index, 0], played.positions.opponent[index, 0]
            games[-1].append((int(own), int(other), int(played.moves[index])))
            index = int(played.following[index])
    return games


def on_device(size: int, shares: list[Share]) -> list[list[Decision]]:
    """The same by tensors."""
    rules = Rules(size)
    learner, ring = make_opponent("weights:swh", rules), Ring(4, N, 1.0, 1, CPU)
    pool = Pool(shares, rules, N)
    games = Games(rules, Randomness(1, CPU), learner, pool, ring, N, 6, SEED)  # type: ignore[arg-type]
    games.epsilon.fill_(0.2)
    found: list[list[Decision]] = [[] for _ in range(N)]
    for _ in range(size * size - 4):
        before = [
            tuple(word % 2**64 for word in pair) for pair in torch.stack(games.positions[:2], 1).tolist()
        ]
        first, openings = games._number < N, games._opening.tolist()
        games.judge()
        games.oppose()
        for game in torch.nonzero(first).flatten().tolist():
            own, other = before[game]
            if (own | other).bit_count() - 4 >= openings[game]:
                found[game].append((own, other, int(games._moves[game])))
        games.play()
    assert not (games._number < N).any()
    return found


def test_a_game_is_the_same_by_compiled_code_and_by_tensors() -> None:
    for size in (4, 6, 8):
        for shares in ([], [Share("corner-greedy", 0.9999)]):
            assert sorted(on_device(size, shares)) == sorted(compiled(size, shares))
