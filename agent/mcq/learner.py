"""Monte-Carlo Q-learning: the network, the returns, and the learner. The returns use no bootstrap."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from othello_lab.agent.checkpoint import CheckpointError, Count, SavedState
from othello_lab.agent.learner import Seeds
from othello_lab.agent.mcq.method import NETWORKS, MCQConfig
from othello_lab.agent.network_learner import NetworkLearner, join_columns
from othello_lab.agent.policy import MovePolicy, NetworkPolicy, positions_of
from othello_lab.agent.selfplay.games import Decisions, GameBatch, sum_backwards
from othello_lab.agent.weights import initialise, random_weights
from othello_lab.game import symmetry
from othello_lab.game.batch import BatchGames, Positions, legal_moves, to_mask

_AT_ONCE = 1024  # Maximum number of positions in one forward pass. A position has about ten moves.
_NUMBERS = ("loss", "loss_min", "loss_max", "return_mean")


class QNetwork(nn.Module):
    """A fully connected network from a board and a move to a value between -1 and 1.

    The 2 * N * N inputs are two planes. The first plane has 1 for own discs and -1 for the opponent's discs.
    The second plane has 1 on the square of the move. `values(first_layer(boards)[rows], moves)` computes the
    first layer only once for all moves on a board.
    """

    def __init__(self, units: tuple[int, ...], size: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self._squares = size * size
        self.first = nn.Linear(2 * self._squares, units[0])
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise((*units, 1)):
            layers += [nn.ReLU(), nn.Linear(inputs, outputs)]
        self.rest = nn.Sequential(*layers, nn.Tanh())
        initialise(self, generator)

    def first_layer(self, boards: Tensor) -> Tensor:
        """Return the sums of the first layer, float [n, units]. `boards` is float [n, squares]."""
        return functional.linear(boards, self.first.weight[:, : self._squares], self.first.bias)

    def values(self, sums: Tensor, moves: Tensor) -> Tensor:
        """Return the values of moves, float [n]. `sums` comes from `first_layer`. `moves` is int64 [n]."""
        of_moves = self.first.weight[:, self._squares :].t()  # [squares, units]
        values: Tensor = self.rest(sums + functional.embedding(moves, of_moves))  # [n, 1]
        return values.squeeze(1)

    def forward(self, boards: Tensor, moves: Tensor) -> Tensor:
        """Return the value of one move on each board, [n]. `boards` is [n, squares], `moves` is int64 [n]."""
        return self.values(self.first_layer(boards), moves)


def make_network(config: MCQConfig, size: int, generator: torch.Generator | None = None) -> QNetwork:
    """Return a new network. `generator` may be None if the caller replaces the weights."""
    return QNetwork(NETWORKS[config.network], size, generator)


def boards_of(positions: Positions) -> NDArray[np.int8]:
    """Return boards, int8 [n, squares]: 1 for discs of the side to move, -1 for other discs, else 0."""
    size = positions.size
    mine: NDArray[np.int8] = to_mask(positions.own, size).astype(np.int8)
    return mine - to_mask(positions.opponent, size)


@torch.inference_mode()
def move_values(network: QNetwork, positions: Positions) -> NDArray[np.float64]:
    """Return the values of all legal moves in all positions, float64 [moves]."""
    boards = boards_of(positions)
    rows, moves = np.nonzero(to_mask(legal_moves(positions), positions.size))
    values = np.empty(len(moves))
    for start in range(0, len(boards), _AT_ONCE):
        part = slice(*np.searchsorted(rows, (start, start + _AT_ONCE)))
        sums = network.first_layer(torch.from_numpy(boards[start : start + _AT_ONCE]).float())
        values[part] = network.values(sums[rows[part] - start], torch.from_numpy(moves[part])).numpy()
    return values


class _Saved(SavedState):
    waiting: Count  # The number of games not learned yet.


class Samples(NamedTuple):
    """Decisions and their returns."""

    boards: NDArray[np.int8]  # int8 [n, squares], from `boards_of`.
    moves: NDArray[np.int64]  # The squares played, [n].
    targets: NDArray[np.float32]  # The returns for the side to move, [n].

    def transformed(self, rows: NDArray[np.int64], symmetries: NDArray[np.int64], size: int) -> "Samples":
        """Return the samples in `rows`. `symmetries`, [n], has a board symmetry for each sample."""
        boards = np.take_along_axis(self.boards[rows], symmetry.inverses(size)[symmetries], axis=1)
        moves = symmetry.permutations(size)[symmetries, self.moves[rows]]
        return Samples(boards, moves, self.targets[rows])


def no_samples(size: int) -> Samples:
    """Return empty arrays of samples for a board size."""
    return Samples(np.empty((0, size * size), np.int8), np.empty(0, np.int64), np.empty(0, np.float32))


def samples_of(games: Decisions, config: MCQConfig) -> Samples:
    """Return the decisions of finished games and their returns."""
    return Samples(boards_of(games.positions), games.moves, returns(games, config).astype(np.float32))


def returns(games: Decisions, config: MCQConfig) -> NDArray[np.float64]:
    """Return the return of each decision for the side to move, float64 [n], where T is the last decision:

        G(t) = w_immediate * (d + gamma * e) / N^2 + s * gamma^n * G(t + 1)
        G(T) = w_immediate * d / N^2 + w_win * result + w_score * score / N^2

    w_immediate, w_win and w_score are weights from the options. d is the change of the disc difference by the
    move. e is its change by the other side's replies before the next decision, or 0 if the other side decides
    next. n is the number of new discs before the next decision. s is the sign of `discount`.
    """
    squares = games.positions.size**2
    after = BatchGames(games.positions)
    after.play(games.moves)
    (own, opponent), (mover, other) = games.positions.counts(), after.positions.counts()[::-1]
    lead, lead_after = own - opponent, mover - other
    last = games.next_index < 0
    next_index = np.where(last, 0, games.next_index)
    reply = np.where(last, 0, games.discount * lead[next_index] - lead_after)
    changed = (lead_after - lead) + config.gamma * reply
    ends = config.win_weight * games.results + config.score_weight * games.scores / squares
    rewards = config.immediate_weight * changed / squares + np.where(last, ends, 0.0)
    discs = own + opponent
    turns = np.where(last, 0, discs[next_index] - discs)
    factors = np.power(np.full(len(turns), config.gamma), turns) * games.discount
    sum_backwards(rewards, np.ones(len(turns), np.bool_), games.next_index, factors, 1.0)
    return rewards


def batches(samples: Samples, size: int, config: MCQConfig, rng: np.random.Generator) -> Iterator[Samples]:
    """Yield all samples in random order, in batches, under all 8 symmetries or a random symmetry."""
    n, every = len(samples.moves), config.symmetries == "all"
    order = rng.permutation(symmetry.SYMMETRIES * n if every else n)
    symmetries = order // n if every else rng.integers(symmetry.SYMMETRIES, size=n)
    for part in np.array_split(np.arange(len(order)), -(-len(order) // config.batch)):
        yield samples.transformed(order[part] % n, symmetries[part], size)


class MCQLearner(NetworkLearner[MCQConfig]):
    """Learns from the returns of several games at once."""

    network: QNetwork
    prefix = "waiting."

    def __init__(self, config: MCQConfig, size: int, seeds: Seeds) -> None:
        network = make_network(config, size, random_weights(seeds.weights))
        super().__init__(config, size, seeds, network, config.learning_rate)
        self.saved = _Saved(0, dict.fromkeys(_NUMBERS, 0.0), {}, 0)
        self.decisions = no_samples(size)

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers of updates and waiting games, and the losses and mean return of the last games."""
        return {"updates": self.saved.updates, "waiting": self.saved.waiting, **self.saved.numbers}

    def learn_from(self, game: Decisions) -> None:
        """Add the decisions of a game. Learn when `config.games` games are waiting."""
        self.decisions = join_columns([self.decisions, samples_of(game, self.config)])
        self.saved.waiting += 1
        if self.saved.waiting >= self.config.games:
            self._learn(self.decisions)
            self.decisions, self.saved.waiting = no_samples(self.size), 0

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square with the highest value. `rng` is not used."""
        return int(legal[self.move_values(positions_of(stack[:1], self.size)).argmax()])

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves]."""
        return move_values(self.network, positions)

    def learn(self, batch: GameBatch) -> None:
        """Learn the returns of the games."""
        self._learn(samples_of(batch, self.config))

    def _learn(self, samples: Samples) -> None:
        losses = [self.learn_batch(batch) for batch in batches(samples, self.size, self.config, self._rng)]
        means = (np.mean(losses), min(losses), max(losses), samples.targets.mean())
        self.saved.numbers = dict(zip(_NUMBERS, map(float, means), strict=True))

    def learn_batch(self, batch: Samples) -> float:
        """Learn once from a batch. Return the mean squared error before the update."""
        boards, moves = torch.from_numpy(batch.boards).float(), torch.from_numpy(batch.moves)
        loss = functional.mse_loss(self.network(boards, moves), torch.from_numpy(batch.targets))
        self.update(loss)
        return float(loss.detach())

    def check(self, path: Path, decisions: Samples) -> None:
        """Raise CheckpointError for squares outside the board."""
        if not np.isin(decisions.moves, np.arange(self.size**2)).all():
            raise CheckpointError(f"{path} holds decisions with squares that are not on the board")


class MCQPolicy(NetworkPolicy[MCQConfig], MovePolicy[MCQConfig]):
    """A trained network. Its player chooses the legal square with the highest value."""

    make = staticmethod(make_network)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves]."""
        return move_values(self.network, positions)
