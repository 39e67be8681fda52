"""The pool on a device: each opponent has games of its own, side by side."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from agent.device.networks import Judge
from agent.device.opponents import (
    CornerGreedyOpponent,
    EvaluatingOpponent,
    Opponent,
    RandomOpponent,
    RandomWeightsOpponent,
)
from agent.device.patterns import NTupleOpponent
from agent.device.randomness import Randomness
from agent.device.rules import Positions, Rules
from agent.selfplay.shares import PAST, Share
from game.evaluators import make_evaluator
from game.evaluators.catalogue import end_phase
from game.evaluators.network import PatternEvaluator
from game.evaluators.weights import published

_NTUPLE = "ntuple:pretrained"


class Seat(NamedTuple):
    """A player of the pool and its games, from `first` to before `last`."""

    name: str
    first: int
    last: int
    player: Opponent


class Pool:
    """The players of the pool in their seats; the learner plays itself in the games behind theirs."""

    def __init__(
        self,
        shares: Sequence[Share],
        rules: Rules,
        random: Randomness,
        games: int,
        past: Sequence[Judge] = (),
    ) -> None:
        """Past selves divide their share. Raises ValueError."""
        self.seats = list[Seat]()
        for name, share in shares:
            if name == PAST:
                for judge in past:
                    self._add(name, judge, round(share * games / len(past)))
            elif own := round(share * games):
                self._add(name, make_opponent(name, rules, random, own), own)

    def _add(self, name: str, player: Opponent, games: int) -> None:
        if games:
            self.seats.append(Seat(name, self.opposed, self.opposed + games, player))

    @property
    def opposed(self) -> int:
        """In how many games, the first ones, somebody plays against the learner."""
        return self.seats[-1].last if self.seats else 0

    def choose(self, positions: Positions) -> Tensor:
        """Return what the players would play in the first `opposed` games, int64 [opposed]."""
        moves = [
            seat.player.choose(Positions(*(part[seat.first : seat.last] for part in positions)))
            for seat in self.seats
        ]
        return torch.cat(moves) if moves else positions.own[:0]

    def restart(self, over: Tensor) -> None:
        """Tell the players where new games begin, bool [games]."""
        for seat in self.seats:
            seat.player.restart(over[seat.first : seat.last])


def make_opponent(name: str, rules: Rules, random: Randomness, games: int) -> Opponent:
    """Return a player of this many games by its name; raises ValueError."""
    if name == "random-weights":
        return RandomWeightsOpponent(rules, random, games)
    if name in _MAKERS:
        return _MAKERS[name](rules, random)
    known = ", ".join([*_MAKERS, "random-weights"])
    raise ValueError(f"{name[:40]!r} does not play on a device: expected {known} or {PAST}")


def _positional(rules: Rules, random: Randomness) -> Opponent:
    return EvaluatingOpponent(
        rules, random, _published("wipeout", rules), end=end_phase(rules.size), results=True
    )


def _mobility(rules: Rules, random: Randomness) -> Opponent:
    weights = torch.tensor([10.0 * (rules.corners >> square & 1) for square in range(rules.cells)])
    weights = weights.to(rules.squares.device)
    return EvaluatingOpponent(rules, random, weights, mobility=1.0, end=end_phase(rules.size), results=True)


def _weighing(name: str) -> Callable[[Rules, Randomness], Opponent]:
    return lambda rules, random: EvaluatingOpponent(rules, random, _published(name, rules))


def _ntuple(rules: Rules, random: Randomness) -> Opponent:
    """Return the n-tuple network that ships."""
    found = make_evaluator(_NTUPLE, rules.size)
    assert isinstance(found, PatternEvaluator)  # noqa: S101  by its name
    return NTupleOpponent(rules, random, found)


_MAKERS: dict[str, Callable[[Rules, Randomness], Opponent]] = {
    "random": RandomOpponent,
    "corner-greedy": CornerGreedyOpponent,
    "positional": _positional,
    "mobility": _mobility,
    _NTUPLE: _ntuple,
    **{f"weights:{name}": _weighing(name) for name in ("swh", "heur", "bench")},
}


def _published(name: str, rules: Rules) -> Tensor:
    """Return a matrix of the literature, float32 [squares]."""
    matrix = torch.from_numpy(published(name, rules.size)).float()
    return matrix.flatten().to(rules.squares.device)
