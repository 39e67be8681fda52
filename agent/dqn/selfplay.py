"""The options, targets and learner of DQN in self-play. Agents over RL-Glue do not import this file."""

import math
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Count, Stored, Values, typed
from othello_lab.agent.dqn.config import DQNConfig, ReplayOptions
from othello_lab.agent.dqn.learner import DQNLearner
from othello_lab.agent.dqn.policy import network_values
from othello_lab.agent.dqn.q_learning import LOSSES
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.options import AtLeastOne, AtLeastZero, Share, option
from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.games import GameBatch, move_returns
from othello_lab.game import symmetry
from othello_lab.game.batch import Positions, planes
from othello_lab.game.catalogue import EVALUATORS, make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.search.textbook import batched_values, children

NO_TEACHER = "none"


@dataclass(frozen=True)
class SelfPlayConfig(DQNConfig):
    """The options of DQN in self-play. With them, a learner over RL-Glue uses the replay memory."""

    # Fields without effect in self-play. The user cannot set them.
    fixed: ClassVar[frozenset[str]] = frozenset(
        {
            *(field.name for field in fields(ReplayOptions) if field.name != "clock"),
            *("frames", "opening_moves", "opening_epsilon", "freeze_after_wins"),
        }
    )
    learner: ClassVar[str] = "othello_lab.agent.dqn.selfplay:SelfPlayLearner"
    lam: Share = option(
        0.9,
        "Self-play",
        "Lambda of the lambda return. This return is the target of the move that was played.",
    )
    teacher: str = option(
        NO_TEACHER,
        "Self-play",
        "An evaluator, such as ntuple:pretrained, whose values of all legal moves replace the "
        "lambda returns as targets. none: no teacher.",
    )
    plies: AtLeastOne = option(
        1, "Self-play", "Number of plies that the teacher looks ahead. The move itself is the first ply."
    )
    solve_targets_below: AtLeastZero = option(
        6,
        "Self-play",
        "With this many empty squares or fewer, the target of each legal move is its result with best "
        "play. The lambda returns of earlier decisions also use these results.",
    )
    wipeout_guard: AtLeastZero = option(
        6,
        "Self-play",
        "If a side has this many discs or fewer, each move after which the other side can win at once is "
        "learned as a loss.",
    )
    epochs: AtLeastOne = option(
        2,
        "Self-play",
        "Number of times that each decision is learned, each time under a random symmetry of the board.",
    )
    precision: Literal["float32", "bfloat16"] = option(
        "float32",
        "Self-play",
        "Number format of the network's matrix products: float32, or bfloat16, which is faster on "
        "processors that support it.",
    )
    rate_games: AtLeastZero = option(
        0,
        "Self-play",
        "Number of games over which the learning rate falls to 0, along half a cosine. 0: the learning "
        "rate is constant.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.teacher != NO_TEACHER:
            EVALUATORS.check(self.teacher)


SELFPLAY = SelfPlayConfig(
    hidden=(512, 256, 256),
    batch=512,
    loss="mse",
    learning_rate=1e-3,
    target_rate=1.0,
    epsilon_schedule="linear",
    epsilon_start=0.1,
    epsilon_end=0.1,
    epsilon_steps=0,
)


class TrainingBatch(NamedTuple):
    """Positions from games, with target values for the moves."""

    states: NDArray[np.uint8]  # The planes of the observations, 0 or 1, uint8 [n, 4, squares].
    targets: NDArray[np.float32]  # Targets for the side to move, [n, squares], valid for positive weights.
    weights: NDArray[np.float32]  # The weight of each move in the loss, [n, squares].

    def turned(self, rows: NDArray[np.int64], turns: NDArray[np.int64], size: int) -> "TrainingBatch":
        """Return copies of `rows` with transformed boards. `turns`, int64 [n], has each row's symmetry."""
        sources = symmetry.inverses(size)[turns]  # [n, squares]
        return TrainingBatch(
            np.take_along_axis(self.states[rows], sources[:, None], axis=2),
            np.take_along_axis(self.targets[rows], sources, axis=1),
            np.take_along_axis(self.weights[rows], sources, axis=1),
        )


def training_batch(played: GameBatch, config: SelfPlayConfig, teacher: Evaluator | None) -> TrainingBatch:
    """Return the decisions of finished games with their targets.

    Without a teacher, only the played move has a target, its lambda-return. With a teacher, the targets are
    the teacher's values of all legal moves, and the weights of a decision sum to 1. Near the end of a game,
    the targets are exact results. A move that lets the other side win at once has the target of a loss if the
    side to move has few discs.
    """
    positions, squares = played.positions, played.positions.size**2
    states = planes(positions, np.uint8).reshape(len(played), 4, squares)
    legal = states[:, 2].astype(np.bool_)
    empties = squares - np.count_nonzero(states[:, 0] | states[:, 1], axis=1)
    near = np.flatnonzero(empties <= config.solve_targets_below)
    ends = _results(positions.take(near), legal[near], config.solve_targets_below)
    gamma = 1.0 if config.gamma is None else config.gamma
    targets, weights = np.zeros(legal.shape, np.float32), np.zeros(legal.shape, np.float32)
    if teacher:
        targets[legal] = gamma * move_values(positions, teacher, config.plies)
        weights = (legal / np.count_nonzero(legal, axis=1, keepdims=True)).astype(np.float32)
    else:
        values, on_policy = played.values.copy(), played.on_policy.copy()
        values[near], on_policy[near] = ends.max(axis=1, where=legal[near], initial=-1.0), False
        played = replace(played, values=values, on_policy=on_policy)
        decisions = np.arange(len(played))
        targets[decisions, played.moves] = move_returns(played, config.lam, gamma)
        weights[decisions, played.moves] = 1.0
        weights[near] = legal[near]
    targets[near] = ends
    few = np.flatnonzero(np.count_nonzero(states[:, 0], axis=1) <= config.wipeout_guard)
    lost = _lost_at_once(positions.take(few), legal[few])
    targets[few], weights[few] = np.where(lost, -1.0, targets[few]), np.where(lost, 1.0, weights[few])
    return TrainingBatch(states, targets, weights)


def _results(positions: Positions, legal: NDArray[np.bool_], empties: int) -> NDArray[np.float32]:
    """Return the results of the legal moves with best play: 1, 0 or -1, float32 [n, squares]."""
    results = np.zeros(legal.shape, np.float32)
    # At this depth all games are over, even with a pass before every move, so the evaluator is never called.
    results[legal] = move_values(positions, make_evaluator("positional", positions.size), 2 * empties)
    return results


def _lost_at_once(positions: Positions, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the legal moves after which the other side can win at once, bool [n, squares]."""
    replies, _ = batched_values(children(positions), 1, _Zero())
    lost = np.zeros_like(legal)
    lost[legal] = replies > 0
    return lost


class _Zero(Evaluator):
    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return zeros, [n]."""
        return np.zeros(len(positions))


def learning_rate(config: SelfPlayConfig, games: int) -> float:
    """Return the learning rate, a falling half cosine (Loshchilov and Hutter 2017, equation 5)."""
    done = min(1.0, games / config.rate_games) if config.rate_games else 0.0
    return config.learning_rate * (1 + math.cos(math.pi * done)) / 2


class _SavedGames(msgspec.Struct):
    learned_games: Count = 0


class SelfPlayLearner(DQNLearner, BatchLearner):
    """Learns `epochs` times from each decision of a round, without replay memory or target network."""

    config: SelfPlayConfig

    def __init__(self, config: SelfPlayConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """Raises RegistryError if the teacher does not support boards of this size."""
        super().__init__(config, size, seeds, device)
        self._teacher = None if config.teacher == NO_TEACHER else make_evaluator(config.teacher, size)
        self._learned_games = 0

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the online network's values of all legal moves, float64 [moves], without symmetries."""
        return network_values(self.q.online, positions, symmetric=False)

    def learn(self, played: GameBatch) -> None:
        """Learn from finished games."""
        self._collect()
        config, rate = self.config, learning_rate(self.config, self._learned_games)
        batch = training_batch(played, config, self._teacher)
        for _ in range(config.epochs):
            order = self._rng.permutation(len(played))
            for rows in np.array_split(order, range(config.batch, len(order), config.batch)):
                turns = self._rng.integers(symmetry.SYMMETRIES if config.symmetries else 1, size=len(rows))
                self._learn(batch.turned(rows, turns, self.size), rate)
        self._learned_games += played.games

    def _learn(self, batch: TrainingBatch, rate: float) -> None:
        q, config = self.q, self.config
        states, targets, weights = (torch.from_numpy(array).to(q.device) for array in batch)
        with torch.autocast(q.device.type, torch.bfloat16, enabled=config.precision == "bfloat16"):
            values = q.online(states.float())
        losses = LOSSES[config.loss](values.float(), targets, reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        q.minimise(loss, rate, lambda: {"q_mean": float(values.detach()[weights > 0].mean())})

    def weights(self) -> Arrays:
        """Return copies of the weights of the online network."""
        return {name: weight.cpu().numpy().copy() for name, weight in self.q.online.state_dict().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load weights that `weights` returned."""
        self.q.online.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})

    def state(self) -> tuple[Arrays, Values]:
        """Return the state of DQN and the number of games learned from."""
        arrays, values = super().state()
        return arrays, {**values, "learned_games": self._learned_games}

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        games = typed(stored.path, stored.values, _SavedGames).learned_games
        super().restore(stored)
        self._learned_games = games
