"""The limits that a search is given, and the report that it gives back."""

from dataclasses import dataclass

import numpy as np

from game.evaluators.compiled import WON
from game.notation import square_name
from game.search.deepening_kernels import DEEPEST

ENDGAME = 14
"""Empty squares from which on the game is solved in any case, unless a search is told otherwise."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take for a move, and how much memory."""

    depth: int = DEEPEST
    """Plies."""
    seconds: float | None = None
    """None is no limit: then only the depth counts, and the same seed gives the same move."""
    endgame: int | None = None
    """From this many empty squares on the game is solved: won or lost first, then exactly.

    None is from ENDGAME on, and earlier as far as seconds or nodes allow: see `game/search/endgame.py`.
    """
    nodes: int | None = None
    """Positions looked at before the endgame; None is no limit."""
    probcut: bool = True
    """Whether branches are cut by what shallow searches predict, where the evaluation says how well."""
    hash_mib: int = 16
    """Memory of the transposition table in MiB; the solver takes as much again."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a search found out about a position."""

    move: int
    """A square, or PASS where the side to move must."""
    value: float
    """For the side to move: an evaluation, near 1e9 or -1e9 for a certain win or loss; discs where solved."""
    depth: int
    """Plies of the last search that was finished."""
    solved: bool
    """Whether move and value are exact, to the end of the game."""
    variation: tuple[int, ...]
    """The principal variation as far as it is known, from `move` on."""
    nodes: int
    seconds: float

    @property
    def on_one_scale(self) -> float:
        """The value; of a solved position only whether it is won, drawn or lost, as evaluations say that."""
        return float(WON * np.sign(self.value)) if self.solved else self.value

    def line(self, size: int) -> str:
        """Return it in words."""
        kind = "solved" if self.solved else f"depth {self.depth}"
        line = " ".join(square_name(move, size) for move in self.variation)
        value = f"{self.value:+.0f}" if self.solved else f"{self.value:+.2f}"
        return f"{value}, {kind}, {self.nodes:,} nodes in {self.seconds:.2f} s: {line}"
