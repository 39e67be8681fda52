"""An n-tuple network on a device: its configurations by a product of matrices, its weights gathered."""

import torch
from torch import Tensor

from agent.on_device.choosing import best_of_equals
from agent.on_device.networks import turns
from agent.on_device.opponents import WON
from agent.on_device.randomness import Randomness
from agent.on_device.rules import Positions, Rules
from agent.on_device.words import count, to_mask


class NTupleOpponent:
    """One ply with an n-tuple network, uniformly among equals; a finished game counts by who won.

    The same as a checkpoint of `agent.ntuple` as a player.
    """

    def __init__(self, rules: Rules, random: Randomness, classes: list[list[int]], weights: Tensor) -> None:
        """`classes` are the square sets, `weights` float32 [stages, configurations]; see `agent.ntuple`."""
        self._rules, self._random, self._weights = rules, random, weights
        device = rules.squares.device
        starts = torch.tensor([0, *(3 ** len(squares) for squares in classes)]).cumsum(0)
        instances = _instances(classes, rules.size)
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
        mine, theirs = self._rules.place_all(positions)
        both = self._rules.legal_moves(torch.stack([mine, theirs]), torch.stack([theirs, mine]))
        again = (both[1] == 0) & (both[0] != 0)  # the other side must pass
        own, other = torch.where(again, mine, theirs), torch.where(again, theirs, mine)
        value = torch.tanh(self._totals(own, other))
        value = torch.where(again, value, -value)
        won = torch.sign(count(mine) - count(theirs)).float() * WON
        return torch.where((both == 0).all(0), won, value)

    def _totals(self, own: Tensor, opponent: Tensor) -> Tensor:
        """Return the sums of weights as the side to move sees them, float32, shaped like the sets."""
        squares, (stages, configurations) = self._rules.squares, self._weights.shape
        # Exact: whole numbers below 3 ** 10 in float32, and torch does not use TF32 unless it is told to.
        digits = to_mask(own, squares).float() + 2 * to_mask(opponent, squares).float()
        found = (digits @ self._worth).long() + self._starts  # [..., instances]
        filled = count(own | opponent) - 4
        stage = (filled * stages // (self._rules.cells - 4)).clamp(0, stages - 1)
        return self._weights.flatten()[stage[..., None] * configurations + found].sum(-1)


def _instances(classes: list[list[int]], size: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return every place of every class, as `game.evaluators.patterns.Patterns.instances`."""
    _, permutations = turns(size, torch.device("cpu"))
    found: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {}
    for number, squares in enumerate(classes):
        for moved in permutations[:, squares].tolist():
            found.setdefault((number, frozenset(moved)), tuple(moved))
    return [(number, moved) for (number, _), moved in found.items()]
