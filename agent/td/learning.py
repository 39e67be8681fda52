"""The two ways of TD learning: traces along a game, and lambda-returns of many games in small batches."""

from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from othello_lab.agent.checkpoint import Arrays, Forms
from othello_lab.agent.selfplay.games import GameBatch, move_returns
from othello_lab.agent.td.method import TDConfig
from othello_lab.agent.td.network import Inputs, ValueNetwork, seen_by_mover
from othello_lab.game import symmetry
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import Positions


class Traces:
    """The decaying sum of the gradients of a game's predictions so far, float32 [weights].

    Predictions V_1, V_2, ... follow each other with discounts d_1, d_2, ..., where d_t leads from V_t to
    V_(t+1). With g_t the gradient of V_t by the weights w:

        e_t = lambda * d_(t-1) * e_(t-1) + g_t
        w  += alpha * (target_t - V_t) * e_t       target_t = r_t + d_t * V_(t+1)

    Sutton 1988, equation 4, with one lambda between neighbours; Sutton and Barto, 2nd edition, equations 12.5
    and 12.7. A discount below 0 leads to a prediction of the other side, whose gain is this side's
    loss: the older gradients change their sign with it, so that the predictions of both sides are one chain.
    """

    def __init__(self, weights: int, lam: float) -> None:
        self._traces = np.zeros(weights, np.float32)
        self._lam = lam
        self._decay = 0.0

    def clear(self) -> None:
        """Begin a chain of predictions."""
        self._decay = 0.0

    def add(self, gradient: NDArray[np.float32], discount: float) -> NDArray[np.float32]:
        """Take the gradient of the next prediction and the discount from it on; return the traces now."""
        if self._decay:
            self._traces *= np.float32(self._decay)
            self._traces += gradient
        else:
            self._traces[:] = gradient
        self._decay = self._lam * discount
        return self._traces


_MOMENTS = {"adam.mean": "exp_avg", "adam.square": "exp_avg_sq"}
"""The arrays of the optimiser in a checkpoint, and what torch calls them."""


class BatchLearning:
    """Moves a value network towards the lambda-returns of games that were played with it."""

    def __init__(self, config: TDConfig, size: int, values: ValueNetwork, rng: np.random.Generator) -> None:
        """`rng` draws the order of the afterstates, and the symmetries that they are looked at under."""
        self._config, self._values, self.rng = config, values, rng
        self._squares, self._inverses = size * size, symmetry.inverses(size)
        # One parameter for all weights: the optimiser's work is then a few operations, whatever the network.
        self._weights = nn.Parameter(torch.from_numpy(values.weights))
        self._weights.grad = torch.from_numpy(values.gradients)
        self.steps = 0

    @cached_property
    def _adam(self) -> torch.optim.Adam:  # made when it is needed: that takes torch a second
        return torch.optim.Adam([self._weights], self._config.batch_rate)

    def learn(self, played: GameBatch) -> float:
        """Learn the afterstate of each decision; see `fit`."""
        games = BatchGames(played.positions)
        games.play(played.moves)
        return self.fit(games.positions, move_returns(played, self._config.lam, self._config.gamma))

    def fit(self, afterstates: Positions, targets: NDArray[np.float64]) -> float:
        """Look at each afterstate once; return the mean squared error, in the units of the output.

        The targets are values for the side that has moved, [n].
        """
        wanted, batch = self._values.scale.output(targets).astype(np.float32), self._config.batch
        order = self.rng.permutation(len(wanted))
        parts = np.array_split(order, range(batch, len(order), batch))
        losses = [self._step(seen_by_mover(afterstates.take(part)), wanted[part]) for part in parts]
        return float(np.mean(losses))

    def _step(self, inputs: Inputs, wanted: NDArray[np.float32]) -> float:
        if self._config.symmetries:
            inputs = self._turned(inputs)
        self._values.gradients[:] = 0
        outputs = self._values.network(torch.from_numpy(inputs)).squeeze(1)  # [batch]
        loss = functional.mse_loss(outputs, torch.from_numpy(wanted))
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self._adam.step()
        self.steps += 1
        return loss.item()

    def _turned(self, inputs: Inputs) -> Inputs:
        """Return each afterstate under a symmetry of its own."""
        sources = self._inverses[self.rng.integers(symmetry.SYMMETRIES, size=len(inputs))]  # [n, squares]
        planes = inputs.reshape(len(inputs), 2, self._squares)
        turned: Inputs = np.take_along_axis(planes, sources[:, None], axis=2).reshape(inputs.shape)
        return turned

    def arrays(self) -> Arrays:
        """Return the optimiser's arrays; none before the first step."""
        if not self.steps:
            return {}
        return {name: self._adam.state[self._weights][key].numpy().copy() for name, key in _MOMENTS.items()}

    def restore(self, arrays: Arrays, steps: int) -> None:
        """Go on from what `arrays` returned after this many steps."""
        self.steps = steps
        if steps:
            moments = {key: torch.from_numpy(arrays[name].copy()) for name, key in _MOMENTS.items()}
            self._adam.state[self._weights] = {"step": torch.tensor(float(steps)), **moments}

    def forms(self, steps: int) -> Forms:
        """Return what the arrays are that `arrays` returns after this many steps."""
        return {name: (self._values.weights.shape, np.float32) for name in _MOMENTS if steps}
