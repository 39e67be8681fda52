"""The search for XOT openings: positions after eight plies in which neither side has an advantage.

    python -m scripts.find_xot

It judges all positions after eight plies, those alike by symmetry once, and writes those that are even to
game/xot.txt, which `--openings xot` reads. It takes a quarter of an hour of one core. The list is kept, not
found anew where it is used: another network would find another.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from othello_lab.game import Game
from othello_lab.game.board import corners
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.openings import openings, openings_of
from othello_lab.game.players.deepening import PRETRAINED
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits

SIZE: Final = 8
PLIES: Final = 8
DEPTHS: Final = (10, 11, 12)
"""Plies of the searches that all have to find a position even; odd and even ones err to different sides."""
EVEN: Final = 0.07
"""The largest expected result of a side, so 46.5 to 53.5 % of the points: about two discs."""
KEPT: Final = Path(__file__).parents[1] / "game" / "xot.txt"


def has_no_corner(line: str) -> bool:
    """Tell whether after a line no corner is taken, and none can be by the side to move."""
    board, bits = Game.from_transcript(line, SIZE).board, corners(SIZE).bits
    return not (board.black | board.white | board.legal_moves.bits) & bits


def even(lines: Sequence[str], depth: int) -> list[str]:
    """Return the lines after which a search of this many plies expects no more than EVEN for either side."""
    search = DeepeningSearch(
        SIZE, make_evaluator(PRETRAINED, SIZE), Limits(depth=depth, endgame=0, hash_mib=4)
    )
    return [line for line in lines if abs(_value(search, line)) <= EVEN]


def _value(search: DeepeningSearch, line: str) -> float:
    return search.think(Game.from_transcript(line, SIZE).board, np.random.default_rng(0)).value


def mixed(lines: Sequence[str]) -> list[str]:
    """Return lines in an order that means nothing and is always the same: the first few are a sample."""
    return sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())


def main() -> None:
    """Find the openings and write them down."""
    every = openings_of(openings(SIZE, PLIES), SIZE)
    found = [line for line in every if has_no_corner(line)]
    print(f"{len(every):,} positions after {PLIES} plies, {len(found):,} without a corner")
    for depth in DEPTHS:
        found = even(found, depth)
        print(f"{len(found):,} of them even by a search of {depth} plies", flush=True)
    KEPT.write_text("".join(f"{line}\n" for line in mixed(found)), "utf-8")


if __name__ == "__main__":
    main()
