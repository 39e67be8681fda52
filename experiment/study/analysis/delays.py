"""Delays from a square that can be taken to the square that is taken: corners beside other squares.

A chance is the first of a side's own turns in which it could play a square. The delay is how many of its own
turns later it did: 0 is at once.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import BOTH, Games
from experiment.study.statistics.units import share_over, united
from game.batch.games import legal_moves, to_mask

KINDS: Final = ("corner", "C", "X", "edge", "inside")
"""Corners, the squares beside them on an edge and on the diagonal, other edge squares, all others."""
FATES: Final = ("at_once", "later", "by_the_other", "never")
"""What can become of a chance."""
NEVER: Final = -1


def kinds(size: int) -> NDArray[np.int64]:
    """Return the kind of each square, its place in KINDS, int64 [squares]."""
    distance = np.minimum(np.arange(size), np.arange(size)[::-1])
    near, far = np.minimum.outer(distance, distance), np.maximum.outer(distance, distance)
    table = {(0, 0): 0, (0, 1): 1, (1, 1): 2}
    pairs = zip(near.ravel().tolist(), far.ravel().tolist(), strict=True)
    return np.array([table.get(pair, 3 if pair[0] == 0 else 4) for pair in pairs], np.int64)


@dataclass(frozen=True)
class Chances:
    """The chances of both sides. Arrays [games, 2, squares], black first."""

    first: NDArray[np.int16]
    """In which of its own turns a side could first play a square, from 0; NEVER."""
    taken: NDArray[np.int16]
    """In which of its own turns it did; NEVER."""

    @property
    def delay(self) -> NDArray[np.int16]:
        """Own turns from the chance to the disc; NEVER where there was no disc."""
        return np.where(self.taken == NEVER, NEVER, self.taken - self.first).astype(np.int16)


def find(games: Games) -> Chances:
    """Find all first chances and what was made of them."""
    first = np.full((len(games), 2, games.size**2), NEVER, np.int16)
    taken = np.full_like(first, NEVER)
    own_turn = np.zeros((len(games), 2), np.int16)
    for turn, decided in enumerate(games.decided):
        game = np.flatnonzero(decided)
        side = np.where(games.black_to_move[turn, game], 0, 1)
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        now, before = own_turn[game, side], first[game, side]
        first[game, side] = np.where(legal & (before == NEVER), now[:, None], before)
        taken[game, side, games.moves[turn, game]] = now
        own_turn[game, side] += 1
    return Chances(first, taken)


def captures(games: Games, chances: Chances) -> Table:
    """Return what became of the chances, by kind of square: taken at once, later, by the other, never."""
    rows: list[tuple[Value, ...]] = []
    delay, lost = chances.delay, chances.taken[:, ::-1] != NEVER
    fates = delay == 0, delay > 0, (delay == NEVER) & lost, (delay == NEVER) & ~lost
    for name, sides in _sides(games).items():
        for kind, squares in enumerate(_squares(games.size)):
            had = (chances.first[:, :, squares] != NEVER) & sides[:, :, None]
            took = delay[:, :, squares][had & (delay[:, :, squares] != NEVER)]
            found = [_share(games, had & fate[:, :, squares], had) for fate in fates]
            mean = float(took.mean()) if len(took) else float("nan")
            rows.append((name, KINDS[kind], int(had.sum()), *chain(*found), mean))
    shares = (f"{fate}{end}" for fate in FATES for end in ("", "_low", "_high"))
    columns = ("side", "kind", "chances", *shares, "mean_delay")
    about = "what became of squares that a side could play: shares of chances, mean delay in its own turns"
    return Table.plain("captures", about, columns, rows)


def _share(games: Games, these: NDArray[np.bool_], all_: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return which share of all chances these are, [games, 2, squares] both, and its interval."""
    share = share_over(*united(games.unit, these.sum(axis=(1, 2)), all_.sum(axis=(1, 2))))
    return (share.value, *share.interval)


def delays(games: Games, chances: Chances) -> Table:
    """Count the squares that were taken this many own turns after the first chance, by kind of square."""
    rows: list[tuple[Value, ...]] = []
    for name, sides in _sides(games).items():
        for kind, squares in enumerate(_squares(games.size)):
            found = chances.delay[:, :, squares][sides]
            counts = np.bincount(found[found != NEVER])
            rows += [(name, KINDS[kind], delay, int(count)) for delay, count in enumerate(counts)]
    about = "squares that a side took this many of its own turns after it first could"
    return Table.plain("delays", about, ("side", "kind", "delay", "squares"), rows)


def _squares(size: int) -> list[NDArray[np.int64]]:
    table = kinds(size)
    return [np.flatnonzero(table == kind) for kind in range(len(KINDS))]


def _sides(games: Games) -> dict[str, NDArray[np.bool_]]:
    """Return which side of which game is meant by a name, bool [games, 2], black first."""
    every = np.ones((len(games), 2), np.bool_)
    black = every & [True, False]
    found = {BOTH: every, "black": black, "white": ~black}
    if games.first_is_black is not None:
        first = np.stack([games.first_is_black, ~games.first_is_black], axis=1)
        found |= {games.players[0]: first, games.players[1]: ~first}
    return found
