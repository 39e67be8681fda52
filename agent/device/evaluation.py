"""Games of a network against fixed players on the device, all of them at once."""

from typing import NamedTuple

import torch
from torch import Tensor

from agent.device.choosing import pick
from agent.device.networks import Judge
from agent.device.pool import Pool
from agent.device.randomness import Randomness
from agent.device.rules import Rules
from agent.device.words import to_mask
from agent.selfplay.shares import Share

OPPONENTS = ("random", "corner-greedy", "positional")
_RANDOM_OPENING = 4
"""Plies at most that are random first: two players without luck would play one game again and again."""


class Score(NamedTuple):
    """The share that a network won against a player, a draw as half a game."""

    opponent: str
    black: float
    white: float

    @property
    def both(self) -> float:
        """Over both colours."""
        return (self.black + self.white) / 2


@torch.no_grad()
def evaluate(judge: Judge, rules: Rules, random: Randomness, games: int) -> list[Score]:
    """Return how a network does that always takes its best move, in this many games with each player.

    It has black in half of them. All games begin with 0 to 4 random plies.
    """
    n = games * len(OPPONENTS)
    shares = [Share(name, 1 / len(OPPONENTS)) for name in OPPONENTS]
    pool = Pool(shares, rules, random, n)
    black = torch.arange(n, device=rules.squares.device) % 2 == 0
    won = (_play(judge, rules, random, pool, ~black) + 1) / 2
    return [
        Score(seat.name, *(float(won[part][black[part] == side].mean()) for side in (True, False)))
        for seat in pool.seats
        for part in [slice(seat.first, seat.last)]
    ]


def _play(judge: Judge, rules: Rules, random: Randomness, pool: Pool, theirs: Tensor) -> Tensor:
    """Return the results of games from the network's view, float32 [n]; `theirs`: whose turn is not its own.

    Every ply is a disc, so that as many as there are empty squares end all games; those that are over earlier
    go on without meaning.
    """
    n = len(theirs)
    positions, left = rules.start(n), random.below(_RANDOM_OPENING + 1, n)
    over, results = torch.zeros_like(theirs), torch.zeros(n, device=left.device)
    for ply in range(rules.cells - 4):
        own = torch.where(theirs, pool.choose(positions), judge.choose(positions))
        anything = pick(to_mask(positions.legal, rules.squares), random)
        played = rules.play(positions, torch.where(ply < left, anything, own))
        result = torch.where(theirs, -played.result, played.result)
        results = torch.where(over, results, result.float())
        over, theirs = over | (played.sign == 0), theirs ^ (played.sign < 0)
        positions = played.positions
    return results
