"""Marks of the moves that threads of one search are searching, so that others put them off.

Kerrigan 2017, "Simplified ABDADA": the first move of a position is searched at once; another one that a
thread is searching already comes after those that nobody searches, and by then its value is often in the
table. The marks need no lock: one that is lost or left behind costs time alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bitboard import after
from othello_lab.game.kernels.jit import array_at, at_address, compiled
from othello_lab.game.kernels.words import Integer, Words
from othello_lab.game.solver.moves import take_best
from othello_lab.game.solver.table import key

# An item of `deepening_kernels.STATE`.
State = Any
PLACES = 1 << 12
SHARED = 4
"""From this many plies on moves are put off: below, looking costs more than it saves."""
PUT_OFF = -2_000_000_000
"""How good a move looks that was put off: worse than any other."""
_MIX = np.uint64(0x9E3779B97F4A7C15)


def new_marks() -> NDArray[np.uint64]:
    """Return the marks of a search, none of them set; `State.marks` is their address."""
    return np.zeros(PLACES, np.uint64)


@compiled
def take_move(
    own: Words, opponent: Words, depth: int, index: Integer, found: Integer, state: State
) -> tuple[Integer, Words, Words, Integer]:
    """Return the next move of `state.moves[depth]`, what it leaves the mover and the other, and its mark.

    The mark is set, and 0 where threads do not share.
    """
    listed = state.moves[depth]
    while True:
        move = take_best(listed, index, found)
        mine, theirs = after(own, opponent, move, state.size)
        if state.marks == 0 or depth < SHARED:
            return move, mine, theirs, np.uint64(0)
        mark, marks = _mark_of(theirs, mine, depth), _marks(state)
        place = mark % np.uint64(PLACES)
        if index == 0 or listed[index, 0] == PUT_OFF or marks[place] != mark:
            marks[place] = mark
            return move, mine, theirs, mark
        listed[index, 0] = PUT_OFF


@compiled
def unmark(mark: Integer, state: State) -> None:
    """Say that a move is no longer searched."""
    if mark:
        _marks(state)[mark % np.uint64(PLACES)] = np.uint64(0)


@compiled
def _mark_of(own: Words, opponent: Words, depth: int) -> Integer:
    """Return what stands for searching a position to this depth."""
    first, second = key(own, opponent)
    mixed = (first * _MIX ^ second) * _MIX + np.uint64(depth)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def _marks(state: State) -> Any:  # noqa: ANN401  numba's array
    return array_at(at_address(state.marks), PLACES, np.uint64)
