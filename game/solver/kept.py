"""How well a player knows a solved board: in how many of its positions it keeps what can be had."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.game import Game
from game.players.base import Player
from game.solver.states import solve_all


class Kept(NamedTuple):
    """Positions, of all or of those that matter."""

    positions: int
    kept: int
    """Those in which the player's move keeps won, drawn or lost as it was."""

    @property
    def share(self) -> float:
        """The part of them in which the outcome is kept."""
        return self.kept / self.positions


def outcomes_kept(player: Player, rng: np.random.Generator) -> tuple[Kept, Kept]:
    """Ask a player for its move in every position of 4x4 that follows the start and has a legal move.

    The first count is of all 47,633 of them, the second of the 7,996 where it matters: where some legal move
    would give the outcome away.
    """
    values = {board: (value > 0) - (value < 0) for board, value in solve_all(4).items()}
    rows = np.array(list(_looks(player, rng, values)))
    return _count(rows[:, 0]), _count(rows[rows[:, 1], 0])


def _looks(player: Player, rng: np.random.Generator, values: dict[Board, int]) -> Iterator[tuple[bool, bool]]:
    """Yield of each position whether its outcome is kept, and whether another move would not keep it."""
    for board, value in values.items():
        after = {move: -values[board.play(move)] for move in board.legal_moves}
        if after:
            yield after[player.choose(Game(board), rng)] == value, min(after.values()) < value


def _count(kept: NDArray[np.bool_]) -> Kept:
    return Kept(len(kept), int(kept.sum()))
