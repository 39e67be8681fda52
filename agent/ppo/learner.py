"""PPO. The policy draws moves by their probabilities, and learns only from its own games."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.checkpoint import CheckpointError, SavedState
from othello_lab.agent.learner import Seeds
from othello_lab.agent.network_learner import join_columns
from othello_lab.agent.policy import BestMovePolicy, Learned, finite, positions_of
from othello_lab.agent.policy_value.network import (
    GuideLearner,
    GuidePolicy,
    NetworkGuide,
    Outputs,
    log_policy,
    network_inputs,
)
from othello_lab.agent.ppo.method import PPOConfig
from othello_lab.agent.selfplay.games import Choices, Decisions, GameBatch, sum_backwards
from othello_lab.agent.weights import mean_of_symmetries
from othello_lab.game.batch import Positions, draws, legal_moves, to_mask
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.play import Turn
from othello_lab.game.players.player import Player

_NUMBERS = ("policy_loss", "value_loss", "entropy", "clipped")  # The names of `Losses` in the log.
PROBABILITY = "probability in the policy"  # The unit of the values of moves.


class Experience(NamedTuple):
    """Decisions of whole games, [n]. The decisions of each side are in the order of play."""

    own: NDArray[np.uint64]  # The discs of the side to move as bits, [n, words].
    opponent: NDArray[np.uint64]
    moves: NDArray[np.int64]  # The squares played, [n].
    ahead: NDArray[np.int64]  # The number of rows to the side's next decision, or 0 at the last one, [n].
    results: NDArray[np.int8]  # The result for the side to move: 1 won, 0 drawn, -1 lost, [n].


def no_experience(size: int) -> Experience:
    """Return empty arrays of decisions for a board size."""
    words, numbers = np.empty((0, words_of(size)), np.uint64), np.empty(0, np.int64)
    return Experience(words, words, numbers, numbers, np.empty(0, np.int8))


def experience_of(games: Decisions, chosen: NDArray[np.bool_]) -> Experience:
    """Return the decisions that `chosen`, bool [n], marks. It must mark all or no decisions of a side."""
    rows, next_index = np.cumsum(chosen) - 1, same_side_next(games)
    ahead = np.where(next_index < 0, 0, rows[next_index] - rows)
    own, opponent = games.positions.own[chosen], games.positions.opponent[chosen]
    return Experience(own, opponent, games.moves[chosen], ahead[chosen], games.results[chosen])


def same_side_next(games: Decisions) -> NDArray[np.int64]:
    """Return the index of the same side's next decision, or -1 if there is none, [n]."""
    next_index, sign = games.next_index.copy(), games.discount.copy()
    while len(rows := np.flatnonzero(sign < 0)):  # repeat until no next decision belongs to the other side
        skipped = next_index[rows]
        next_index[rows], sign[rows] = games.next_index[skipped], -games.discount[skipped]
    return next_index


def advantages(
    values: NDArray[np.float64], experience: Experience, gamma: float, lam: float
) -> NDArray[np.float64]:
    """Return the advantage of each decision, [n]. `values`, [n], holds the values of the positions.

    This is generalised advantage estimation (Schulman et al. 2016, equation 16), with the result as the only
    reward:

        A(t) = delta(t) + gamma lambda A(t+1)     delta(t) = gamma V(t+1) - V(t), at the end result - V(t)
    """
    n, ahead = len(values), experience.ahead
    next_index = np.where(ahead == 0, -1, np.arange(n) + ahead)
    sums = np.where(next_index < 0, experience.results, gamma * values[next_index]) - values
    sum_backwards(sums, np.ones(n, np.bool_), next_index, np.full(n, gamma * lam), 1.0)
    return sums


def _legal(positions: Positions) -> NDArray[np.bool_]:
    return to_mask(legal_moves(positions), positions.size)  # [n, squares]


class TrainingBatch(NamedTuple):
    """Decisions for an update, with advantages and targets."""

    inputs: Tensor  # The inputs of the network from `network_inputs`, [n, 4 or 5, squares].
    moves: Tensor  # The squares played, [n].
    log_before: Tensor  # The log probability of the move before the update, [n].
    advantages: Tensor  # The normalised advantages (mean 0, standard deviation 1), [n].
    returns: Tensor  # The targets for the values, [n].

    def take(self, rows: Tensor) -> "TrainingBatch":
        """Return the decisions in `rows`."""
        return TrainingBatch(*(part[rows] for part in self))


class Losses(NamedTuple):
    """The three losses of a batch, and the share of clipped decisions."""

    policy: Tensor  # The negative clipped objective of PPO.
    value: Tensor  # The mean squared error of the value.
    entropy: Tensor  # The entropy of the policy, in nats.
    clipped: Tensor  # The share of decisions with a probability ratio outside the clip range.


def losses_of(outputs: Outputs, batch: TrainingBatch, clip: float) -> Losses:
    """Return the losses of a batch for the outputs of a network.

    The objective is the mean of min(r A, clip(r, 1 - clip, 1 + clip) A) (Schulman et al. 2017, equation 7). A
    is the advantage. r is the new probability of the move divided by the old probability.
    """
    illegal = batch.inputs[:, 2] == 0
    logs = log_policy(outputs.logits, illegal)  # [n, squares]
    ratios = (logs.gather(1, batch.moves[:, None]).squeeze(1) - batch.log_before).exp()  # [n]
    limited = ratios.clamp(1 - clip, 1 + clip)
    return Losses(
        -torch.minimum(ratios * batch.advantages, limited * batch.advantages).mean(),
        functional.mse_loss(outputs.values, batch.returns),
        -(logs.exp() * logs.masked_fill(illegal, 0.0)).sum(1).mean(),
        ((ratios - 1).abs() > clip).float().mean(),
    )


def policies_of(guide: NetworkGuide, positions: Positions, symmetric: bool = False) -> NDArray[np.float64]:
    """Return the probability of each square, [n, squares], which is 0 for illegal squares.

    Each position must have a legal move. If `symmetric` is True, logits are means over the 8 symmetries.
    """

    def logits_of(inputs: Tensor) -> Tensor:
        return guide.outputs(inputs).logits.cpu()

    inputs = torch.from_numpy(network_inputs(positions, guide.base))
    logits = mean_of_symmetries(logits_of, inputs) if symmetric else logits_of(inputs)
    masked = np.where(inputs[:, 2].numpy() > 0, finite(logits.numpy()), -np.inf).astype(np.float64)
    weights = np.exp(masked - masked.max(1, keepdims=True))
    policies: NDArray[np.float64] = weights / weights.sum(1, keepdims=True)
    return policies


def sample_moves(policies: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.int64]:
    """Draw a square from each policy, [n]. `uniform`, [n], has random numbers from 0 to below 1."""
    sums = policies.cumsum(1)
    moves: NDArray[np.int64] = (sums / sums[:, -1:] > uniform[:, None]).argmax(1)
    return moves


def move_probabilities(positions: Positions, guide: NetworkGuide, symmetric: bool) -> NDArray[np.float64]:
    """Return the probabilities of all legal moves in all positions, float64 [moves]."""
    return policies_of(guide, positions, symmetric)[_legal(positions)]


class PPOPolicy(GuidePolicy[PPOConfig]):
    """A trained network. Its player chooses the most likely move."""

    def player(self) -> Player:
        """Return a player that plays the most likely move."""
        symmetric = self.config.symmetric_play
        return BestMovePolicy(partial(move_probabilities, guide=self.guide, symmetric=symmetric), PROBABILITY)


class PPOLearner(GuideLearner[PPOConfig]):
    """Learns from its own decisions when `horizon` decisions are waiting, then forgets these decisions."""

    def __init__(self, config: PPOConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        super().__init__(config, size, seeds, device)
        self.saved = SavedState(0, dict.fromkeys(_NUMBERS, 0.0), {})
        self.decisions = no_experience(size)

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers of updates and waiting decisions, and the mean losses of the last updates."""
        waiting = len(self.decisions.moves)
        return {"updates": self.saved.updates, "waiting": waiting, **self.saved.numbers}

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Draw a square from the policy. While exploring is frozen, return the most likely square."""
        positions = positions_of(stack[:1], self.size)
        if self._best:
            shares = move_probabilities(positions, self.best_guide, self.config.symmetric_play)
            return int(legal[shares.argmax()])
        return int(sample_moves(policies_of(self.guide, positions), rng.random(1))[0])

    def decide(self, turn: Turn, luck: SeatSeeds) -> Choices:
        """Draw moves from the policy, without other exploration."""
        positions = turn.positions
        moves = sample_moves(policies_of(self.guide, positions), draws(luck, positions, 0))
        return Choices(moves, np.zeros(len(moves)), np.ones(len(moves), np.bool_))

    def learn_from(self, game: Decisions) -> None:
        """Add the decisions of a game, unless exploring was frozen."""
        if not self._best:
            self._add(experience_of(game, np.ones(len(game), np.bool_)))

    def learn(self, batch: GameBatch) -> None:
        """Add the policy's decisions in the games, but not the opponents' decisions."""
        self._add(experience_of(batch, batch.on_policy))

    def _add(self, more: Experience) -> None:
        self.decisions = join_columns([self.decisions, more])
        if len(self.decisions.moves) >= self.config.horizon:
            self._learn_all(self._training_batch())
            self.decisions = no_experience(self.size)

    def _training_batch(self) -> TrainingBatch:
        experience, config = self.decisions, self.config
        positions = Positions(self.size, experience.own, experience.opponent)
        inputs = torch.from_numpy(network_inputs(positions, self.base))
        outputs, moves = self.guide.outputs(inputs), torch.from_numpy(experience.moves)
        logs = log_policy(outputs.logits.cpu(), inputs[:, 2] == 0).gather(1, moves[:, None]).squeeze(1)
        values = outputs.values.cpu().numpy().astype(np.float64)
        gains = advantages(values, experience, config.gamma, config.lam)
        scaled = (gains - gains.mean()) / (gains.std() + 1e-8)
        numbers = (torch.from_numpy(array.astype(np.float32)) for array in (scaled, gains + values))
        return TrainingBatch(*(part.to(self.device) for part in (inputs, moves, logs, *numbers)))

    def _learn_all(self, batch: TrainingBatch) -> None:
        n, losses = len(batch.moves), []
        for _ in range(self.config.epochs):
            order = torch.from_numpy(self._rng.permutation(n)).to(self.device)
            parts = order.tensor_split(-(-n // self.config.batch))
            losses += [self._learn_part(batch.take(rows)) for rows in parts]
        self.saved.numbers = dict(zip(_NUMBERS, torch.stack(losses).mean(0).tolist(), strict=True))

    def _learn_part(self, batch: TrainingBatch) -> Tensor:
        config = self.config
        losses = losses_of(self.network(batch.inputs), batch, config.clip)
        others = config.value_weight * losses.value - config.entropy_weight * losses.entropy
        self.update(losses.policy + others, config.clip_norm)
        return torch.stack(losses).detach()

    def check(self, path: Path, decisions: Experience) -> None:
        """Raise CheckpointError if the decisions of a checkpoint cannot come from games."""
        own, opponent, moves, ahead, results = decisions
        n, rows = len(moves), np.arange(len(moves))
        on_board = ((moves >= 0) & (moves < self.size**2)).all() and not (own & opponent).any()
        linked = ((ahead >= 0) & (ahead < n - rows)).all() and np.isin(results, (-1, 0, 1)).all()
        if not (on_board and linked) or not _legal(Positions(self.size, own, opponent))[rows, moves].all():
            raise CheckpointError(f"{path} holds decisions that are those of no game")

    def take_policy(self, policy: Learned[PPOConfig]) -> None:
        """Load the network of a policy, and forget the waiting decisions of the old network."""
        super().take_policy(policy)
        self.decisions = no_experience(self.size)
