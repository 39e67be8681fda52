"""Fit an n-tuple network for searches.

    python -m scripts.fit_ntuple START END

START and END are the input and output policy files. The network has separate weights for each stage of the
game. The stages are fitted from last to first, so that the searches for the targets look ahead into fitted
stages. Targets near the end of a game are exact. Game results would be worse targets, because later moves may
be mistakes. Buro, "From Simple Features to Sophisticated Evaluation Functions", 1999. Targets are disc
differences. The expected result is tanh(discs / DISCS_EACH).
"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.ntuple.method import NTUPLE, NTupleConfig
from othello_lab.agent.ntuple.network import PLAYS, LearningNetwork
from othello_lab.agent.selfplay.play import GameSettings, SelfPlayGames, by_values
from othello_lab.agent.selfplay.training import SHARD
from othello_lab.game.batch import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, by_depth
from othello_lab.game.kernels.bits import Bits, Rows, from_int, nth_row
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.search import deepening_kernels as kernels
from othello_lab.game.search.textbook import DEEPEST, children
from othello_lab.game.solver.solver import Solver
from othello_lab.game.solver.table import Table, new_table
from othello_lab.game.values import DISCS_EACH, WON

_TEST_SHARE: Final = 50  # One in _TEST_SHARE positions is held out to measure the error.
_LARGEST: Final = 4.0  # The maximum value, in units of DISCS_EACH: one side has all discs of an 8x8 board.
_EPOCHS: Final = 2
_RATE: Final = 0.3


@dataclass(frozen=True)
class Plan:
    """The hyperparameters of self-play, search and fitting."""

    games: int = 300_000  # Number of self-play games.
    opening: int = 20  # Maximum number of random plies at the start of a game.
    epsilon: float = 0.06  # The probability of a random move after the opening.
    plies: int = 2  # Depth in plies of the search that chooses moves in self-play.
    positions: int = 700_000  # Maximum number of positions per stage.
    depth: int = 6  # Depth in plies of the search for the targets.
    exact: int = 12  # Maximum number of empty squares for exact targets.
    seed: int = 0


class Fit:
    """Fits the network of a policy stage by stage, the last stage first."""

    def __init__(self, start: Path, plan: Plan) -> None:
        """Load a policy and, if present, its `.probcut.json` file. Raises CheckpointError."""
        stored = checkpoint.load(start, NTUPLE.name)
        policy: Any = NTUPLE.open(stored, stored.values["size"])
        self.config: NTupleConfig = policy.config
        self.size, self._plan = policy.size, plan
        self._network = LearningNetwork(self.config, self.size)
        self._network.weights[:] = policy.arrays[PLAYS]
        self._evaluator, self._solver = self._network.online, Solver(self.size, hash_mib=4)
        self._evaluator.predictions = policy.evaluator().predictions
        self._rng = np.random.default_rng(plan.seed)

    def run(self) -> Iterator[str]:
        """Fit all stages, and yield a line of text for each stage."""
        positions, count = Positions.joined(list(self._play())), self.config.stages
        stages = (positions.discs() - 4) * count // (self.size**2 - 4)
        for stage in range(count - 1, -1, -1):
            chosen = self._rng.permutation(np.flatnonzero(stages == stage))[: self._plan.positions]
            if len(chosen):
                yield f"stage {stage}: {self._fit_to(_distinct(positions.take(chosen)))}"

    def save(self, path: Path) -> None:
        """Write the policy to a file. Raises CheckpointError."""
        values = {"size": self.size, "config": asdict(replace(self.config, unit="discs"))}
        checkpoint.save(path, NTUPLE.name, {PLAYS: self._network.weights}, values)

    def _play(self) -> Iterator[Positions]:
        """Yield self-play positions, except positions right after a random move outside the opening."""
        # A random move is usually a mistake, so the position after it is too good for the other side.
        plan = self._plan
        settings = GameSettings(self.size, plan.opening, plan.epsilon)

        def move_values(positions: Positions) -> NDArray[np.float64]:
            return -searched(children(positions), plan.plies - 1, self._evaluator)

        for first in range(0, plan.games, SHARD):
            numbers = np.arange(first, min(first + SHARD, plan.games))
            decide = by_values(move_values, plan.epsilon)
            batch = SelfPlayGames(settings, numbers, decide, (), plan.seed).play().batch
            usable = np.ones(len(batch), np.bool_)
            usable[batch.next_index[(batch.next_index >= 0) & ~batch.on_policy]] = False
            yield batch.positions.take(np.flatnonzero(usable))

    def _fit_to(self, positions: Positions) -> str:
        """Fit the network to positions of one stage. Return the errors before and after, as text."""
        targets = self._targets(positions)
        test, training = np.split(self._rng.permutation(len(positions)), [len(positions) // _TEST_SHARE])
        before = self._error(positions.take(test), targets[test])
        for _ in range(_EPOCHS):
            order = self._rng.permutation(training)
            self._network.learn(positions.take(order), np.tanh(targets[order]), _RATE, coherent=True)
        after = self._error(positions.take(test), targets[test])
        return f"{len(positions):,} positions, off by {after:.2f} discs, before {before:.2f}"

    def _targets(self, positions: Positions) -> NDArray[np.float64]:
        """Return the targets of positions, in units of DISCS_EACH, float64 [n]."""
        is_near = self.size**2 - positions.discs() <= self._plan.exact
        near, far = (positions.take(np.flatnonzero(part)) for part in (is_near, ~is_near))
        values, targets = searched(far, self._plan.depth, self._evaluator), np.empty(len(positions))
        is_over = np.abs(values) > WON / 2
        targets[~is_near] = np.where(is_over, (values - WON * np.sign(values)) / DISCS_EACH, values)
        guesses = np.rint(DISCS_EACH * self._outputs(near)).astype(np.int64)
        targets[is_near] = (
            np.array([self._exact(near.board(i), guess) for i, guess in enumerate(guesses)]) / DISCS_EACH
        )
        return targets

    def _exact(self, board: Board, guess: int) -> int:
        """Return the exact value by MTD(f) (Plaat et al. 1996). A good guess saves time."""
        upper: int = self.size**2
        lower = -upper
        while lower < upper:
            asked = max(guess, lower + 1)
            guess = self._solver.bound(board, asked)
            lower, upper = (guess, upper) if guess >= asked else (lower, guess)
        return lower

    def _error(self, positions: Positions, targets: NDArray[np.float64]) -> float:
        """Return the mean absolute error in discs, excluding positions with one side far ahead."""
        off = np.abs(self._outputs(positions) - targets)[np.abs(targets) < 2]
        return float(DISCS_EACH * off.mean()) if len(off) else 0.0

    def _outputs(self, positions: Positions) -> NDArray[np.float64]:
        """Return the network's values without a search, in units of DISCS_EACH, float64 [n]."""
        return np.clip(searched(positions, 0, self._evaluator), -_LARGEST, _LARGEST)


def searched(positions: Positions, depth: int, evaluator: CompiledEvaluator) -> NDArray[np.float64]:
    """Return each position's value by a search of `depth` plies, for the side to move, float64 [n].

    A value is the artanh of the expected result. A win is WON plus the disc difference.
    """
    state: kernels.State = np.zeros(1, kernels.STATE)[0]
    state["size"], state["limit"] = positions.size, np.iinfo(np.int64).max
    state["parameters"] = evaluator.parameters
    if evaluator.predictions is not None:
        state["predictions"] = by_depth(evaluator.predictions, DEEPEST)
    values, table = np.empty(len(positions)), new_table(16, np.float64)
    kind = from_int(0, positions.size)
    _search_all(kind, positions.own, positions.opponent, depth, state, table, values)
    return values


@compiled
def _search_all(
    kind: Bits,
    own: Rows,
    opponent: Rows,
    depth: int,
    state: kernels.State,
    table: Table,
    values: NDArray[np.float64],
) -> None:
    for i in range(len(values)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        values[i] = kernels.search(mine, theirs, depth, -np.inf, np.inf, kernels.UNKNOWN, state, table)


def _distinct(positions: Positions) -> Positions:
    both = np.concatenate([positions.own, positions.opponent], axis=1)
    return positions.take(np.unique(both, axis=0, return_index=True)[1])


def main() -> None:
    """Parse the command line, and fit the network of a policy file."""
    parser = argparse.ArgumentParser("fit_ntuple", description="Fit an n-tuple network for searches.")
    parser.add_argument("start", type=Path, help="a policy")
    parser.add_argument("end", type=Path, help="a file")
    for name, default in vars(Plan()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = vars(parser.parse_args())
    start, end = options.pop("start"), options.pop("end")
    fit = Fit(start, Plan(**options))
    for line in fit.run():
        print(line, flush=True)
    fit.save(end)


if __name__ == "__main__":
    main()
