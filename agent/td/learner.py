"""The learner of TD(lambda). It learns after each decision, or in batches from many games at once."""

from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, Count, SavedState, Stored, Values
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.recorder import Frame, Recorder, Transition, Transitions, unpack
from othello_lab.agent.optimisers import Optimiser
from othello_lab.agent.policy import BestMovePolicy, Learned, NetworkPolicy, move_values, positions_of
from othello_lab.agent.selfplay.games import GameBatch, move_returns
from othello_lab.agent.task import Task
from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.td.network import Floats, ValueNetwork, afterstate_inputs, make_network, make_values
from othello_lab.agent.weights import put, put_tensors, random_weights, to_arrays
from othello_lab.game import symmetry
from othello_lab.game.batch import BatchGames, Positions
from othello_lab.game.players.player import Player
from othello_lab.game.search.textbook import children

_MEAN_RATE = 0.001  # The weight of the newest error in the running mean.
# Maps the names of the optimiser's arrays in a checkpoint to their names in its state.
_MOMENTS = {"adam.mean": "exp_avg", "adam.square": "exp_avg_sq"}


class _Saved(SavedState):
    batches: Count  # The number of steps of the optimiser.


class Traces:
    """The eligibility traces of a game, float32 [weights]: the decaying sum of past gradients.

    V_1, V_2, ... are the predictions in a game. The discount d_t leads from V_t to V_(t+1). g_t is the
    gradient of V_t with respect to the weights w. The equations are:

        e_t = lambda * d_(t-1) * e_(t-1) + g_t
        w  += alpha * (target_t - V_t) * e_t       target_t = r_t + d_t * V_(t+1)

    A negative discount leads to a prediction for the other side, and changes the sign of the older gradients.
    Sources: Sutton 1988, equation 4; Sutton and Barto, 2nd edition, equations 12.5 and 12.7.
    """

    def __init__(self, weights: int, lam: float) -> None:
        self._traces = np.zeros(weights, np.float32)
        self._lam = lam
        self._decay = 0.0

    def clear(self) -> None:
        """Begin a new chain of predictions."""
        self._decay = 0.0

    def add(self, gradient: Floats, discount: float) -> Floats:
        """Add the gradient of a prediction. Return the traces. `discount` leads to the next prediction."""
        if self._decay:
            self._traces *= np.float32(self._decay)
            self._traces += gradient
        else:
            self._traces[:] = gradient
        self._decay = self._lam * discount
        return self._traces


class _Moves(NamedTuple):
    squares: NDArray[np.int64]
    inputs: Floats  # The afterstates of the moves, [moves, 2 * squares].
    outputs: Floats  # The network's outputs for the afterstates, [moves].


class TDLearner(BatchLearner):
    """Learns from each decision when the next decision follows.

    The value of a move is the value of its afterstate. The target of an afterstate is the value of the best
    move in the next decision of either side. At the end of a game the target is the reward.
    """

    def __init__(self, config: TDConfig, size: int, seeds: Seeds) -> None:
        self.config, self.size = config, size
        self.values = make_values(config, make_network(config, size, random_weights(seeds.weights)))
        self._saved = _Saved(0, {"error": 0.0}, {}, 0)
        self._rng = np.random.default_rng(seeds.draws)
        # All weights are one tensor, for an update with few operations.
        weights, gradients = torch.from_numpy(self.values.weights), torch.from_numpy(self.values.gradients)
        self._adam = Optimiser("adam-unfused", weights, gradients)
        self._traces = Traces(len(self.values.weights), config.lam)
        self._best = False
        self._latest: tuple[bytes, _Moves] | None = None

    @property
    def numbers(self) -> dict[str, float]:
        """The number of updates, and the mean error of the network's output."""
        return {"updates": self._saved.updates, **self._saved.numbers}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder with rewards between -1 and 1."""
        sink = Transitions(lambda transition: self.take(task.within_one(transition)))
        return Recorder(sink, self.size**2, self.config.gamma)

    def begin(self, best: bool) -> None:
        """Clear the traces, because they must not continue into another game."""
        self._best, self._latest = best, None
        self._traces.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square with the best afterstate. `rng` is not used.

        While exploring is frozen, a move that ends the game has the value of the result. While exploring is
        on, all values come from the network, so the value of the chosen move is also the target.
        """
        if self._best:
            return int(legal[self.move_values(positions_of(stack[:1], self.size)).argmax()])
        moves = self._moves(stack[0])
        return int(moves.squares[moves.outputs.argmax()])

    def _moves(self, frame: Frame) -> _Moves:
        """Return the legal moves of a decision. The outputs of the last decision are cached."""
        key = frame.tobytes()
        if self._latest and self._latest[0] == key:
            return self._latest[1]
        squares = np.flatnonzero(unpack(frame[None], self.size**2)[2])
        inputs = afterstate_inputs(children(positions_of(frame[None], self.size)))
        moves = _Moves(squares, inputs, self.values.outputs(inputs))
        self._latest = key, moves
        return moves

    def take(self, t: Transition) -> None:
        """Make one step of TD(lambda) with a transition."""
        moves = self._moves(t.state)
        move = int(np.searchsorted(moves.squares, t.action))
        if self.config.cut and moves.outputs[move] < moves.outputs.max():
            self._traces.clear()
        target = self._target(t)
        output, gradient = self.values.gradient(moves.inputs[move])
        error = target - output
        traces = self._traces.add(gradient, t.discount)
        self.values.weights += np.float32(self.config.learning_rate * error) * traces
        saved = self._saved
        saved.updates += 1
        saved.numbers["error"] += (abs(error) - saved.numbers["error"]) * max(_MEAN_RATE, 1 / saved.updates)

    def _target(self, t: Transition) -> float:
        scale, ahead = self.values.scale, 0.0
        if t.next_state is not None:
            ahead = scale.value(float(self._moves(t.next_state).outputs.max()))
        return scale.output(t.reward + t.discount * ahead)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves]."""
        return move_values(positions, self.values)

    def learn(self, batch: GameBatch) -> None:
        """Learn the lambda-return of each afterstate once, in small, shuffled batches."""
        games = BatchGames(batch.positions)
        games.play(batch.moves)
        returns = move_returns(batch, self.config.lam, self.config.gamma)
        targets = self.values.scale.output(returns).astype(np.float32)
        order, n = self._rng.permutation(len(targets)), self.config.batch
        parts = np.array_split(order, range(n, len(order), n))
        losses = [
            self._update(afterstate_inputs(games.positions.take(part)), targets[part]) for part in parts
        ]
        self._saved.updates += len(batch)
        self._saved.numbers["error"] = float(np.mean(losses))

    def _update(self, inputs: Floats, targets: Floats) -> float:
        if self.config.symmetries:
            inputs = self._transformed(inputs)
        self.values.gradients[:] = 0
        outputs = self.values.network(torch.from_numpy(inputs)).squeeze(1)  # [batch]
        loss = functional.mse_loss(outputs, torch.from_numpy(targets))
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        self._adam.step(self.config.batch_rate)
        self._saved.batches += 1
        return loss.item()

    def _transformed(self, inputs: Floats) -> Floats:
        chosen = self._rng.integers(symmetry.SYMMETRIES, size=len(inputs))
        sources = symmetry.inverses(self.size)[chosen]  # [n, squares]
        planes = inputs.reshape(len(inputs), 2, self.size**2)
        transformed: Floats = np.take_along_axis(planes, sources[:, None], axis=2).reshape(inputs.shape)
        return transformed

    def weights(self) -> Arrays:
        """Return a copy of the weights."""
        return {"weights": self.values.weights.copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """Load weights from `weights`."""
        self.values.weights[:] = arrays["weights"]

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of the network and the optimiser, and the values of `SavedState`."""
        moments = _MOMENTS if self._saved.batches else {}
        adam = {name: self._adam.state[key].numpy().copy() for name, key in moments.items()}
        self._saved.draws = dict(self._rng.bit_generator.state)
        return self.policy() | adam, msgspec.structs.asdict(self._saved)

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        saved = checkpoint.saved_state(stored, self._saved)
        moments = {name: (self.values.weights.shape, np.float32) for name in _MOMENTS if saved.batches}
        checkpoint.check_arrays(stored.path, stored.arrays, {**checkpoint.forms_of(self.policy()), **moments})
        self._rng, self._saved = checkpoint.generator(stored.path, saved.draws), saved
        if saved.batches:
            self._adam.begin()
            self._adam.state["step"].fill_(saved.batches)
            put_tensors(stored.arrays, {name: self._adam.state[key] for name, key in _MOMENTS.items()})
        put(stored.arrays, self.values.network, TDPolicy.prefix)

    def policy(self) -> Arrays:
        """Return the network's arrays."""
        return to_arrays(self.values.network, TDPolicy.prefix)

    def take_policy(self, policy: Learned[TDConfig]) -> None:
        """Load the network of a policy. Raises CheckpointError if it does not fit this learner."""
        policy.check_fits(self.config, self.policy())
        put(policy.arrays, self.values.network, TDPolicy.prefix)


class TDPolicy(NetworkPolicy[TDConfig]):
    """A trained network. Its player chooses the move with the best afterstate."""

    make = staticmethod(make_network)

    def player(self) -> Player:
        """Return a player that plays the move with the best afterstate."""
        values = self.evaluator()
        return BestMovePolicy(partial(move_values, evaluator=values), values.unit)

    def evaluator(self) -> ValueNetwork:
        """Return the network as an evaluator."""
        return make_values(self.config, self.network)
