"""The replay memory on a device: a row for each ply of all games, the oldest overwritten."""

from typing import NamedTuple

import torch
from torch import Tensor

from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.rules import Played, Positions

_FIELDS = len(Positions._fields)
_SIGN, _RESULT, _GREEDY = 8, 10, 12
"""Bit offsets in a note of all but the square: one gather reads everything."""


class Batch(NamedTuple):
    """Transitions from one decision to another, [n] each."""

    words: Tensor
    """int64 [n, 4], the position before the first, its fields as those of Positions."""
    square: Tensor
    """int64: what was played there."""
    reward: Tensor
    """float32: the result for who played it, if the game ended in between; else 0."""
    discount: Tensor
    """float32: the sign of the second decision, discounted; 0 after the end."""
    following: Tensor
    """int64 [n, 4]: the position before the second."""


class Ring:
    """What was decided in each game, ply by ply.

    A game's next decision stands one row later, so that no position is stored twice. Where a game has ended
    that row belongs to another: nothing is bootstrapped from it.
    """

    def __init__(self, rows: int, games: int, gamma: float, n_step: int, device: torch.device) -> None:
        """`n_step`: decisions that a transition may span; see `sample`."""
        self.rows, self.games = rows, games
        self._gamma, self._n_step = gamma, n_step
        self._held = torch.zeros(rows, games, _FIELDS + 1, dtype=torch.int64, device=device)
        self._written = torch.zeros((), dtype=torch.int64, device=device)

    def write(self, positions: Positions, square: Tensor, played: Played, greedy: Tensor) -> None:
        """Add a row: what was decided in each game, what came of it.

        `greedy` bool [games]: whether it was the learner's best move.
        """
        note = square | (played.sign + 1) << _SIGN | (played.result + 1) << _RESULT
        row = torch.stack([*positions, note | greedy.long() << _GREEDY], 1)
        self._held.index_copy_(0, (self._written % self.rows).view(1), row[None])
        self._written += 1

    def sample(self, count: int, random: Randomness) -> Batch:
        """Return transitions, drawn uniformly, of up to n decisions (n-step, Watkins' cut).

        A transition goes on over the next decision only if that was the learner's best move: what other moves
        led to tells nothing of it. There must be more rows than n.
        """
        latest = self._written - 1
        age = self._n_step + random.below(self._written.clamp(max=self.rows) - self._n_step, count)
        place = (latest - age) % self.rows * self.games + random.below(self.games, count)
        held = self._held.view(-1, _FIELDS + 1)
        first = held[place]
        reward, discount, following = self._look_ahead(held, place, first)
        return Batch(first[:, :_FIELDS], first[:, _FIELDS] & 0xFF, reward, discount, following)

    def _look_ahead(self, held: Tensor, place: Tensor, row: Tensor) -> tuple[Tensor, ...]:
        on = torch.ones_like(place, dtype=torch.bool)
        reward, discount = torch.zeros(2, len(place), device=place.device).unbind(0)
        discount = discount + 1
        following = row[:, :_FIELDS]
        for _ in range(self._n_step):
            sign, result = _part(row[:, _FIELDS], _SIGN) - 1, _part(row[:, _FIELDS], _RESULT) - 1
            reward = torch.where(on, reward + discount * result, reward)
            discount = torch.where(on, discount * sign * self._gamma, discount)
            place = (place + self.games) % (self.rows * self.games)
            row = held[place]
            following = torch.where(on[:, None], row[:, :_FIELDS], following)
            on = on & (row[:, _FIELDS] >> _GREEDY != 0) & (discount != 0)
        return reward, discount, following


def _part(note: Tensor, where: int) -> Tensor:
    return (note >> where) & 3
