"""Players that choose in thousands of games at once, computed on the device."""

from collections.abc import Callable

import torch
from torch import Tensor

from othello_lab.agent.device.luck import Luck, best, best_of_equals, drawn, pick, uniform, uniforms
from othello_lab.agent.device.rules import Positions, Rules, count, to_mask
from othello_lab.game.evaluators.evaluator import PatternEvaluator
from othello_lab.game.evaluators.pattern_kernels import DEVELOPED, FEW_STAGES
from othello_lab.game.evaluators.patterns import MOST

WON = 1e9
"""What a finished game is worth to those who look for it: more than any evaluation."""


Opponent = Callable[[Positions, Luck], Tensor]
"""A square of each position, int64 [n], a legal one where there is any: what the player of that name in
`game.players` chooses with the same luck."""


def random_move(rules: Rules, positions: Positions, luck: Luck) -> Tensor:
    """Choose any legal move, uniformly."""
    return pick(to_mask(positions.legal, rules.squares), drawn(luck.turn, 0))


def corner_greedy(rules: Rules, positions: Positions, luck: Luck) -> Tensor:
    """Choose as the opponent of the 2017 trio: `game.players.one_move.CornerGreedyPlayer`."""
    t, on_offer = uniform(drawn(luck.turn, 1)), positions.legal & rules.corners
    among = torch.where((on_offer != 0) & (t < 0.9), on_offer, positions.legal)
    picked = pick(to_mask(among, rules.squares), drawn(luck.turn, 0))
    most = best(count(rules.all_flips(positions)).float(), to_mask(positions.legal, rules.squares))
    return torch.where((on_offer == 0) & (t < 0.8), most, picked)


class OnePly:
    """One of the moves of the largest value, uniformly."""

    def __init__(self, rules: Rules, values: Callable[[Positions], Tensor]) -> None:
        """`values` says what a disc on each square is worth, float32 [n, squares]."""
        self._rules, self.values = rules, values

    def __call__(self, positions: Positions, luck: Luck) -> Tensor:
        """See `Opponent`."""
        legal = to_mask(positions.legal, self._rules.squares)
        return best_of_equals(self.values(positions), legal, drawn(luck.turn, 0))


class SquareValues:
    """What moves are worth by square weights, and what goes with them.

    What is counted is that of `game.evaluators.evaluator`, as whoever has just moved sees it.
    """

    def __init__(
        self,
        rules: Rules,
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
        self._rules, self._weights = rules, weights
        self._mobility, self._end, self._results = mobility, end, results

    def __call__(self, positions: Positions) -> Tensor:
        """Return what a disc on each square is worth, float32 [n, squares]; of no meaning where illegal."""
        turned = self._rules.all_flips(positions)  # [n, squares]
        values = self._weighed(positions, turned)
        if self._end:
            values = torch.where(self._in_end_phase(positions), _difference(positions, turned), values)
        if self._mobility or self._results:
            values = self._with_moves(positions, turned, values)
        return values

    def _weighed(self, positions: Positions, turned: Tensor) -> Tensor:
        squares, weights = self._rules.squares, self._weights
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


class RandomWeightsOpponent:
    """One ply with square weights drawn anew for each game: `agent.selfplay.pool.RandomWeights`."""

    def __init__(self, rules: Rules) -> None:
        half = rules.size // 2
        line = torch.arange(rules.size).clamp(max=half - 1)
        fold = torch.minimum(line, torch.arange(rules.size).flip(0))  # the distance from the nearer edge
        rows, columns = torch.meshgrid(fold, fold, indexing="ij")
        near, far = torch.minimum(rows, columns).flatten(), torch.maximum(rows, columns).flatten()
        device = rules.squares.device
        self._kind = (near * half + far).to(device)
        bounds = torch.tensor([_bounds(*kind) for kind in zip(near.tolist(), far.tolist(), strict=True)])
        self._low, self._high = bounds.double().to(device).unbind(1)
        self._rules, self._kinds = rules, half * half

    def __call__(self, positions: Positions, luck: Luck) -> Tensor:
        """See `Opponent`."""
        values = SquareValues(self._rules, self._weights(luck.seat))
        return OnePly(self._rules, values)(positions, luck)

    def _weights(self, seat: Tensor) -> Tensor:
        """Return the weights of games by the luck of the seat, float32 [n, squares]."""
        numbers = uniforms(seat, self._kinds + self._rules.cells)
        found = self._low + (self._high - self._low) * numbers[:, self._kind]
        return (found + 4 * numbers[:, self._kinds :] - 2).float()


def _difference(positions: Positions, turned: Tensor) -> Tensor:
    """Return own discs less the other's behind a disc on each square, float32 [n, squares]."""
    before = count(positions.own) - count(positions.opponent) + 1
    return (before[:, None] + 2 * count(turned)).float()


def _bounds(near: int, far: int) -> tuple[float, float]:
    """Return the least and the largest weight of squares by their distances from the nearest edges."""
    special = {(0, 0): (60.0, 120.0), (0, 1): (-45.0, 5.0), (1, 1): (-60.0, 0.0)}
    return special.get((near, far), (-5.0, 25.0) if near == 0 else (-5.0, 5.0))


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
