"""A board as a picture, by numpy alone: a tile for each square."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.drawing import Cell, as_text, cells_of
from game.game import Game

_TILE = 48
"""Pixels along a square."""
_CLOTH, _LINE = (30, 125, 80), (18, 80, 50)
_LAST = (225, 70, 50)
_DISCS = {Cell.BLACK: ((24, 26, 28), (62, 66, 70)), Cell.WHITE: ((205, 205, 200), (248, 248, 244))}
"""The rim and the face of a disc."""
_HINT = (20, 92, 58)

Pixels = NDArray[np.float64]
Colour = tuple[int, int, int]


def shown(game: Game, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return the position now as a render mode has it: `ansi` a text, `rgb_array` a picture."""
    if mode == "ansi":
        return as_text(game)
    if mode == "rgb_array":
        return picture(game.board, game.moves[-1] if game.moves else None)
    return None


def picture(board: Board, last: int | None = None) -> NDArray[np.uint8]:
    """Return a position as a picture, uint8 [48 * N, 48 * N, 3]: discs, small dots where the side to move may
    place one, a red dot on `last`, the square of the last move.
    """
    size, cells = board.size, cells_of(board)
    tiles = np.array([_tile(cell, square == last) for square, cell in enumerate(cells)])
    rows = tiles.reshape(size, size, _TILE, _TILE, 3).swapaxes(1, 2)
    return rows.reshape(size * _TILE, size * _TILE, 3)


@cache
def _tile(cell: Cell, is_last: bool) -> NDArray[np.uint8]:
    tile = np.full((_TILE, _TILE, 3), _CLOTH, np.float64)
    tile[[0, -1]] = tile[:, [0, -1]] = _LINE
    for colour, radius in _dots(cell, is_last):
        tile = _with_dot(tile, colour, radius)
    return tile.round().astype(np.uint8)


def _dots(cell: Cell, is_last: bool) -> list[tuple[Colour, float]]:
    """Return what stands on a square, from below to above: colours, and radii in squares."""
    dots = []
    if cell in _DISCS:
        rim, face = _DISCS[cell]
        dots += [(rim, 0.42), (face, 0.38)]
    elif cell is Cell.LEGAL:
        dots.append((_HINT, 0.12))
    return [*dots, (_LAST, 0.1)] if is_last else dots


def _with_dot(tile: Pixels, colour: Colour, radius: float) -> Pixels:
    """Return a tile with a round dot in its middle, whose rim is smooth."""
    offsets = np.arange(_TILE) - (_TILE - 1) / 2
    distance = np.hypot(offsets[:, None], offsets)
    share = np.clip(radius * _TILE - distance + 0.5, 0, 1)[..., None]
    mixed: Pixels = tile * (1 - share) + np.array(colour) * share
    return mixed
