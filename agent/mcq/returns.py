"""Returns for Monte-Carlo Q: of each decision of whole games, without a bootstrap."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.mcq.config import MCQConfig
from game.batch.games import BatchGames, count_squares
from game.batch.positions import Positions


class Decisions(Protocol):
    """Decisions of whole games, each from the view of the side that decides: `selfplay.played.Played` is one.

    Either all decisions of both sides, or those of one side against an opponent that nobody asked.
    """

    @property
    def positions(self) -> Positions:
        """Before each decision, [n]."""

    @property
    def moves(self) -> NDArray[np.int64]:
        """The square that was played, [n]."""

    @property
    def following(self) -> NDArray[np.int64]:
        """The number of the game's next decision; -1 at the last, [n]."""

    @property
    def discount(self) -> NDArray[np.int8]:
        """-1 if the next decision is the other side's, 1 if the same side's, 0 at the last, [n]."""

    @property
    def results(self) -> NDArray[np.int8]:
        """How the game ended: 1 won, 0 drawn, -1 lost, [n]."""

    @property
    def scores(self) -> NDArray[np.int16]:
        """How the game ended in discs, the empty squares given to the winner, [n]."""


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
    last = played.following < 0
    following = np.where(last, 0, played.following)
    replied = np.where(last, 0, played.discount * lead[following] + after)  # `after` is the other side's view
    changed = (-after - lead) + config.gamma * replied
    ends = config.win_weight * played.results + config.score_weight * played.scores / squares
    rewards = config.immediate_weight * changed / squares + np.where(last, ends, 0.0)
    turns = np.where(last, 0, discs[following] - discs)
    factors = np.power(np.full(len(turns), config.gamma), turns) * played.discount
    return _summed(rewards, factors, played.following)


def _moved(played: Decisions) -> Positions:
    """Return the positions after the moves, from the view of the other side."""
    games = BatchGames(played.positions)
    games.play(played.moves)
    return games.positions


def _counts(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the disc difference, own less opponent's, and the number of discs, int64 [n] each."""
    own = count_squares(positions.own, positions.size)
    opponent = count_squares(positions.opponent, positions.size)
    return own - opponent, own + opponent


def _summed(
    rewards: NDArray[np.float64], factors: NDArray[np.float64], following: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return G[i] = rewards[i] + factors[i] * G[following[i]], float64 [n], back from all ends."""
    found = rewards.copy()
    preceding = np.full(len(found), -1)
    going = np.flatnonzero(following >= 0)
    preceding[following[going]] = going
    later = np.flatnonzero(following < 0)
    while len(later):
        earlier = preceding[later]
        later, earlier = later[earlier >= 0], earlier[earlier >= 0]
        found[earlier] += factors[earlier] * found[later]
        later = earlier
    return found
