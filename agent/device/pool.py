"""The pool on a device: each opponent has games of its own, side by side."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from othello_lab.agent.device.learning import Judge
from othello_lab.agent.device.luck import Luck
from othello_lab.agent.device.opponents import (
    NTupleValues,
    OnePly,
    Opponent,
    RandomWeightsOpponent,
    SquareValues,
    corner_greedy,
    random_move,
)
from othello_lab.agent.device.rules import Positions, Rules
from othello_lab.agent.selfplay.pool import PAST, Share
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.evaluators.catalogue import end_phase, published_weights
from othello_lab.game.evaluators.evaluator import PatternEvaluator

_NTUPLE = "ntuple:pretrained"


class Seat(NamedTuple):
    """A player of the pool and its games, from `first` to before `last`."""

    name: str
    first: int
    last: int
    player: Opponent

    def choose(self, positions: Positions, luck: Luck) -> Tensor:
        """Return its moves, of the positions and luck of all games."""
        own = slice(self.first, self.last)
        mine = Positions(*(part[own] for part in positions))
        return self.player(mine, Luck(*(part[own] for part in luck)))


class Pool:
    """The players of the pool in their seats; the learner plays itself in the games behind theirs."""

    def __init__(
        self,
        shares: Sequence[Share],
        rules: Rules,
        games: int,
        past: Sequence[Judge] = (),
    ) -> None:
        """Past selves divide their share. Raises ValueError."""
        self.seats = list[Seat]()
        for name, share in shares:
            if name == PAST:
                for judge in past:
                    self._add(name, OnePly(rules, judge.values), round(share * games / len(past)))
            elif own := round(share * games):
                self._add(name, make_opponent(name, rules), own)

    def _add(self, name: str, player: Opponent, games: int) -> None:
        if games:
            self.seats.append(Seat(name, self.opposed, self.opposed + games, player))

    @property
    def opposed(self) -> int:
        """In how many games, the first ones, somebody plays against the learner."""
        return self.seats[-1].last if self.seats else 0

    def choose(self, positions: Positions, luck: Luck) -> Tensor:
        """Return what the players would play in the first `opposed` games, int64 [opposed]."""
        moves = [seat.choose(positions, luck) for seat in self.seats]
        return torch.cat(moves) if moves else positions.own[:0]


def make_opponent(name: str, rules: Rules) -> Opponent:
    """Return a player by its name; raises ValueError."""
    if name in _MAKERS:
        return _MAKERS[name](rules)
    raise ValueError(f"{name[:40]!r} does not play on a device: expected {', '.join(_MAKERS)} or {PAST}")


def _positional(rules: Rules) -> Opponent:
    weights = _published("wipeout", rules)
    return OnePly(rules, SquareValues(rules, weights, end=end_phase(rules.size), results=True))


def _mobility(rules: Rules) -> Opponent:
    weights = torch.tensor([10.0 * (rules.corners >> square & 1) for square in range(rules.cells)])
    weights = weights.to(rules.squares.device)
    return OnePly(rules, SquareValues(rules, weights, mobility=1.0, end=end_phase(rules.size), results=True))


def _weighing(name: str) -> Callable[[Rules], Opponent]:
    return lambda rules: OnePly(rules, SquareValues(rules, _published(name, rules), results=True))


def _ntuple(rules: Rules) -> Opponent:
    """Return the n-tuple network that ships."""
    found = make_evaluator(_NTUPLE, rules.size)
    assert isinstance(found, PatternEvaluator)  # noqa: S101  by its name
    return OnePly(rules, NTupleValues(rules, found))


_MAKERS: dict[str, Callable[[Rules], Opponent]] = {
    "random": lambda rules: partial(random_move, rules),
    "corner-greedy": lambda rules: partial(corner_greedy, rules),
    "positional": _positional,
    "mobility": _mobility,
    "random-weights": RandomWeightsOpponent,
    _NTUPLE: _ntuple,
    **{f"weights:{name}": _weighing(name) for name in ("swh", "heur", "bench")},
}


def _published(name: str, rules: Rules) -> Tensor:
    """Return a matrix of the literature, float32 [squares]."""
    matrix = torch.from_numpy(published_weights(name, rules.size)).float()
    return matrix.flatten().to(rules.squares.device)
