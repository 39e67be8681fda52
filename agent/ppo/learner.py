"""PPO as a learning method: games that its policy draws, and learning from those alone."""

from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Stored, Values, generator, typed
from othello_lab.agent.learner import Seeds
from othello_lab.agent.memory import columns
from othello_lab.agent.memory.frames import positions_of
from othello_lab.agent.policy_value.base import seen
from othello_lab.agent.policy_value.learner import NetworkLearner
from othello_lab.agent.policy_value.network import log_policy
from othello_lab.agent.ppo.learning import Batch, losses_of
from othello_lab.agent.ppo.memory import Experience, advantages, check_experience, experience_of, none
from othello_lab.agent.ppo.method import PPOConfig
from othello_lab.agent.ppo.policy import drawn, move_shares, policies_of
from othello_lab.agent.saving import Count, SavedPolicy
from othello_lab.agent.selfplay.played import Choices, Decisions, Played
from othello_lab.game.batch.positions import Positions
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import Words, draws


class Progress(msgspec.Struct):
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

    def decide(self, turn: Turn, luck: Words) -> Choices:
        """See `BatchLearner`: draw moves from the policy; that is the only exploration."""
        positions = turn.positions
        moves = drawn(policies_of(self._guide, positions), draws(luck, positions, 0))
        return Choices(moves, np.zeros(len(moves)), np.ones(len(moves), np.bool_))

    def learn_from(self, game: Decisions) -> None:
        """See `NetworkLearner`; a game in which it played its best is no sample of its policy."""
        if not self._best:
            self._take(experience_of(game, np.ones(len(game), np.bool_)))

    def learn(self, played: Played) -> None:
        """See `BatchLearner`."""
        self._take(experience_of(played, played.greedy))

    def _take(self, more: Experience) -> None:
        self._held = columns.joined([self._held, more])
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
            Progress(self._updates, self._losses, dict(self._rng.bit_generator.state))
        )
        return self.learned() | columns.to_arrays(self._held), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, Progress)
        held, arrays = columns.from_arrays(stored, self._held)
        check_experience(stored, held, self.size)
        rng = generator(stored.path, saved.draws)
        self.take_learned(stored, arrays)
        self._held, self._rng = held, rng
        self._updates, self._losses = saved.updates, saved.losses

    def take_policy(self, saved: SavedPolicy[PPOConfig]) -> None:
        """See `NetworkLearner`: what another policy has decided is not learned from."""
        super().take_policy(saved)
        self._held = none(self.size)
