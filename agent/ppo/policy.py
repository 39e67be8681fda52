"""A trained PPO network: it plays the move that its policy finds most likely to be best."""

from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.policy import BestMovePolicy
from othello_lab.agent.policy_value.base import seen
from othello_lab.agent.policy_value.guide import GuidePolicy, NetworkGuide
from othello_lab.agent.ppo.method import PPOConfig
from othello_lab.agent.symmetric import mean_of_symmetries
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.players.base import Player

PROBABILITY = "probability in the policy"
"""The unit of what it says of its moves."""


def policies_of(guide: NetworkGuide, positions: Positions, symmetric: bool = False) -> NDArray[np.float64]:
    """Return the probability of each square, [n, squares], 0 where it is illegal; each position has a move.

    With `symmetric` the logits are the mean over the 8 symmetries of the board.
    """
    shown = torch.from_numpy(seen(positions, guide.base))  # [n, 4 or 5, squares]
    logits = mean_of_symmetries(guide.logits, shown) if symmetric else guide.logits(shown)
    legal = shown[:, 2].numpy() > 0
    masked = np.where(legal, logits.numpy(), -np.inf).astype(np.float64)
    shares = np.exp(masked - masked.max(1, keepdims=True))
    found: NDArray[np.float64] = shares / shares.sum(1, keepdims=True)
    return found


def drawn(policies: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a square of each policy by its probabilities, [n]; `draws` are uniform, 0 to below 1, [n]."""
    sums = policies.cumsum(1)
    found: NDArray[np.int64] = (sums / sums[:, -1:] > draws[:, None]).argmax(1)
    return found


def move_shares(positions: Positions, guide: NetworkGuide, symmetric: bool) -> NDArray[np.float64]:
    """Return the probability of each legal move, float64 [moves], ordered as in `agent.policy.MoveJudge`."""
    return policies_of(guide, positions, symmetric)[to_mask(legal_moves(positions), positions.size)]


class PPOPolicy(GuidePolicy[PPOConfig]):
    """Plays the most likely move."""

    def player(self) -> Player:
        """See `Learned`."""
        judge = partial(move_shares, guide=self.guide, symmetric=self.config.symmetric_play)
        return BestMovePolicy(judge, PROBABILITY)
