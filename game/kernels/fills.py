"""Fills: legal moves and the discs that a move turns over, line by line, on boards of any size.

They serve boards of more than one word, and loops over many positions, which the compiler makes vectors of
by itself. `inner` are those of the opponent's discs that a run in a row or a diagonal may pass: it must not
wrap around an edge, so it stays in the inner columns.
"""

from othello_lab.game.kernels.jit import compiled, inlined
from othello_lab.game.kernels.words import Words, lowered, may_go_on, occupied, raised


@compiled
def _reach_up(start: Words, through: Words, step: int) -> Words:
    """Return the unbroken runs of `through` that begin one step above a square of `start`.

    Two squares singly, then two at a time wherever two squares of `through` follow each other.
    """
    front = through & raised(start, step)
    front = front | (through & raised(front, step))
    pairs = through & raised(through, step)
    run, turn = front, 0
    while may_go_on(front, turn):
        front = pairs & raised(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled
def _reach_down(start: Words, through: Words, step: int) -> Words:
    """Do the same as `_reach_up`, below."""
    front = through & lowered(start, step)
    front = front | (through & lowered(front, step))
    pairs = through & lowered(through, step)
    run, turn = front, 0
    while may_go_on(front, turn):
        front = pairs & lowered(front, 2 * step)
        run, turn = run | front, turn + 1
    return run


@compiled
def _ends(own: Words, opponent: Words, step: int) -> Words:
    """Return the squares just behind a run of opponent discs next to an own disc, along one line."""
    return raised(_reach_up(own, opponent, step), step) | lowered(_reach_down(own, opponent, step), step)


@inlined
def ends_by_fills(own: Words, opponent: Words, inner: Words, size: int) -> Words:
    """Return the squares just behind a run of opponent discs next to an own disc, along all lines."""
    return (
        _ends(own, inner, 1)
        | _ends(own, opponent, size)
        | _ends(own, inner, size - 1)
        | _ends(own, inner, size + 1)
    )


@compiled
def _captured(disc: Words, own: Words, opponent: Words, step: int) -> Words:
    """Return what `disc` turns over along one line."""
    up = _reach_up(disc, opponent, step)
    down = _reach_down(disc, opponent, step)
    if not occupied(raised(up, step) & own):
        up = up & ~up
    if not occupied(lowered(down, step) & own):
        down = down & ~down
    return up | down


@inlined
def flips_by_fills(own: Words, opponent: Words, disc: Words, inner: Words, size: int) -> Words:
    """Return the discs that a `disc`, as a set, turns over; no disc turns over nothing."""
    return (
        _captured(disc, own, inner, 1)
        | _captured(disc, own, opponent, size)
        | _captured(disc, own, inner, size - 1)
        | _captured(disc, own, inner, size + 1)
    )
