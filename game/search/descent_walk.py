"""The search of Descent and of unbounded best-first minimax, compiled; its tree is in `descent_kernels.py`.

An iteration follows the best move that is not solved from the root on, adds the positions behind all moves of
each new state, and takes the values back to the root. Unbounded minimax stops at the first new state (Korf
and Chickering 1996, "Best-First Minimax Search"), Descent goes on to the end of the game (Cohen-Solal 2020,
"Learning to Play Two-Player Perfect-Information Games without Knowledge").

Values come from a compiled evaluator as soon as a state is added. Or else the trees of all games wait after
each state that they look into, until the positions behind its moves are valued.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import Integer, Rows, Words, nth_row
from othello_lab.game.search.descent_kernels import (
    NOWHERE,
    Arena,
    Nodes,
    Task,
    add,
    back_up,
    best_open,
    expand,
    find,
)

_DEEPEST = 512
"""More plies than a game has, passes included."""
WALK = np.dtype(
    [
        ("root", np.int64),
        # How many nodes of the arena are used.
        ("used", np.int64),
        # Iterations to go, this one included; 0: the search is over.
        ("left", np.int64),
        # The states that this iteration came through, from the root on, and how many.
        ("path", np.int32, _DEEPEST),
        ("depth", np.int64),
    ],
    align=True,
)
"""Where the search in the tree of a game stands."""
# Records of WALK: compiled code reads and writes their fields as attributes.
Walk = Any


@compiled
def go_on(arena: Arena, walk: Walk, task: Task) -> None:
    """Look into the next state of a search, or end it.

    First the values behind the last state go back to it. If the arena is full, the state that there is no
    room for keeps its value.
    """
    nodes = arena[3]
    if walk.depth > 0:
        last = walk.path[walk.depth - 1]
        back_up(nodes, last)
        if nodes[last].solved or not task.to_the_end:
            end_iteration(nodes, walk)
    while walk.left > 0 and not nodes[walk.root].solved:
        node, before = next_state(nodes, walk), walk.used
        walk.used = expand(arena, before, node, task)
        if walk.used > before:
            walk.path[walk.depth] = node
            walk.depth += 1
            return
        end_iteration(nodes, walk)
    walk.left = 0


@compiled
def next_state(nodes: Nodes, walk: Walk) -> Integer:
    """Follow the best moves to a state that was not looked into, and return its node."""
    node = best_open(nodes, walk.path[walk.depth - 1]) if walk.depth > 0 else walk.root
    while nodes[node].first != 0:
        walk.path[walk.depth] = node
        walk.depth += 1
        node = best_open(nodes, node)
    return node


@compiled
def end_iteration(nodes: Nodes, walk: Walk) -> None:
    """Take the values of the path back to the root."""
    for i in range(walk.depth - 1, -1, -1):
        back_up(nodes, walk.path[i])
    walk.depth = 0
    walk.left -= 1


@compiled
def begin(
    like: Words,
    arenas: tuple[Rows, Rows, Nodes],
    walks: Walk,
    games: NDArray[np.int64],
    own: Rows,
    opponent: Rows,
    task: Task,
) -> None:
    """Begin to search the positions of some games, [n], each in the arena of its game.

    The first axis of all that `arenas` has is the game; so it is with `walks`.
    """
    for i in range(len(games)):
        walk, arena = walks[games[i]], arena_of(like, arenas, games[i])
        mine, theirs = nth_row(like, own, i), nth_row(like, opponent, i)
        root = find(arena, walk.root, mine, theirs) if walk.used > 0 else NOWHERE
        if root == NOWHERE:
            root = walk.used
            add(arena, root, mine, theirs, task)
            walk.used += 1
        walk.root, walk.left, walk.depth = root, task.iterations, 0


@compiled
def search(
    like: Words, arenas: tuple[Rows, Rows, Nodes], walks: Walk, games: NDArray[np.int64], task: Task
) -> None:
    """Search in some games: to the end, or where the task waits for values until it needs them."""
    for game in games:
        walk, arena = walks[game], arena_of(like, arenas, game)
        go_on(arena, walk, task)
        while walk.left > 0 and not task.waits:
            go_on(arena, walk, task)


@compiled
def arena_of(like: Words, arenas: tuple[Rows, Rows, Nodes], game: Integer) -> Arena:
    """Return the arena of a game."""
    return like, arenas[0][game], arenas[1][game], arenas[2][game]
