"""An n-tuple network on a device: its configurations by a product of matrices, its weights gathered."""

import torch
from torch import Tensor

from agent.device.opponents import WON
from agent.device.rules import Positions, Rules
from agent.device.words import count, to_mask
from game.evaluators.network import PatternEvaluator
from game.evaluators.pattern_kernels import DEVELOPED, FEW_STAGES
from game.evaluators.patterns import MOST

_PAIRS = (MOST + 1) ** 2


class NTupleValues:
    """What moves are worth by an n-tuple network; a finished game counts by who won.

    The same as a checkpoint of `agent.ntuple` as a player.
    """

    def __init__(self, rules: Rules, network: PatternEvaluator) -> None:
        patterns, device = network.patterns, rules.squares.device
        self._rules = rules
        self._weights = torch.from_numpy(network.weights).to(device)
        self._few = int(network.parameters["network"]["few"])
        self._counts = patterns.starts[-1] if patterns.counts else None
        self._starts = torch.from_numpy(patterns.offsets).long().to(device)
        worth = torch.zeros(rules.cells, len(patterns.instances))
        for column, (_, squares) in enumerate(patterns.instances):
            worth[list(squares), column] = 3.0 ** torch.arange(len(squares))
        self._worth = worth.to(device)

    def __call__(self, positions: Positions) -> Tensor:
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
        squares, weights = self._rules.squares, self._weights
        # Exact: whole numbers below 3 ** 10 in float32, and torch does not use TF32 unless it is told to.
        digits = to_mask(seen.own, squares).float() + 2 * to_mask(seen.opponent, squares).float()
        found = (digits @ self._worth).long() + self._starts  # [..., instances]
        own, other = count(seen.own), count(seen.opponent)
        if self._counts is not None:
            pairs = _pair(count(seen.legal), count(seen.theirs)), _PAIRS + _pair(own, other)
            counts = torch.stack([*pairs, 2 * _PAIRS + own + other], -1)
            found = torch.cat([found, self._counts + counts], -1)
        row = self._stage(own, other)[..., None] * weights.shape[1]
        return weights.flatten()[row + found].sum(-1)

    def _stage(self, own: Tensor, other: Tensor) -> Tensor:
        """Return the row of weights: by the squares that are filled, or by who has few discs."""
        few = self._few
        stages = len(self._weights) - (FEW_STAGES if few else 0)
        stage = ((own + other - 4) * stages // (self._rules.cells - 4)).clamp(0, stages - 1)
        if few:
            developed = own + other >= DEVELOPED
            stage = torch.where(developed & (own <= few), stages + 1, stage)
            stage = torch.where(developed & (other <= few), stages, stage)
        return stage


def _pair(own: Tensor, other: Tensor) -> Tensor:
    return own.clamp(max=MOST) * (MOST + 1) + other.clamp(max=MOST)
