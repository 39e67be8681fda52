"""The table: what is known of every move of every state that was met, once for all its symmetries."""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms
from othello_lab.agent.tabular.method import SIZE
from othello_lab.game import symmetry

SQUARES = SIZE * SIZE


class State(NamedTuple):
    """A state as the table has it, under one of the board's symmetries."""

    key: int
    """Discs of the side to move and of the other, as 32 bits."""
    legal: NDArray[np.int64]
    """The legal squares of the board, ascending, [moves]."""
    places: NDArray[np.int64]
    """Where each square of the board lies in the entry, [squares]."""


@dataclass(frozen=True)
class Entry:
    """What is known of the moves of a state, by square; only those of legal moves are ever anything but 0."""

    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(SQUARES))
    """The discounted return that is expected after each, from the view of the side that moves."""
    tries: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(SQUARES, np.uint32))
    """How often each was learned from."""
    least: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(SQUARES, np.uint32))
    """Tries of the least tried move on the known ways that begin with each."""


class Table:
    """Entries by the keys of states."""

    def __init__(self, symmetries: bool) -> None:
        self._turns = symmetry.inverses(SIZE)[: symmetry.SYMMETRIES if symmetries else 1]
        self._places = symmetry.permutations(SIZE)
        self.entries: dict[int, Entry] = {}

    def find(self, planes: NDArray[np.uint8]) -> list[State]:
        """Return the states of observations, uint8 [n, 4, squares].

        The key is the least among those of the board's symmetries.
        """
        turned = planes[:, :2, self._turns].swapaxes(1, 2)  # [n, symmetries, 2, squares]
        keys = np.packbits(turned.reshape(*turned.shape[:2], -1), axis=2).view(">u4")[..., 0]
        return [
            State(int(keys[i, turn]), np.flatnonzero(planes[i, 2]), self._places[turn])
            for i, turn in enumerate(keys.argmin(1).tolist())
        ]

    def values(self, state: State) -> NDArray[np.float64]:
        """Return the value of each legal move, [moves]: 0 where it was never tried."""
        return self._known(state).values[state.places[state.legal]]

    def least(self, state: State) -> NDArray[np.uint32]:
        """Return how well each legal move is known, [moves]; see `Entry.least`."""
        return self._known(state).least[state.places[state.legal]]

    def _known(self, state: State) -> Entry:
        return self.entries.get(state.key, _NOTHING)


_NOTHING = Entry()
"""What is known of a state that was never met."""
_KEYS = "keys"
_TYPES = {"values": np.float64, "tries": np.uint32, "least": np.uint32}
"""The parts of an entry."""
_MOST_TRIES = 2**31
"""More than any training makes; a sum of more would not fit."""


def arrays_of(entries: dict[int, Entry]) -> Arrays:
    """Return the keys in ascending order, uint32 [states], and every part by square, [states, squares]."""
    keys = sorted(entries)
    parts = {name: [getattr(entries[key], name) for key in keys] for name in _TYPES}
    arrays = {name: np.array(part, _TYPES[name]).reshape(-1, SQUARES) for name, part in parts.items()}
    return {_KEYS: np.array(keys, np.uint32), **arrays}


def forms_of(arrays: Arrays, size: int) -> Forms:
    """Return what the arrays of a table must be that has as many states as these.

    Raises ValueError for boards of a size that there are no tables for.
    """
    if size != SIZE:
        raise ValueError(f"it is for {size}x{size} boards, a table for {SIZE}x{SIZE} alone")
    states = len(arrays.get(_KEYS, ()))
    parts = {name: ((states, SQUARES), kind) for name, kind in _TYPES.items()}
    return {_KEYS: ((states,), np.uint32), **parts}


def entries_of(path: Path, arrays: Arrays) -> dict[int, Entry]:
    """Return the entries that `arrays_of` made arrays of; raises CheckpointError for others."""
    keys = arrays[_KEYS]
    if not (np.diff(keys.astype(np.int64)) > 0).all():
        raise CheckpointError(f"{path} has states that are not in ascending order")
    if any((arrays[name] > _MOST_TRIES).any() for name in ("tries", "least")):
        raise CheckpointError(f"{path} counts more than {_MOST_TRIES:,} tries of a move")
    rows = zip(*(arrays[field.name].copy() for field in fields(Entry)), strict=True)
    return {key: Entry(*row) for key, row in zip(keys.tolist(), rows, strict=True)}
