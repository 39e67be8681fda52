"""Q-networks of `agent.dqn` on a device: what they see, and what they say of squares."""

from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from agent.device.rules import Positions, Rules


def planes(words: Tensor, squares: Tensor) -> Tensor:
    """Return the four planes of `game.observation`, float32 [n, 4, squares].

    words: int64 [n, 4], a position's fields in the order of `Positions`.
    """
    return ((words[..., None] >> squares) & 1).float()


def mixed_precision(device: torch.device) -> AbstractContextManager[None]:
    """Return the context in which networks compute: in bfloat16 on CUDA, as they are elsewhere.

    Nothing is kept from one use to the next, as recorded CUDA graphs need it.
    """
    on = device.type == "cuda"
    context: AbstractContextManager[None] = torch.autocast(
        device.type, torch.bfloat16, enabled=on, cache_enabled=False
    )
    return context


class Judge:
    """A network that values the squares of positions."""

    def __init__(self, rules: Rules, network: nn.Module) -> None:
        self._rules, self.network = rules, network

    @torch.no_grad()
    def values(self, positions: Positions) -> Tensor:
        """Return the values, float32 [n, squares]."""
        seen = planes(torch.stack(positions, 1), self._rules.squares)
        with mixed_precision(seen.device):
            found: Tensor = self.network(seen)
        return found.float()
