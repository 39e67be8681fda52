"""Where a board and its squares lie on terminals of many sizes."""

import pytest

from othello_lab.console.screen.board_view import LETTERS, NUMBERS, SQUARES, Grid, arrange, least

SIZES = range(4, 17, 2)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("columns", "rows"), [(120, 40), (80, 24), (40, 20)])
def test_every_board_has_room_on_the_usual_terminals(size: int, columns: int, rows: int) -> None:
    found = arrange(size, columns, rows)
    assert found
    assert found.grid.columns <= columns
    assert found.grid.rows < rows


@pytest.mark.parametrize("size", SIZES)
def test_the_least_terminal_has_room_and_a_smaller_one_has_not(size: int) -> None:
    columns, rows = least(size)
    assert arrange(size, columns, rows)
    assert not arrange(size, columns - 1, rows)
    assert not arrange(size, columns, rows - 1)


def test_squares_grow_with_the_terminal() -> None:
    grids = [arrange(8, columns, rows) for columns, rows in [(40, 20), (80, 24), (120, 40), (200, 60)]]
    assert [grid and (grid.grid.width, grid.grid.height) for grid in grids] == [
        (4, 2),
        (4, 2),
        (8, 4),
        (10, 5),
    ]


def test_the_panel_stands_beside_the_board_unless_the_squares_would_shrink() -> None:
    wide, narrow = arrange(8, 80, 24), arrange(8, 40, 20)
    assert wide
    assert wide.beside
    assert narrow
    assert not narrow.beside


@pytest.mark.parametrize(("width", "height"), SQUARES)
def test_each_character_of_a_square_belongs_to_it(width: int, height: int) -> None:
    grid = Grid(4, width, height)
    found = [
        grid.square_at(NUMBERS + 2 * width + x, LETTERS + 3 * height + y)
        for x in range(width)
        for y in range(height)
    ]
    assert found == [14] * (width * height)


def test_beside_the_squares_there_is_none() -> None:
    grid = Grid(4, 4, 2)
    places = [(NUMBERS - 1, LETTERS), (NUMBERS, LETTERS - 1), (grid.columns, LETTERS), (NUMBERS, grid.rows)]
    assert [grid.square_at(*place) for place in places] == [None] * 4
