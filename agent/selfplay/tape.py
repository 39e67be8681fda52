"""Records the decisions of games that go on together."""

import numpy as np
from numpy.typing import NDArray

from agent.selfplay.played import Played
from game.batch.games import BatchGames
from game.batch.positions import Positions


class Tape:
    """Collects decisions turn by turn; `played` puts them together when the games are over."""

    def __init__(self, games: int) -> None:
        self._turns: list[tuple[NDArray[np.generic], ...]] = []
        self._last = np.full(games, -1)
        """The number of each game's last decision so far, -1 for none."""
        self._count = 0

    def add(
        self,
        games: NDArray[np.int64],
        positions: Positions,
        black: NDArray[np.bool_],
        moves: NDArray[np.int64],
        best: NDArray[np.float64],
        greedy: NDArray[np.bool_],
    ) -> None:
        """Record a decision in each of some games, [n] each; see `Played`."""
        before = self._last[games]
        self._last[games] = self._count + np.arange(len(games))
        self._count += len(games)
        self._turns.append((positions.own, positions.opponent, games, before, black, moves, best, greedy))

    def played(self, games: BatchGames) -> Played:
        """Return all decisions, with what came of the games."""
        columns = [np.concatenate(column) for column in zip(*self._turns, strict=True)]
        own, opponent, game, before, black, moves, best, greedy = columns
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
        )
