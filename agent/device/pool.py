"""The pool on a device: each opponent has games of its own, side by side."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from agent import checkpoint
from agent.checkpoint import CheckpointError
from agent.device.networks import Judge
from agent.device.opponents import (
    CornerGreedyOpponent,
    EvaluatingOpponent,
    Opponent,
    RandomOpponent,
    RandomWeightsOpponent,
)
from agent.device.patterns import Network, NTupleOpponent
from agent.device.randomness import Randomness
from agent.device.rules import Positions, Rules
from agent.selfplay.shares import PAST, Share

_ROOT = Path(__file__).parent.parent
_MATRICES = _ROOT.parent / "game" / "evaluators" / "matrices.json"
"""Read as a file: the package around it needs compiled code."""


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
    return EvaluatingOpponent(rules, random, _published("wipeout", rules), end=_end(rules), results=True)


def _mobility(rules: Rules, random: Randomness) -> Opponent:
    weights = torch.tensor([10.0 * (rules.corners >> square & 1) for square in range(rules.cells)])
    weights = weights.to(rules.squares.device)
    return EvaluatingOpponent(rules, random, weights, mobility=1.0, end=_end(rules), results=True)


def _weighing(name: str) -> Callable[[Rules, Randomness], Opponent]:
    return lambda rules, random: EvaluatingOpponent(rules, random, _published(name, rules))


def _ntuple(rules: Rules, random: Randomness) -> Opponent:
    """Return the n-tuple network that ships."""
    size = rules.size
    stored = checkpoint.load(_ROOT / "ntuple" / "pretrained" / f"{size}x{size}.safetensors", "ntuple")
    try:
        config = stored.values["config"]
        names = [text.split() for text in config["patterns"]]
        weights = torch.from_numpy(stored.arrays["plays"].astype(np.float32)).to(rules.squares.device)
        classes = [[_square(name, size) for name in squares] for squares in names]
        network = Network(classes, weights, bool(config["counts"]), int(config["few"]))
    except (KeyError, TypeError, AttributeError, ValueError):
        raise CheckpointError(f"{stored.path} is no n-tuple network of this version") from None
    return NTupleOpponent(rules, random, network)


def _square(name: str, size: int) -> int:
    return "abcdefgh".index(name[0]) + size * (int(name[1:]) - 1)


_MAKERS: dict[str, Callable[[Rules, Randomness], Opponent]] = {
    "random": RandomOpponent,
    "corner-greedy": CornerGreedyOpponent,
    "positional": _positional,
    "mobility": _mobility,
    "ntuple": _ntuple,
    **{f"weights:{name}": _weighing(name) for name in ("swh", "heur", "bench")},
}


def _end(rules: Rules) -> int:
    """Return from how many discs on van Eck's players count discs: `game.evaluators.catalogue.end_phase`."""
    return -(-4 * rules.cells // 5)


def _published(name: str, rules: Rules) -> Tensor:
    """Return a matrix of the literature, float32 [squares], as `game.evaluators.weights.published`."""
    matrix = torch.tensor(json.loads(_MATRICES.read_text("utf-8"))[name], dtype=torch.float32)
    half = [min(distance, len(matrix) // 2 - 1) for distance in range(rules.size // 2)]
    lines = half + [len(matrix) - 1 - distance for distance in reversed(half)]
    return matrix[lines][:, lines].flatten().to(rules.squares.device)
