"""Games by the thousand as a learner sees them: every decision, turn by turn, and its lambda-return."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.frames import unpack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.game import observation
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board, Colour
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import PASS


@dataclass(frozen=True)
class Decisions:
    """Decisions of whole games, each from the view of the side that decides; forced passes are none.

    A decision of a game stands before the game's later ones. Either all decisions of both sides, or those of
    one side against an opponent that nobody asked.
    """

    positions: Positions
    """Before each decision, [n]."""
    moves: NDArray[np.int64]
    """The square that was played, [n]."""
    following: NDArray[np.int64]
    """The number of the game's next decision; -1 at the last, [n]."""
    discount: NDArray[np.int8]
    """[n]: -1 if the next decision is the other side's, 1 if the same side's, 0 at the last."""
    results: NDArray[np.int8]
    """How the game ended: 1 won, 0 drawn, -1 lost, [n]."""
    scores: NDArray[np.int16]
    """How the game ended in discs, the empty squares given to the winner, [n]."""

    def __len__(self) -> int:
        return len(self.moves)


class Choices(NamedTuple):
    """What a learner decides in some positions, each of which has a legal move."""

    moves: NDArray[np.int64]
    """[n]"""
    best: NDArray[np.float64]
    """What it takes the best move to be worth, from -1, lost, to 1, won, [n]."""
    greedy: NDArray[np.bool_]
    """Whether what follows tells of the best move, [n]: not after another one, nor where `best` is proven."""
    policies: NDArray[np.float16] | None = None
    """How good a search found each square, [n, squares], 1 in each row together."""


@dataclass(frozen=True)
class Played(Decisions):
    """Whole games that a learner has played: the decisions of both sides in the order of turns."""

    best: NDArray[np.float64]
    """What the learner took the best move to be worth when the game was played, [n]."""
    greedy: NDArray[np.bool_]
    """See `Choices`; never where an opponent of the pool has moved, [n]."""
    policies: NDArray[np.float16] | None = None
    """See `Choices`."""

    @property
    def games(self) -> int:
        """How many games these are."""
        return int((self.following < 0).sum())

    @classmethod
    def joined(cls, parts: Sequence["Played"]) -> "Played":
        """Return the games of all parts, at least one, one part after another."""
        first = np.cumsum([0, *map(len, parts)])
        following = [
            np.where(part.following < 0, -1, part.following + begin)
            for part, begin in zip(parts, first, strict=False)
        ]
        others = ["moves", "discount", "results", "scores", "best", "greedy"]
        others += ["policies"] if parts[0].policies is not None else []
        return cls(
            positions=Positions.joined([part.positions for part in parts]),
            following=np.concatenate(following),
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in others},
        )


class Tape:
    """Collects decisions turn by turn; `played` puts them together when the games are over."""

    def __init__(self, games: int) -> None:
        self._turns: list[tuple[NDArray[np.generic], ...]] = []
        self._last = np.full(games, -1)
        """The number of each game's last decision so far, -1 for none."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(
        self,
        games: NDArray[np.int64],
        positions: Positions,
        black: NDArray[np.bool_],
        choices: Choices,
    ) -> None:
        """Record a decision in each of some games, [n] each."""
        before = self._last[games]
        self._last[games] = self._count + np.arange(len(games))
        self._count += len(games)
        own = (column for column in choices if column is not None)
        self._turns.append((positions.own, positions.opponent, games, before, black, *own))

    def played(self, games: BatchGames) -> Played:
        """Return all decisions, with what came of the games."""
        columns = [np.concatenate(column) for column in zip(*self._turns, strict=True)]
        own, opponent, game, before, black, moves, best, greedy, *policies = columns
        following, discount = np.full(len(moves), -1), np.zeros(len(moves), np.int8)
        later = np.flatnonzero(before >= 0)
        earlier = before[later].astype(np.int64)
        following[earlier] = later
        discount[earlier] = np.where(black[earlier] == black[later], 1, -1)
        outcomes, sign = games.outcomes(), np.where(black, 1, -1)
        return Played(
            positions=Positions(games.size, own, opponent),
            moves=moves,
            best=best,
            greedy=greedy,
            following=following,
            discount=discount,
            results=(outcomes.winner[game] * sign).astype(np.int8),
            scores=(outcomes.final_score[game] * sign).astype(np.int16),
            policies=policies[0] if policies else None,
        )


def known(played: Played, which: NDArray[np.integer], values: NDArray[np.floating | np.integer]) -> Played:
    """Return games in which the values of some positions are known, so that returns begin there."""
    best, greedy = played.best.copy(), played.greedy.copy()
    best[which], greedy[which] = values, False
    return replace(played, best=best, greedy=greedy)


def lambda_returns(played: Played, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's position, float64 [n], for the side that decides.

    G(t) = (1 - lambda) B(t) + lambda d(t) gamma G(t+1), where B is the worth of the best move and d the sign
    of the next decision (Sutton and Barto 2018, equation 12.18, with the backup of the best move). Where
    another move was played G(t) = B(t): what followed tells nothing of the best one (Watkins' cut).
    """
    returns = played.best.copy()
    if lambda_:
        weights = lambda_ * gamma * played.discount.astype(np.float64)
        look_back(returns, played.greedy, played.following, weights, 1.0 - lambda_)
    return returns


def move_returns(played: Played, lambda_: float, gamma: float = 1.0) -> NDArray[np.float64]:
    """Return the target of each decision's move, float64 [n], for the side that decides.

    The signed and discounted lambda-return of the next decision; the result after a game's last one.
    """
    ahead = gamma * played.discount * lambda_returns(played, lambda_, gamma)[played.following]
    return np.where(played.following < 0, played.results, ahead)


@compiled
def look_back(
    returns: NDArray[np.float64],
    counts: NDArray[np.bool_],
    following: NDArray[np.int64],
    weights: NDArray[np.float64],
    own: float,
) -> None:
    """Turn each decision's own value G(t) into own * G(t) + weights(t) * G(t+1), the last turn first.

    A game's next decision stands behind. So only where it `counts`; elsewhere the value stays.
    """
    for t in range(len(returns) - 1, -1, -1):
        if counts[t] and following[t] >= 0:
            returns[t] = own * returns[t] + weights[t] * returns[following[t]]


def one_game(transitions: Sequence[Transition], size: int, draw: float) -> Decisions:
    """Put a game together: at least one transition, the last one to the end.

    `draw` is the reward of a drawn game: more is a win, less a loss. What was on the board at the end is not
    told to an agent, so the score is taken from what it knows; see `_score`.
    """
    boards = [_board(transition, size) for transition in transitions]
    discount = np.array([np.sign(transition.discount) for transition in transitions], np.int8)
    views = _views(discount)
    result = int(np.sign(transitions[-1].reward - draw))
    score = _score(boards[-1].play(transitions[-1].action), result)
    following = np.append(np.arange(1, len(boards)), -1)
    moves = np.array([transition.action for transition in transitions])
    results, scores = (result * views).astype(np.int8), (score * views).astype(np.int16)
    return Decisions(Positions.of(boards), moves, following, discount, results, scores)


def _board(transition: Transition, size: int) -> Board:
    """Return the board of a decision, whoever decides taken for black."""
    _, own, opponent = observation.sides(unpack(transition.state[None], size * size).ravel())
    return Board(size, own, opponent, Colour.BLACK)


def _views(discount: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return 1 for the decisions of the side that decided last, -1 for the other side's, [n]."""
    signs = np.append(discount[:-1], 1)
    return np.cumprod(signs[::-1])[::-1]


def _score(board: Board, result: int) -> int:
    """Return the final score for black, who has made its last decision here; the empties go to the winner.

    In self-play the game is over here. Against an opponent that nobody asked, it may have gone on: what can
    have been played in one way only is played, and the discs are counted where the opponent had a choice,
    with a lead of one at least for the winner.
    """
    while not board.is_over and len(board.legal_moves) < 2:
        board = board.play(next(iter(board.legal_moves), PASS))
    black, white = board.counts()
    return result * max(result * (black - white) + board.size**2 - black - white, 1)
