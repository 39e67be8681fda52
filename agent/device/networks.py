"""Q-networks of `agent.dqn` on a device: what they see, and what they say of squares."""

from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from agent.device.choosing import best
from agent.device.rules import Positions, Rules
from agent.device.words import to_mask
from game import symmetry


def planes(words: Tensor, squares: Tensor) -> Tensor:
    """Return the four planes of `game.observation`, float32 [n, 4, squares].

    words: int64 [n, 4], a position's fields in the order of `Positions`.
    """
    return ((words[..., None] >> squares) & 1).float()


def turns(size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return `game.symmetry.inverses` and `permutations` on a device, int64 [8, squares]."""
    inverses, permutations = symmetry.inverses(size), symmetry.permutations(size)
    return torch.tensor(inverses, device=device), torch.tensor(permutations, device=device)


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

    def __init__(self, rules: Rules, network: nn.Module, symmetric: bool = False) -> None:
        """With `symmetric` it is the mean over the 8 symmetries of the board, as in `agent.dqn.acting`."""
        self._rules, self.network, self._symmetric = rules, network, symmetric
        self._device = rules.squares.device
        self._sources, self._targets = turns(rules.size, self._device)

    @torch.no_grad()
    def values(self, positions: Positions) -> Tensor:
        """Return the values, float32 [n, squares]."""
        seen = planes(torch.stack(positions, 1), self._rules.squares)
        with mixed_precision(self._device):
            if not self._symmetric:
                found: Tensor = self.network(seen)
                return found.float()
            turned = seen[:, :, self._sources].transpose(1, 2).flatten(0, 1)  # [n * 8, 4, squares]
            found = self.network(turned).float().view(len(seen), symmetry.SYMMETRIES, -1)
        return found.gather(2, self._targets.expand(len(seen), -1, -1)).mean(1)

    def choose(self, positions: Positions) -> Tensor:
        """Return the legal square of the highest value, int64 [n]."""
        return best(self.values(positions), to_mask(positions.legal, self._rules.squares))

    def restart(self, over: Tensor) -> None:
        """See `agent.device.opponents.Opponent`: one game is as the other."""
