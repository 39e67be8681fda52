"""Players that choose in thousands of games at once, computed on the device."""

from typing import Protocol

import torch
from torch import Tensor

from agent.device.choosing import best, best_of_equals, pick
from agent.device.randomness import Randomness
from agent.device.rules import Positions, Rules
from agent.device.words import count, to_mask

WON = 1e9
"""What a finished game is worth to those who look for it: more than any evaluation."""


class Opponent(Protocol):
    """A player of some games, always the same ones."""

    def choose(self, positions: Positions) -> Tensor:
        """Return a square of each position, int64 [n]: a legal one where there is any."""

    def restart(self, over: Tensor) -> None:
        """Take note of where a new game begins, bool [n]."""


class RandomOpponent:
    """Any legal move, uniformly."""

    def __init__(self, rules: Rules, random: Randomness) -> None:
        self._rules, self._random = rules, random

    def choose(self, positions: Positions) -> Tensor:
        """See Opponent."""
        return pick(to_mask(positions.legal, self._rules.squares), self._random)

    def restart(self, over: Tensor) -> None:
        """See Opponent: one game is as the other."""


class CornerGreedyOpponent(RandomOpponent):
    """The opponent of the 2017 trio: `game.players.simple.CornerGreedyPlayer`."""

    def choose(self, positions: Positions) -> Tensor:
        """See Opponent."""
        rules, legal = self._rules, to_mask(positions.legal, self._rules.squares)
        t = self._random.uniform(len(legal))
        corners = to_mask(positions.legal & rules.corners, rules.squares)
        any_corner = corners.any(1)
        most = best(count(rules.all_flips(positions)).float(), legal)
        moves = torch.where(~any_corner & (t < 0.8), most, pick(legal, self._random))
        return torch.where(any_corner & (t < 0.9), pick(corners, self._random), moves)


class EvaluatingOpponent:
    """One ply with square weights and what goes with them, uniformly among equals.

    What is counted is that of `game.evaluators.compiled`, as whoever has just moved sees it.
    """

    def __init__(
        self,
        rules: Rules,
        random: Randomness,
        weights: Tensor,
        mobility: float = 0.0,
        end: int = 0,
        results: bool = False,
    ) -> None:
        """`weights` is float32 [squares], or [games, squares] for each game its own.

        mobility: what the share (own - other's moves) / (own + other's moves) counts. end: from this many
        discs on, or with all corners taken, the difference of discs counts instead; 0 is never. results:
        whether a finished game counts by who won.
        """
        self._rules, self._random, self.weights = rules, random, weights
        self._mobility, self._end, self._results = mobility, end, results

    def choose(self, positions: Positions) -> Tensor:
        """See Opponent."""
        legal = to_mask(positions.legal, self._rules.squares)
        return best_of_equals(self.values(positions), legal, self._random)

    def restart(self, over: Tensor) -> None:
        """See Opponent: one game is as the other."""

    def values(self, positions: Positions) -> Tensor:
        """Return what a disc on each square is worth, float32 [n, squares]; of no meaning where illegal."""
        turned = self._rules.all_flips(positions)  # [n, squares]
        values = self._weighed(positions, turned)
        if self._end:
            values = torch.where(self._in_end_phase(positions), _difference(positions, turned), values)
        if self._mobility or self._results:
            values = self._with_moves(positions, turned, values)
        return values

    def _weighed(self, positions: Positions, turned: Tensor) -> Tensor:
        squares, weights = self._rules.squares, self.weights
        discs = to_mask(positions.own, squares).float() - to_mask(positions.opponent, squares).float()
        sums = (to_mask(turned, squares).float() @ weights[..., None]).squeeze(-1)  # [n, squares]
        return (discs * weights).sum(1, keepdim=True) + weights + 2 * sums

    def _in_end_phase(self, positions: Positions) -> Tensor:
        rules, discs = self._rules, positions.own | positions.opponent
        left = rules.corners & ~(discs[:, None] | rules.discs)
        return (count(discs)[:, None] + 1 >= self._end) | (left == 0)

    def _with_moves(self, positions: Positions, turned: Tensor, values: Tensor) -> Tensor:
        """Return values with what depends on both sides' moves behind the disc."""
        rules = self._rules
        mine, theirs = rules.place_all(positions, turned)
        both = rules.legal_moves(torch.stack([mine, theirs]), torch.stack([theirs, mine]))
        own, other = count(both).float()
        if self._mobility:
            share = self._mobility * (own - other) / (own + other).clamp(min=1)
            values = values + (share * ~self._in_end_phase(positions) if self._end else share)
        if self._results:
            won = torch.sign(_difference(positions, turned)) * WON
            values = torch.where(own + other == 0, won, values)
        return values


class RandomWeightsOpponent(EvaluatingOpponent):
    """One ply with square weights that are drawn anew for each game, corners dear and X-squares cheap.

    Corners 60 to 120, squares beside them -45 to 5 on the edge and -60 to 0 on the diagonal, other edges -5
    to 25, the inside -5 to 5; alike under all symmetries but for noise of deviation 1 on every square.
    """

    def __init__(self, rules: Rules, random: Randomness, games: int) -> None:
        half = rules.size // 2
        line = torch.arange(rules.size).clamp(max=half - 1)
        fold = torch.minimum(line, torch.arange(rules.size).flip(0))  # the distance from the nearer edge
        rows, columns = torch.meshgrid(fold, fold, indexing="ij")
        near, far = torch.minimum(rows, columns).flatten(), torch.maximum(rows, columns).flatten()
        device = rules.squares.device
        self._kind = (near * half + far).to(device)
        bounds = torch.tensor([_bounds(*kind) for kind in zip(near.tolist(), far.tolist(), strict=True)])
        self._low, self._high = bounds.to(device).unbind(1)
        self._half, self._games = half, games
        super().__init__(rules, random, torch.zeros(games, rules.cells, device=device))
        self.restart(torch.ones(games, dtype=torch.bool, device=device))

    def restart(self, over: Tensor) -> None:
        """See Opponent."""
        drawn = self._random.uniform(self._games, self._half * self._half)[:, self._kind]
        noise = (self._random.uniform(self._games, self._rules.cells) - 0.5) * 12**0.5
        fresh = self._low + (self._high - self._low) * drawn + noise
        self.weights.copy_(torch.where(over[:, None], fresh, self.weights))


def _difference(positions: Positions, turned: Tensor) -> Tensor:
    """Return own discs less the other's behind a disc on each square, float32 [n, squares]."""
    before = count(positions.own) - count(positions.opponent) + 1
    return (before[:, None] + 2 * count(turned)).float()


def _bounds(near: int, far: int) -> tuple[float, float]:
    """Return the least and the largest weight of squares by their distances from the nearest edges."""
    special = {(0, 0): (60.0, 120.0), (0, 1): (-45.0, 5.0), (1, 1): (-60.0, 0.0)}
    return special.get((near, far), (-5.0, 25.0) if near == 0 else (-5.0, 5.0))
