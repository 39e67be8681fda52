"""Games by the thousand as a learner sees them: every decision, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions


@dataclass(frozen=True)
class Played:
    """Whole games, as the decisions of both sides in the order of turns; forced passes are none.

    A decision of a game stands before the game's later ones. Everything is from the view of the side that
    decides.
    """

    positions: Positions
    """Before each decision, [n]."""
    moves: NDArray[np.int64]
    """The square that was played, [n]."""
    best: NDArray[np.float64]
    """What the learner took the best move to be worth when the game was played, [n]."""
    greedy: NDArray[np.bool_]
    """Whether the learner played that move: neither at random nor by an opponent of the pool, [n]."""
    following: NDArray[np.int64]
    """The number of the game's next decision; -1 at the last, [n]."""
    discount: NDArray[np.int8]
    """[n]: -1 if the next decision is the other side's, 1 if the same side's after a pass, 0 at the last."""
    results: NDArray[np.int8]
    """How the game ended: 1 won, 0 drawn, -1 lost, [n]."""
    scores: NDArray[np.int16]
    """How the game ended in discs, the empty squares given to the winner, [n]."""

    def __len__(self) -> int:
        return len(self.moves)

    @classmethod
    def joined(cls, parts: Sequence["Played"]) -> "Played":
        """Return the games of all parts, at least one, one part after another."""
        first = np.cumsum([0, *map(len, parts)])
        following = [
            np.where(part.following < 0, -1, part.following + begin)
            for part, begin in zip(parts, first, strict=False)
        ]
        boards = [part.positions for part in parts]
        return cls(
            Positions(
                boards[0].size,
                np.concatenate([board.own for board in boards]),
                np.concatenate([board.opponent for board in boards]),
            ),
            np.concatenate([part.moves for part in parts]),
            np.concatenate([part.best for part in parts]),
            np.concatenate([part.greedy for part in parts]),
            np.concatenate(following),
            np.concatenate([part.discount for part in parts]),
            np.concatenate([part.results for part in parts]),
            np.concatenate([part.scores for part in parts]),
        )
