"""Returns for Monte-Carlo Q: of each decision of whole games, without a bootstrap, as samples to learn."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.mcq.method import MCQConfig
from othello_lab.agent.mcq.network import boards_of
from othello_lab.agent.selfplay.games import Decisions, sum_backwards
from othello_lab.game import symmetry
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import Positions


def returns(played: Decisions, config: MCQConfig) -> NDArray[np.float64]:
    """Return what each decision was worth to its side in the end, float64 [n].

    With w the weights of who won, of the score and of the immediate change, N*N squares, d the change of the
    disc difference by the move itself and e what the other side changed before the next decision (0 where
    it is asked itself), n the turns up to there that changed the board and s the sign of `discount`:

        G(t) = w_immediate * (d + gamma * e) / N^2 + s * gamma^n * G(t + 1)
        G(T) = w_immediate * d / N^2 + w_win * result + w_score * score / N^2

    Between two decisions a turn that changed the board laid one disc, so that n is counted in discs.
    """
    squares = played.positions.size**2
    lead, discs = _counts(played.positions)
    after, _ = _counts(_moved(played))
    last = played.next_index < 0
    following = np.where(last, 0, played.next_index)
    replied = np.where(last, 0, played.discount * lead[following] + after)  # `after` is the other side's view
    changed = (-after - lead) + config.gamma * replied
    ends = config.win_weight * played.results + config.score_weight * played.scores / squares
    rewards = config.immediate_weight * changed / squares + np.where(last, ends, 0.0)
    turns = np.where(last, 0, discs[following] - discs)
    factors = np.power(np.full(len(turns), config.gamma), turns) * played.discount
    sum_backwards(rewards, np.ones(len(turns), np.bool_), played.next_index, factors, 1.0)
    return rewards


def _moved(played: Decisions) -> Positions:
    """Return the positions after the moves, from the view of the other side."""
    games = BatchGames(played.positions)
    games.play(played.moves)
    return games.positions


def _counts(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the disc difference, own less opponent's, and the number of discs, int64 [n] each."""
    own, opponent = positions.counts()
    return own - opponent, own + opponent


class Samples(NamedTuple):
    """Decisions with their returns."""

    boards: NDArray[np.int8]
    """1 for the discs of the side that decides, -1 for the other's, [n, squares]."""
    moves: NDArray[np.int64]
    """[n]"""
    targets: NDArray[np.float32]
    """[n]"""

    def take(self, indices: NDArray[np.int64]) -> "Samples":
        """Return copies of some of them, in that order."""
        return Samples(self.boards[indices], self.moves[indices], self.targets[indices])


def samples_of(played: Decisions, config: MCQConfig) -> Samples:
    """Return the decisions of games that are over, with their returns."""
    targets = returns(played, config).astype(np.float32)
    return Samples(boards_of(played.positions), played.moves, targets)


def none(size: int) -> Samples:
    """Return no samples."""
    return Samples(np.empty((0, size * size), np.int8), np.empty(0, np.int64), np.empty(0, np.float32))


def batches(samples: Samples, size: int, config: MCQConfig, rng: np.random.Generator) -> Iterator[Samples]:
    """Show all samples in an order drawn anew, in batches of about the configured size.

    Each under all 8 symmetries of the board, or under one of them, drawn anew.
    """
    n, every = len(samples.moves), config.symmetries == "all"
    order = rng.permutation(symmetry.SYMMETRIES * n if every else n)
    turns = order // n if every else rng.integers(symmetry.SYMMETRIES, size=n)
    for part in np.array_split(np.arange(len(order)), -(-len(order) // config.batch)):
        yield turned(samples.take(order[part] % n), turns[part], size)


def turned(samples: Samples, turns: NDArray[np.int64], size: int) -> Samples:
    """Return samples, each under the symmetry of that number, int64 [n]."""
    boards = np.take_along_axis(samples.boards, symmetry.inverses(size)[turns], axis=1)
    return Samples(boards, symmetry.permutations(size)[turns, samples.moves], samples.targets)
