"""A board as a picture, by numpy alone: a tile for each square."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.colours import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, channels
from game.drawing import Cell, as_text, cells_of
from game.game import Game

_TILE = 48
"""Pixels along a square."""
_DISCS = {Cell.BLACK: (BLACK, "#3e4246"), Cell.WHITE: ("#cdcdc8", WHITE)}
"""The rim and the face of a disc."""

Pixels = NDArray[np.float64]


def shown(game: Game, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return the position now as a render mode has it: `ansi` a text, `rgb_array` a picture."""
    if mode == "ansi":
        return as_text(game)
    if mode == "rgb_array":
        return picture(game.board, game.moves[-1] if game.moves else None)
    return None


def picture(board: Board, last: int | None = None) -> NDArray[np.uint8]:
    """Return a position as a picture, uint8 [48 * N, 48 * N, 3]: discs, small dots where the side to move may
    place one, an orange dot on `last`, the square of the last move.
    """
    size, cells = board.size, cells_of(board)
    tiles = np.array([_tile(cell, square == last) for square, cell in enumerate(cells)])
    rows = tiles.reshape(size, size, _TILE, _TILE, 3).swapaxes(1, 2)
    return rows.reshape(size * _TILE, size * _TILE, 3)


@cache
def _tile(cell: Cell, is_last: bool) -> NDArray[np.uint8]:
    tile = np.full((_TILE, _TILE, 3), channels(CLOTH), np.float64)
    tile[[0, -1]] = tile[:, [0, -1]] = channels(LINES)
    for colour, radius in _dots(cell, is_last):
        tile = _with_dot(tile, colour, radius)
    return tile.round().astype(np.uint8)


def _dots(cell: Cell, is_last: bool) -> list[tuple[str, float]]:
    """Return what stands on a square, from below to above: colours, and radii in squares."""
    dots = []
    if cell in _DISCS:
        rim, face = _DISCS[cell]
        dots += [(rim, 0.42), (face, 0.38)]
    elif cell is Cell.LEGAL:
        dots.append((LEGAL, 0.12))
    return [*dots, (MARK, 0.1)] if is_last else dots


def _with_dot(tile: Pixels, colour: str, radius: float) -> Pixels:
    """Return a tile with a round dot in its middle, whose rim is smooth."""
    offsets = np.arange(_TILE) - (_TILE - 1) / 2
    distance = np.hypot(offsets[:, None], offsets)
    share = np.clip(radius * _TILE - distance + 0.5, 0, 1)[..., None]
    mixed: Pixels = tile * (1 - share) + np.array(channels(colour)) * share
    return mixed
