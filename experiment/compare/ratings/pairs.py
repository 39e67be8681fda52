"""Games as ratings need them: who scored how much against whom at each opening."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


class Pairs(NamedTuple):
    """The games of each pair at each opening: row i, column j is player i against player j."""

    games: Numbers
    """[openings, P, P]"""
    points: Numbers
    """Of the row's player, wins and half the draws, [..., openings, P, P]; in front may be repetitions."""

    @classmethod
    def of(cls, players: int, openings: Places, first: Places, second: Places, points: Numbers) -> "Pairs":
        """Add up games: at which opening, who, against whom [games], and the first's points [..., games]."""
        shape = (int(openings.max(initial=-1)) + 1, players, players)
        rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
        cells = np.ravel_multi_index((np.tile(openings, 2), rows, columns), shape)

        def added(values: Numbers) -> Numbers:
            sums = np.zeros((*values.shape[:-1], int(np.prod(shape))))
            np.add.at(sums.T, cells, values.T)
            return sums.reshape(*values.shape[:-1], *shape)

        return cls(added(np.ones(len(cells))), added(np.concatenate([points, 1 - points], axis=-1)))

    def without_link(self) -> int | None:
        """Return a player that no games link, over others, with the first; None if games link all players."""
        against = self.games.sum(0) > 0
        linked = np.eye(len(against))[0] > 0
        for _ in range(len(against)):
            linked |= against[linked].any(0)
        return None if linked.all() else int(np.argmin(linked))
