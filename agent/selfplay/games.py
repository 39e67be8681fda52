"""Batches of whole games, and their lambda-returns. A batch holds the decisions of all games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Transition, board_of
from othello_lab.game.batch import Positions
from othello_lab.game.board import Board
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import PASS


@dataclass(frozen=True)
class Decisions:
    """Decisions of whole games, each seen from the side to move. A forced pass is not a decision.

    The decisions of a game are in the order of play. Either both sides have decisions, or only one side with
    an opponent in the environment.
    """

    positions: Positions  # The positions before the decisions, [n].
    moves: NDArray[np.int64]  # The squares played, [n].
    next_index: NDArray[np.int64]  # The index of the game's next decision, or -1 at the last decision, [n].
    discount: NDArray[np.int8]  # 1 if the same side decides next, -1 if the other side, 0 at the end, [n].
    results: NDArray[np.int8]  # The result of the game for the side to move: 1 won, 0 drawn, -1 lost, [n].
    scores: NDArray[np.int16]  # The final score for the side to move, [n]. The winner gets empty squares.

    def __len__(self) -> int:
        return len(self.moves)


class Choices(NamedTuple):
    """The moves that a learner chooses in several positions, with values."""

    moves: NDArray[np.int64]  # The chosen squares, [n].
    values: NDArray[np.float64]  # The value of the best move, from -1 (lost) to 1 (won), [n].
    # Whether the rest of the game can improve `values`, [n]. True if the best move is played and its value is
    # not a proven result.
    on_policy: NDArray[np.bool_]
    policies: NDArray[np.float16] | None = None  # The probabilities after a search, [n, squares].


@dataclass(frozen=True)
class GameBatch(Decisions):
    """Whole games that a learner has played. The decisions of both sides are in the order of turns."""

    values: NDArray[np.float64]  # The learner's value of the best move during the game, [n].
    on_policy: NDArray[np.bool_]  # As in `Choices`, but False if a pool player moved, [n].
    policies: NDArray[np.float16] | None = None  # The probabilities after a search, [n, squares].

    @property
    def games(self) -> int:
        """The number of games."""
        return int((self.next_index < 0).sum())

    @classmethod
    def joined(cls, batches: Sequence["GameBatch"]) -> "GameBatch":
        """Concatenate one or more batches."""
        starts = np.cumsum([0, *map(len, batches)])
        next_index = [
            np.where(batch.next_index < 0, -1, batch.next_index + start)
            for batch, start in zip(batches, starts, strict=False)
        ]
        columns = ["moves", "discount", "results", "scores", "values", "on_policy"]
        columns += ["policies"] if batches[0].policies is not None else []
        return cls(
            positions=Positions.joined([batch.positions for batch in batches]),
            next_index=np.concatenate(next_index),
            **{name: np.concatenate([getattr(batch, name) for batch in batches]) for name in columns},
        )


def lambda_returns(batch: GameBatch, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target for the value of each position, for the side to move, float64 [n].

    G(t) = (1 - lambda) B(t) + lambda d(t) gamma G(t+1). B is the value of the best move. d is the column
    `discount`. If `on_policy` is False, G(t) = B(t), because the rest of the game tells nothing about the
    best move (Watkins' cut). Source: Sutton and Barto 2018, equation 12.18, with the best move in the backup.
    """
    returns = batch.values.copy()
    if lambda_:
        weights = lambda_ * gamma * batch.discount.astype(np.float64)
        sum_backwards(returns, batch.on_policy, batch.next_index, weights, 1.0 - lambda_)
    return returns


def move_returns(batch: GameBatch, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return each move's target: the next decision's discounted, signed lambda-return, or the result, [n]."""
    ahead = gamma * batch.discount * lambda_returns(batch, lambda_, gamma)[batch.next_index]
    return np.where(batch.next_index < 0, batch.results, ahead)


@compiled
def sum_backwards(
    returns: NDArray[np.float64],
    on_policy: NDArray[np.bool_],
    next_index: NDArray[np.int64],
    weights: NDArray[np.float64],
    weight: float,
) -> None:
    """Replace G(t) by weight * G(t) + weights(t) * G(t+1), from the last decision to the first.

    G is the array `returns`. t+1 is the next decision of the same game, which must have a larger index.
    Without a next decision, or if `on_policy` is False, G(t) does not change.
    """
    for t in range(len(returns) - 1, -1, -1):
        if on_policy[t] and next_index[t] >= 0:
            returns[t] = weight * returns[t] + weights[t] * returns[next_index[t]]


def one_game(transitions: Sequence[Transition], size: int, draw: float) -> Decisions:
    """Return the decisions of a game from its transitions. The last transition must end the game.

    `draw` is the reward of a draw. `_score` estimates the score, because an agent does not observe the last
    position.
    """
    boards = [board_of(transition.state, size) for transition in transitions]
    discount = np.array([np.sign(transition.discount) for transition in transitions], np.int8)
    # 1 for decisions of the side that made the last decision, -1 for decisions of the other side
    views = np.cumprod(np.append(discount[:-1], 1)[::-1])[::-1]
    result = int(np.sign(transitions[-1].reward - draw))
    score = _score(boards[-1].play(transitions[-1].action), result)
    return Decisions(
        Positions.of(boards),
        np.array([transition.action for transition in transitions]),
        np.append(np.arange(1, len(boards)), -1),
        discount,
        (result * views).astype(np.int8),
        (score * views).astype(np.int16),
    )


def _score(board: Board, result: int) -> int:
    """Estimate black's final score after black's last decision.

    The function first plays all forced moves. If the opponent then has a choice, it counts the discs, with a
    lead of at least one disc for the winner.
    """
    while not board.is_over and len(board.legal_moves) < 2:
        board = board.play(next(iter(board.legal_moves), PASS))
    black, white = board.counts()
    return result * max(result * (black - white) + board.size**2 - black - white, 1)
