"""An n-tuple network on a device: its configurations by a product of matrices, its weights gathered."""

from typing import NamedTuple

import torch
from torch import Tensor

from agent.device.choosing import best_of_equals
from agent.device.networks import turns
from agent.device.opponents import WON
from agent.device.randomness import Randomness
from agent.device.rules import Positions, Rules
from agent.device.words import count, to_mask

_MOST = 31
_PAIRS = (_MOST + 1) ** 2
_DEVELOPED = 12
"""Those of `game.evaluators.counts` and `pattern_kernels`."""


class Network(NamedTuple):
    """An n-tuple network; see `agent.ntuple.config` and `game.evaluators.pattern_kernels`."""

    classes: list[list[int]]
    """The square sets."""
    weights: Tensor
    """float32 [rows, configurations]: a row for each stage, and two more with `few`."""
    counts: bool
    few: int


class NTupleOpponent:
    """One ply with an n-tuple network, uniformly among equals; a finished game counts by who won.

    The same as a checkpoint of `agent.ntuple` as a player.
    """

    def __init__(self, rules: Rules, random: Randomness, network: Network) -> None:
        self._rules, self._random, self._network = rules, random, network
        device, classes = rules.squares.device, network.classes
        starts = torch.tensor([0, *(3 ** len(squares) for squares in classes)]).cumsum(0)
        instances = _instances(classes, rules.size)
        self._counts = int(starts[-1])
        self._starts = starts[[number for number, _ in instances]].to(device)
        worth = torch.zeros(rules.cells, len(instances))
        for column, (_, squares) in enumerate(instances):
            worth[list(squares), column] = 3.0 ** torch.arange(len(squares))
        self._worth = worth.to(device)

    def choose(self, positions: Positions) -> Tensor:
        """See `Opponent`."""
        legal = to_mask(positions.legal, self._rules.squares)
        return best_of_equals(self.values(positions), legal, self._random)

    def restart(self, over: Tensor) -> None:
        """See `Opponent`: one game is as the other."""

    def values(self, positions: Positions) -> Tensor:
        """Return what a disc on each square is worth, float32 [n, squares]; of no meaning where illegal."""
        mine, theirs = self._rules.place_all(positions, self._rules.all_flips(positions))
        both = self._rules.legal_moves(torch.stack([mine, theirs]), torch.stack([theirs, mine]))
        again = (both[1] == 0) & (both[0] != 0)  # the other side must pass
        own, other = torch.where(again, mine, theirs), torch.where(again, theirs, mine)
        moves, others = torch.where(again, both[0], both[1]), torch.where(again, both[1], both[0])
        value = torch.tanh(self._totals(Positions(own, other, moves, others)))
        value = torch.where(again, value, -value)
        won = torch.sign(count(mine) - count(theirs)).float() * WON
        return torch.where((both == 0).all(0), won, value)

    def _totals(self, seen: Positions) -> Tensor:
        """Return the sums of weights as the side to move sees them, float32, shaped like the sets."""
        squares, weights = self._rules.squares, self._network.weights
        # Exact: whole numbers below 3 ** 10 in float32, and torch does not use TF32 unless it is told to.
        digits = to_mask(seen.own, squares).float() + 2 * to_mask(seen.opponent, squares).float()
        found = (digits @ self._worth).long() + self._starts  # [..., instances]
        own, other = count(seen.own), count(seen.opponent)
        if self._network.counts:
            pairs = _pair(count(seen.legal), count(seen.theirs)), _PAIRS + _pair(own, other)
            counts = torch.stack([*pairs, 2 * _PAIRS + own + other], -1)
            found = torch.cat([found, self._counts + counts], -1)
        row = self._stage(own, other)[..., None] * weights.shape[1]
        return weights.flatten()[row + found].sum(-1)

    def _stage(self, own: Tensor, other: Tensor) -> Tensor:
        """Return the row of weights: by the squares that are filled, or by who has few discs."""
        few = self._network.few
        stages = len(self._network.weights) - (2 if few else 0)
        stage = ((own + other - 4) * stages // (self._rules.cells - 4)).clamp(0, stages - 1)
        if few:
            developed = own + other >= _DEVELOPED
            stage = torch.where(developed & (own <= few), stages + 1, stage)
            stage = torch.where(developed & (other <= few), stages, stage)
        return stage


def _pair(own: Tensor, other: Tensor) -> Tensor:
    return own.clamp(max=_MOST) * (_MOST + 1) + other.clamp(max=_MOST)


def _instances(classes: list[list[int]], size: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return every place of every class, as `game.evaluators.patterns.Patterns.instances`."""
    _, permutations = turns(size, torch.device("cpu"))
    found: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {}
    for number, squares in enumerate(classes):
        for moved in permutations[:, squares].tolist():
            found.setdefault((number, frozenset(moved)), tuple(moved))
    return [(number, moved) for (number, _), moved in found.items()]
