"""Batches of whole games: the decisions of all games in the order of turns, and their lambda-returns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    """Decisions of whole games, each seen from the side that decides. A forced pass is not a decision.

    The decisions of a game are in order. They are decisions of both sides, or of one side against an opponent
    in the environment.
    """

    positions: Positions
    """The positions before the decisions, [n]."""
    moves: NDArray[np.int64]
    """The square played, [n]."""
    next_index: NDArray[np.int64]
    """The index of the next decision in the same game, -1 at the last decision, [n]."""
    discount: NDArray[np.int8]
    """1 if the same side decides next, -1 if the other side decides next, 0 at the last decision, [n]."""
    results: NDArray[np.int8]
    """The result of the game for the side that decides: 1 won, 0 drawn, -1 lost, [n]."""
    scores: NDArray[np.int16]
    """The final disc difference, [n]. Empty squares count for the winner."""

    def __len__(self) -> int:
        return len(self.moves)


class Choices(NamedTuple):
    """The choices of a learner in positions with a legal move."""

    moves: NDArray[np.int64]
    """The chosen squares, [n]."""
    values: NDArray[np.float64]
    """The value of the best move, from -1 (lost) to 1 (won), [n]."""
    on_policy: NDArray[np.bool_]
    """Whether the rest of the game is evidence for that value, [n]. It is True if the best move is played and
    its value is not a proven result.
    """
    policies: NDArray[np.float16] | None = None
    """The improved policy of a search, [n, squares]. Each row sums to 1."""


@dataclass(frozen=True)
class GameBatch(Decisions):
    """Whole games that a learner has played. The decisions of both sides are in the order of turns."""

    values: NDArray[np.float64]
    """The value of the best move, by the learner at the time of the game, [n]."""
    on_policy: NDArray[np.bool_]
    """As in `Choices`, but False if an opponent of the pool has moved, [n]."""
    policies: NDArray[np.float16] | None = None
    """The improved policy of a search, [n, squares]."""

    @property
    def games(self) -> int:
        """The number of games."""
        return int((self.next_index < 0).sum())

    @classmethod
    def joined(cls, batches: Sequence["GameBatch"]) -> "GameBatch":
        """Concatenate batches, at least one."""
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


def known(batch: GameBatch, which: NDArray[np.integer], values: NDArray[np.floating]) -> GameBatch:
    """Return the games with known `values` at the decisions `which`. Earlier returns start from these."""
    new_values, on_policy = batch.values.copy(), batch.on_policy.copy()
    new_values[which], on_policy[which] = values, False
    return replace(batch, values=new_values, on_policy=on_policy)


def lambda_returns(batch: GameBatch, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's position, float64 [n], for the side that decides.

    G(t) = (1 - lambda) B(t) + lambda d(t) gamma G(t+1). B is the value of the best move, d the sign of the
    next decision (Sutton and Barto 2018, equation 12.18, with the best move in the backup). If another move
    was played, G(t) = B(t): the rest of the game is not evidence for the best move (Watkins' cut).
    """
    returns = batch.values.copy()
    if lambda_:
        weights = lambda_ * gamma * batch.discount.astype(np.float64)
        sum_backwards(returns, batch.on_policy, batch.next_index, weights, 1.0 - lambda_)
    return returns


def move_returns(batch: GameBatch, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's move, float64 [n], for the side that decides.

    It is the signed and discounted lambda-return of the next decision, or the result after the last decision.
    """
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
    """Replace G(t) by weight * G(t) + weights(t) * G(t+1) if `on_policy`, from the last decision on back.

    The next decision of a game must have a larger index.
    """
    for t in range(len(returns) - 1, -1, -1):
        if on_policy[t] and next_index[t] >= 0:
            returns[t] = weight * returns[t] + weights[t] * returns[next_index[t]]


def one_game(transitions: Sequence[Transition], size: int, draw: float) -> Decisions:
    """Return the decisions of a game from its transitions, at least one. The last one must end the game.

    `draw` is the reward of a drawn game. A larger reward is a win, a smaller one a loss. An agent does not
    observe the last position, so the score is the estimate of `_score`.
    """
    boards = [board_of(transition.state, size) for transition in transitions]
    discount = np.array([np.sign(transition.discount) for transition in transitions], np.int8)
    # 1 for decisions of the side that made the last decision, -1 for decisions of the other side.
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
    """Return the final score for black, which has just made its last decision.

    Empty squares count for the winner. In self-play the game is over. Against an opponent in the environment,
    moves without an alternative are played. If the opponent has a choice, the current discs are counted, with
    a lead of at least one for the winner.
    """
    while not board.is_over and len(board.legal_moves) < 2:
        board = board.play(next(iter(board.legal_moves), PASS))
    black, white = board.counts()
    return result * max(result * (black - white) + board.size**2 - black - white, 1)
