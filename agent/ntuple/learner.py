"""The n-tuple network as a learning method: TD on the positions behind moves."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Count,
    Forms,
    SavedPolicy,
    Stored,
    Values,
    check_arrays,
    forms_of,
    typed,
)
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.ntuple.method import NTupleConfig
from othello_lab.agent.ntuple.network import PLAYS, LearningNetwork, patterns_of, shape_of
from othello_lab.agent.policy import PositionPolicy, move_values, positions_of, to_move
from othello_lab.agent.selfplay.games import GameBatch, lambda_returns
from othello_lab.agent.task import Task
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import probcut
from othello_lab.game.evaluators.evaluator import Evaluator, PatternEvaluator
from othello_lab.game.evaluators.probcut import Predictions
from othello_lab.game.players.minimax import OnePlyPlayer
from othello_lab.game.players.player import Player
from othello_lab.game.search.batched import children
from othello_lab.game.values import EXPECTED_DISCS, EXPECTED_RESULT

log = logging.getLogger("agent")


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    learned_games: Count
    loss: float


class NTupleLearner(BatchLearner):
    """Learns at the end of a game, or of many; see `agent.learner.BatchLearner`."""

    def __init__(self, config: NTupleConfig, size: int, seeds: Seeds) -> None:
        """Nothing is random in it: all weights begin at 0."""
        self.config, self.size = config, size
        self.network = LearningNetwork(config, size)
        self.progress = SavedState(0, 0, 0.0)
        self._acting = self.network.online
        self._game: list[Transition] = []

    @property
    def numbers(self) -> dict[str, float]:
        """Positions learned from, the mean squared error of the last ones, and the step."""
        return {"updates": self.progress.updates, "loss": self.progress.loss, "step": self._rate()}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        sink = Transitions(lambda transition: self._game.append(task.within_one(transition)))
        return Recorder(sink, self.size**2, self.config.gamma)

    def begin(self, best: bool) -> None:
        """See `Learner`."""
        self._acting = self.network.plays if best and self.config.average else self.network.online
        self._game.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the square with the best position behind it, the first of equals; `rng` is not used."""
        return int(legal[move_values(positions_of(stack[:1], self.size), self._acting).argmax()])

    def end(self, games: int) -> None:
        """See `Learner`."""
        if self._game:
            self._learn(
                *afterstate_returns(self._game, self.size, self.network.online, self.config.lam), games=1
            )
        self._game.clear()

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`: by the weights that learn."""
        return move_values(positions, self.network.online)

    def learn(self, played: GameBatch) -> None:
        """See `BatchLearner`."""
        targets = lambda_returns(played, self.config.lam, self.config.gamma)
        self._learn(played.positions, targets, played.games)

    def _learn(self, positions: Positions, targets: NDArray[np.float64], games: int) -> None:
        """Learn the targets of positions, and move the weights that play towards those that learn."""
        config, progress, learned = self.config, self.progress, len(targets)
        if config.step == "falling" and progress.learned_games == config.games:
            log.warning("the step has fallen to 0 in %d games: nothing is learned from here on", config.games)
        squared = self.network.learn(positions, targets, self._rate(), config.step == "coherent")
        progress.updates += learned
        progress.learned_games += games
        progress.loss = squared / max(1, learned)
        horizon = config.average * progress.updates
        self.network.move_average(min(1.0, learned / horizon) if horizon else 1.0)

    def _rate(self) -> float:
        config = self.config
        left = 1 - self.progress.learned_games / config.games if config.step == "falling" else 1.0
        return config.learning_rate * max(0.0, left)

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {PLAYS: self.network.weights.copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        self.network.weights[:] = arrays[PLAYS]

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`."""
        return self.network.arrays, msgspec.to_builtins(self.progress)

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        progress = typed(stored.path, stored.values, SavedState)
        check_arrays(stored.path, stored.arrays, forms_of(self.network.arrays))
        for name, array in self.network.arrays.items():
            array[:] = stored.arrays[name]
        self.progress = progress

    def policy(self) -> Arrays:
        """Return the weights that play when exploring is frozen."""
        return {PLAYS: self.network.average}

    def take_policy(self, saved: SavedPolicy[NTupleConfig]) -> None:
        """See `Learner`: the weights that learn become these, and what is known of their errors stays.

        The policy may have fewer stages: each part of a stage that is divided begins as the whole did.
        """
        made, plays = saved.config, saved.arrays[PLAYS]
        parts, rest = divmod(self.config.stages, made.stages)
        if rest or replace(made, stages=self.config.stages).network != self.config.network:
            raise saved.refusal(self.config)
        rows = [stage // parts for stage in range(self.config.stages)]
        rows.extend(range(made.stages, len(plays)))
        for weights in (self.network.weights, self.network.average):
            weights[:] = plays[rows]


def afterstate_returns(
    game: Sequence[Transition], size: int, evaluator: Evaluator, lambda_: float
) -> tuple[Positions, NDArray[np.float64]]:
    """Return the afterstates of a whole game in which a side can move, and their lambda-returns, [n].

    G(t) = r(t) + d(t) ((1 - lambda) B(t+1) + lambda G(t+1)), where B is the worth of the best move and d the
    signed discount; where another move was played next, G(t) = r(t) + d(t) B(t+1). See
    `agent.selfplay.games.lambda_returns`.
    """
    positions = positions_of(np.stack([transition.state for transition in game]), size)
    owner, squares = np.nonzero(to_mask(legal_moves(positions), size))
    values, played = move_values(positions, evaluator), np.array([t.action for t in game])
    first = np.searchsorted(owner, np.arange(len(game)))
    best, taken = np.maximum.reduceat(values, first), np.flatnonzero(squares == played[owner])
    greedy = values[taken] == best
    returns, ahead = np.zeros(len(game)), 0.0
    for t in range(len(game) - 1, -1, -1):
        returns[t] = game[t].reward + game[t].discount * ahead
        ahead = (1 - lambda_) * best[t] + lambda_ * returns[t] if greedy[t] else best[t]
    # Where a side must pass, the other side is to move; finished games have a known result.
    after, signs = to_move(children(positions).take(taken))
    going_on = np.flatnonzero(legal_moves(after).any(1))
    return after.take(going_on), (signs * -returns)[going_on]


class NTuplePolicy(PositionPolicy[NTupleConfig]):
    """Plays one of the moves with the best position behind them.

    If the file has a neighbour that says how well shallow searches predict deep ones, searches go by it.
    """

    prefix = PLAYS

    def __init__(self, saved: SavedPolicy[NTupleConfig]) -> None:
        config, weights = saved.config, saved.arrays[PLAYS].copy()
        self._evaluator = PatternEvaluator(patterns_of(config, saved.size), weights, config.few)
        self._evaluator.predictions = _predictions(saved.path)
        self._evaluator.unit = EXPECTED_DISCS if config.unit == "discs" else EXPECTED_RESULT

    @classmethod
    def forms(cls, config: NTupleConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return {PLAYS: (shape_of(config, size), np.float32)}

    def evaluator(self) -> PatternEvaluator:
        """See `Learned`."""
        return self._evaluator

    def player(self) -> Player:
        """See `Learned`: of equal moves any, at random."""
        return OnePlyPlayer(self._evaluator, results=True)


def _predictions(path: Path) -> Predictions | None:
    try:
        return probcut.read(probcut.predictions_path(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CheckpointError(str(error)) from None
