"""PPO as a learning method: games that its policy draws, and learning from those alone."""

from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Count,
    SavedPolicy,
    Stored,
    Values,
    column_arrays,
    columns_of,
    generator,
    join_columns,
    typed,
)
from othello_lab.agent.learner import Seeds
from othello_lab.agent.policy import BestMovePolicy, finite, positions_of
from othello_lab.agent.policy_value.base import seen
from othello_lab.agent.policy_value.guide import GuidePolicy, NetworkGuide
from othello_lab.agent.policy_value.learner import NetworkLearner
from othello_lab.agent.policy_value.network import Outputs, log_policy
from othello_lab.agent.ppo.method import PPOConfig
from othello_lab.agent.selfplay.games import Choices, Decisions, GameBatch, sum_backwards
from othello_lab.agent.weights import mean_of_symmetries
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.luck import SeatSeeds, draws
from othello_lab.game.play import Turn
from othello_lab.game.players.player import Player


class Experience(NamedTuple):
    """Decisions of whole games, [n]. What the other side does is a part of the world: a side's decision leads
    to its own next one, or to the end.
    """

    own: NDArray[np.uint64]
    """The discs of the side that decides, [n, words]."""
    opponent: NDArray[np.uint64]
    moves: NDArray[np.int64]
    """The square that was played."""
    ahead: NDArray[np.int64]
    """How many rows further down the side's next decision stands; 0 at its last one."""
    results: NDArray[np.int8]
    """How the game ended for the side: 1 won, 0 drawn, -1 lost."""


def none(size: int) -> Experience:
    """Return no decisions on boards of a size."""
    words, numbers = np.empty((0, words_of(size)), np.uint64), np.empty(0, np.int64)
    return Experience(words, words, numbers, numbers, np.empty(0, np.int8))


def experience_of(games: Decisions, own: NDArray[np.bool_]) -> Experience:
    """Return those decisions of games that are the learner's own, bool [n]: all of a side or none."""
    rows, following = np.cumsum(own) - 1, own_following(games)
    ahead = np.where(following < 0, 0, rows[following] - rows)
    positions = games.positions
    sides = positions.own[own], positions.opponent[own]
    return Experience(*sides, games.moves[own], ahead[own], games.results[own])


def own_following(games: Decisions) -> NDArray[np.int64]:
    """Return the number of the same side's next decision, -1 where there is none, [n]."""
    following, whose = games.next_index.copy(), games.discount.copy()
    while len(theirs := np.flatnonzero(whose < 0)):  # as often as the other side decides in a row
        passed = following[theirs]
        following[theirs], whose[theirs] = games.next_index[passed], -games.discount[passed]
    return following


def advantages(
    values: NDArray[np.float64], experience: Experience, gamma: float, lam: float
) -> NDArray[np.float64]:
    """Return how much better than the value each decision turned out, [n], by values that are [n].

    Generalised advantage estimation (Schulman et al. 2016, equation 16), where the only reward is the result:

        A(t) = delta(t) + gamma lambda A(t+1)     delta(t) = gamma V(t+1) - V(t), at the end result - V(t)
    """
    n, ahead = len(values), experience.ahead
    following = np.where(ahead == 0, -1, np.arange(n) + ahead)
    found = np.where(following < 0, experience.results, gamma * values[following]) - values
    sum_backwards(found, np.ones(n, np.bool_), following, np.full(n, gamma * lam), 1.0)
    return found


def check_experience(stored: Stored, experience: Experience, size: int) -> None:
    """Raise CheckpointError for stored decisions that are impossible in a game."""
    own, opponent, moves, ahead, results = experience
    n, rows = len(moves), np.arange(len(moves))
    on_board = ((moves >= 0) & (moves < size * size)).all() and not (own & opponent).any()
    linked = ((ahead >= 0) & (ahead < n - rows)).all() and np.isin(results, (-1, 0, 1)).all()
    if on_board and linked:
        legal = to_mask(legal_moves(Positions(size, own, opponent)), size)
        if legal[rows, moves].all():
            return
    raise CheckpointError(f"{stored.path} holds decisions that are those of no game")


class Batch(NamedTuple):
    """Decisions of an update, and what came of them."""

    seen: Tensor
    """Planes, [n, 4, squares]."""
    moves: Tensor
    """[n]"""
    before: Tensor
    """The logarithm of the move's probability when it was played, [n]."""
    advantages: Tensor
    """[n]"""
    returns: Tensor
    """What the value should be, [n]."""

    def take(self, rows: Tensor) -> "Batch":
        """Return some of them."""
        return Batch(*(part[rows] for part in self))


class Losses(NamedTuple):
    """The parts of the loss of a batch."""

    policy: Tensor
    """Minus the clipped objective."""
    value: Tensor
    """The mean squared error."""
    entropy: Tensor
    """Of the policy, in nats: more is more exploring."""
    clipped: Tensor
    """The share of decisions whose probability has gone further than the clip."""


def losses_of(outputs: Outputs, batch: Batch, clip: float) -> Losses:
    """Return the losses of a batch of which a network says `outputs`.

    With r the new probability of the move over the old one, the objective is the mean of
    min(r A, clip(r, 1 - clip, 1 + clip) A): Schulman et al. 2017, equation 7. A move has no gradient once its
    probability has gone far enough in the direction of its advantage.
    """
    illegal = batch.seen[:, 2] == 0
    logs = log_policy(outputs.logits, illegal)  # [n, squares]
    ratios = (logs.gather(1, batch.moves[:, None]).squeeze(1) - batch.before).exp()  # [n]
    limited = ratios.clamp(1 - clip, 1 + clip)
    return Losses(
        -torch.minimum(ratios * batch.advantages, limited * batch.advantages).mean(),
        functional.mse_loss(outputs.values, batch.returns),
        -(logs.exp() * logs.masked_fill(illegal, 0.0)).sum(1).mean(),
        ((ratios - 1).abs() > clip).float().mean(),
    )


PROBABILITY = "probability in the policy"
"""The unit of what it says of its moves."""


def policies_of(guide: NetworkGuide, positions: Positions, symmetric: bool = False) -> NDArray[np.float64]:
    """Return the probability of each square, [n, squares], 0 where it is illegal; each position has a move.

    With `symmetric` the logits are the mean over the 8 symmetries of the board.
    """
    shown = torch.from_numpy(seen(positions, guide.base))  # [n, 4 or 5, squares]
    logits = mean_of_symmetries(guide.logits, shown) if symmetric else guide.logits(shown)
    legal = shown[:, 2].numpy() > 0
    masked = np.where(legal, finite(logits.numpy()), -np.inf).astype(np.float64)
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


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    losses: tuple[float, float, float, float]
    """See `Losses`."""
    draws: dict[str, Any]
    """The random state that batches are drawn with."""


class PPOLearner(NetworkLearner[PPOConfig]):
    """Learns from its own decisions once there are enough of them, and forgets them then."""

    def __init__(self, config: PPOConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        super().__init__(config, size, seeds, device)
        self._held = none(size)
        self._losses = (0.0, 0.0, 0.0, 0.0)

    @property
    def numbers(self) -> dict[str, float]:
        """How many updates there were, the losses of the last ones, and how many decisions wait."""
        policy, value, entropy, clipped = self._losses
        told = {"policy_loss": policy, "value_loss": value, "entropy": entropy, "clipped": clipped}
        return {"updates": self._updates, "waiting": len(self._held.moves), **told}

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return a square by its probability; the most likely one where it plays its best."""
        positions = positions_of(stack[:1], self.size)
        if self._best:
            shares = move_shares(positions, self._best_guide, self.config.symmetric_play)
            return int(legal[shares.argmax()])
        return int(drawn(policies_of(self._guide, positions), rng.random(1))[0])

    def decide(self, turn: Turn, luck: SeatSeeds) -> Choices:
        """See `BatchLearner`: draw moves from the policy; that is the only exploration."""
        positions = turn.positions
        moves = drawn(policies_of(self._guide, positions), draws(luck, positions, 0))
        return Choices(moves, np.zeros(len(moves)), np.ones(len(moves), np.bool_))

    def learn_from(self, game: Decisions) -> None:
        """See `NetworkLearner`; a game in which it played its best is no sample of its policy."""
        if not self._best:
            self._take(experience_of(game, np.ones(len(game), np.bool_)))

    def learn(self, played: GameBatch) -> None:
        """See `BatchLearner`."""
        self._take(experience_of(played, played.greedy))

    def _take(self, more: Experience) -> None:
        self._held = join_columns([self._held, more])
        if len(self._held.moves) >= self.config.horizon:
            self._learn_all(self._batch())
            self._held = none(self.size)

    def _batch(self) -> Batch:
        """Return all decisions that wait, as the network sees them before it learns: as when it played."""
        held, config = self._held, self.config
        shown = torch.from_numpy(seen(Positions(self.size, held.own, held.opponent), self._base))
        outputs, moves = self._guide.outputs(shown), torch.from_numpy(held.moves)
        logs = log_policy(outputs.logits.cpu(), shown[:, 2] == 0).gather(1, moves[:, None]).squeeze(1)
        values = outputs.values.cpu().numpy().astype(np.float64)
        found = advantages(values, held, config.gamma, config.lam)
        scaled = (found - found.mean()) / (found.std() + 1e-8)
        numbers = (torch.from_numpy(each.astype(np.float32)) for each in (scaled, found + values))
        return Batch(*(part.to(self._device) for part in (shown, moves, logs, *numbers)))

    def _learn_all(self, batch: Batch) -> None:
        n, losses = len(batch.moves), []
        for _ in range(self.config.epochs):
            order = torch.from_numpy(self._rng.permutation(n)).to(self._device)
            losses += [
                self._learn(batch.take(rows)) for rows in order.tensor_split(-(-n // self.config.batch))
            ]
        policy, value, entropy, clipped = torch.stack(losses).mean(0).tolist()
        self._losses = policy, value, entropy, clipped

    def _learn(self, batch: Batch) -> torch.Tensor:
        config = self.config
        losses = losses_of(self._learning.network(batch.seen), batch, config.clip)
        worth = config.value_weight * losses.value - config.entropy_weight * losses.entropy
        self.update(losses.policy + worth, config.clip_norm)
        return torch.stack(losses).detach()

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the networks, the optimiser, and the decisions that wait."""
        values = msgspec.to_builtins(
            SavedState(self._updates, self._losses, dict(self._rng.bit_generator.state))
        )
        return self.learned() | column_arrays(self._held), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, SavedState)
        held, arrays = columns_of(stored, self._held)
        check_experience(stored, held, self.size)
        rng = generator(stored.path, saved.draws)
        self.take_learned(stored, arrays)
        self._held, self._rng = held, rng
        self._updates, self._losses = saved.updates, saved.losses

    def take_policy(self, saved: SavedPolicy[PPOConfig]) -> None:
        """See `NetworkLearner`: what another policy has decided is not learned from."""
        super().take_policy(saved)
        self._held = none(self.size)
