"""TD learning with an n-tuple network, from the values of afterstates, the positions after moves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms, SavedState, Stored, Values
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.ntuple.method import NTupleConfig
from othello_lab.agent.ntuple.network import PLAYS, LearningNetwork, patterns_of, shape_of
from othello_lab.agent.policy import Learned, move_values, positions_of, to_move
from othello_lab.agent.selfplay.games import GameBatch, lambda_returns
from othello_lab.agent.task import Task
from othello_lab.game.batch import Positions, legal_moves, to_mask
from othello_lab.game.evaluators.evaluator import (
    Evaluator,
    PatternEvaluator,
    Predictions,
    predictions_path,
    read_predictions,
)
from othello_lab.game.players.minimax import OnePlyPlayer
from othello_lab.game.players.player import Player
from othello_lab.game.search.textbook import children
from othello_lab.game.values import EXPECTED_DISCS, EXPECTED_RESULT


class NTupleLearner(BatchLearner):
    """Learns at the end of one game or of many games, without random numbers. All weights start at 0."""

    def __init__(self, config: NTupleConfig, size: int, seeds: Seeds) -> None:
        self.config, self.size = config, size
        self.network = LearningNetwork(config, size)
        self._saved = SavedState(0, {"loss": 0.0}, {})
        self._acting = self.network.online
        self._game: list[Transition] = []

    @property
    def numbers(self) -> dict[str, float]:
        """The number of learned positions, and the mean squared error of the last positions."""
        return {"updates": self._saved.updates, **self._saved.numbers}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder with rewards between -1 and 1."""
        sink = Transitions(lambda transition: self._game.append(task.within_one(transition)))
        return Recorder(sink, self.size**2, self.config.gamma)

    def begin(self, best: bool) -> None:
        """Drop the current game. Then play with the average weights if `best` is True, else the latest."""
        self._acting = self.network.plays if best and self.config.average else self.network.online
        self._game.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the move to the position with the highest value. `rng` is not used."""
        return int(legal[move_values(positions_of(stack[:1], self.size), self._acting).argmax()])

    def end(self, games: int) -> None:
        """Learn from the game that ended."""
        if self._game:
            evaluator = self.network.online
            self._learn(*afterstate_returns(self._game, self.size, evaluator, self.config.lam))
        self._game.clear()

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the latest weights' values of all legal moves, float64 [moves]."""
        return move_values(positions, self.network.online)

    def learn(self, batch: GameBatch) -> None:
        """Learn the lambda-returns of all positions in some games."""
        targets = lambda_returns(batch, self.config.lam, self.config.gamma)
        self._learn(batch.positions, targets)

    def _learn(self, positions: Positions, targets: NDArray[np.float64]) -> None:
        config, saved, learned = self.config, self._saved, len(targets)
        squared = self.network.learn(positions, targets, config.learning_rate, config.step == "coherent")
        saved.updates += learned
        saved.numbers["loss"] = squared / max(1, learned)
        horizon = config.average * saved.updates
        self.network.move_average(min(1.0, learned / horizon) if horizon else 1.0)

    def weights(self) -> Arrays:
        """Return a copy of the weights that learn."""
        return {PLAYS: self.network.weights.copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load weights from `weights`."""
        self.network.weights[:] = arrays[PLAYS]

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of weights and errors, and the values of `SavedState`."""
        return self.network.arrays, msgspec.structs.asdict(self._saved)

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        saved = checkpoint.saved_state(stored, self._saved)
        checkpoint.check_arrays(stored.path, stored.arrays, checkpoint.forms_of(self.network.arrays))
        for name, array in self.network.arrays.items():
            array[:] = stored.arrays[name]
        self._saved = saved

    def policy(self) -> Arrays:
        """Return the weights that play while exploring is frozen."""
        return {PLAYS: self.network.average}

    def take_policy(self, policy: Learned[NTupleConfig]) -> None:
        """Load a policy. A stage may become several stages. Raises CheckpointError."""
        coarse, plays = policy.config, policy.arrays[PLAYS]
        parts, rest = divmod(self.config.stages, coarse.stages)
        if rest or replace(coarse, stages=self.config.stages).network != self.config.network:
            raise policy.refusal(self.config)
        rows = [stage // parts for stage in range(self.config.stages)]
        rows.extend(range(coarse.stages, len(plays)))
        for weights in (self.network.weights, self.network.average):
            weights[:] = plays[rows]


def afterstate_returns(
    game: Sequence[Transition], size: int, evaluator: Evaluator, lambda_: float
) -> tuple[Positions, NDArray[np.float64]]:
    """Return the afterstates of a game and their lambda-returns, float64 [n].

    G(t) = r(t) + d(t) ((1 - lambda) B(t+1) + lambda G(t+1)). B is the value of the best move. d is the signed
    discount. If the next move was not the best move, G(t) = r(t) + d(t) B(t+1). Final positions are omitted.
    """
    positions = positions_of(np.stack([transition.state for transition in game]), size)
    owner, squares = np.nonzero(to_mask(legal_moves(positions), size))
    values, moves = move_values(positions, evaluator), np.array([t.action for t in game])
    first = np.searchsorted(owner, np.arange(len(game)))
    best, chosen = np.maximum.reduceat(values, first), np.flatnonzero(squares == moves[owner])
    greedy = values[chosen] == best
    returns, ahead = np.zeros(len(game)), 0.0
    for t in range(len(game) - 1, -1, -1):
        returns[t] = game[t].reward + game[t].discount * ahead
        ahead = (1 - lambda_) * best[t] + lambda_ * returns[t] if greedy[t] else best[t]
    # `to_move` turns positions in which a side must pass. The result of a finished game is known.
    after, signs = to_move(children(positions).take(chosen))
    unfinished = np.flatnonzero(legal_moves(after).any(1))
    return after.take(unfinished), (signs * -returns)[unfinished]


class NTuplePolicy(Learned[NTupleConfig]):
    """A trained n-tuple network. Searches use its file `.probcut.json`, if any, to save time."""

    prefix = PLAYS
    options = NTupleConfig

    def __init__(self, stored: Stored, size: int, config: NTupleConfig) -> None:
        super().__init__(stored, size, config)
        self._evaluator = PatternEvaluator(patterns_of(config, size), self.arrays[PLAYS].copy(), config.few)
        self._evaluator.predictions = _predictions(self.path)
        self._evaluator.unit = EXPECTED_DISCS if config.unit == "discs" else EXPECTED_RESULT

    @classmethod
    def forms(cls, config: NTupleConfig, size: int, arrays: Arrays) -> Forms:
        """Return the shape and dtype of the weights."""
        return {PLAYS: (shape_of(config, size), np.float32)}

    def evaluator(self) -> PatternEvaluator:
        """Return the network as an evaluator."""
        return self._evaluator

    def player(self) -> Player:
        """Return a player that plays the best move, and chooses at random among equal moves."""
        return OnePlyPlayer(self._evaluator, results=True)


def _predictions(path: Path) -> Predictions | None:
    try:
        return read_predictions(predictions_path(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CheckpointError(str(error)) from None
