"""The rules and the random numbers of a device against those of the processor, bit for bit."""

import torch
from torch import Tensor

from agent.device.choosing import pick
from agent.device.randomness import Randomness
from agent.device.rules import SIZES, Rules
from agent.device.words import to_mask

GAMES = 10_000
"""Random games of each size: more than a million positions."""


def check(device: torch.device, games: int = GAMES) -> int:
    """Play the same random games on a device and on the processor; return how many positions there were.

    Raises ValueError for the first ply after which anything differs.
    """
    return sum(_check_size(size, device, games) for size in SIZES)


def _check_size(size: int, device: torch.device, games: int) -> int:
    sides = [_Side(size, torch.device("cpu"), games), _Side(size, device, games)]
    over, seen = torch.zeros(games, dtype=torch.bool), 0
    for ply in range(size * size - 4):
        seen += int((~over).sum())
        here, there = (side.play() for side in sides)
        if not all(torch.equal(own, other.cpu()) for own, other in zip(here, there, strict=True)):
            raise ValueError(
                f"{device} and the processor differ on {size}x{size}, ply {ply + 1} of a random game"
            )
        over |= here[-2] == 0
    return seen


class _Side:
    """Random games on one device."""

    def __init__(self, size: int, device: torch.device, games: int) -> None:
        self._rules, self._random = Rules(size, device), Randomness(size, device)
        self._positions = self._rules.start(games)

    def play(self) -> list[Tensor]:
        """Make a ply in all games; return all that came of it, the sign and the result last."""
        square = pick(to_mask(self._positions.legal, self._rules.squares), self._random)
        played = self._rules.play(self._positions, square)
        self._positions = played.positions
        return [*played.positions, played.sign, played.result]
