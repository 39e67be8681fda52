import pytest
from rich.color import Color, ColorSystem

from othello_lab.console.screen.board_view import (
    CURSOR,
    LETTERS,
    NUMBERS,
    SQUARES,
    Grid,
    arrange,
    drawn,
    fitting,
    least,
    shade,
)
from othello_lab.game.drawing import BLACK, CLOTH, WHITE, Cell, Look, Mark, ink


def text(look: Look, width: int, height: int) -> str:
    return "\n".join("".join(part.text for part in line) for line in drawn(look, width, height))


@pytest.mark.parametrize(("width", "height"), SQUARES)
def test_every_look_fills_its_square(width: int, height: int) -> None:
    looks = [Look(cell, mark) for cell in Cell for mark in Mark]
    looks += [Look(Cell.LEGAL, text="-0.31", share=0.5, is_best=best) for best in (False, True)]
    for look in looks:
        drawing = text(look, width, height)
        assert [len(line) for line in drawing.splitlines()] == [width] * height


def test_the_large_dot_is_on_the_last_move() -> None:
    last = text(Look(Cell.BLACK, Mark.LAST), 4, 2)
    turned = text(Look(Cell.BLACK, Mark.TURNED), 4, 2)
    assert last == "▗▄▄▖\n▝▀▀▘"
    assert turned == "▗▗▖▖\n▝▝▘▘"


@pytest.mark.parametrize(
    ("value", "width", "expected"),
    [
        ("-0.31", 8, "-0.31"),
        ("-0.31", 4, "-.31"),
        ("-0.31", 3, "-.3"),
        ("+12", 3, "+12"),
        ("+12", 2, ""),
        ("+4", 2, "+4"),
        ("lost", 4, "lost"),
        ("lost", 3, "l"),
    ],
)
def test_a_value_is_shortened_to_its_square(value: str, width: int, expected: str) -> None:
    assert fitting(value, width) == expected


def test_the_colours_of_values_grow_lighter_and_are_written_on_readably() -> None:
    def light(colour: str) -> int:
        return sum(int(colour[place : place + 2], 16) * weight for place, weight in ((1, 3), (3, 6), (5, 1)))

    lights = [light(shade(step / 24)) for step in range(25)]
    assert lights == sorted(lights)
    assert all(abs(light(shade(step / 24)) - light(ink(shade(step / 24)))) > 900 for step in range(25))


def test_with_16_colours_discs_and_squares_differ() -> None:
    colours = [BLACK, WHITE, CLOTH, CURSOR]
    assert len({Color.parse(colour).downgrade(ColorSystem.STANDARD).number for colour in colours}) == 4


SIZES = range(4, 17, 2)


@pytest.mark.parametrize("size", SIZES)
def test_every_board_has_room_on_the_usual_terminals_and_on_the_least(size: int) -> None:
    for columns, rows in [(120, 40), (80, 24), (40, 20), least(size)]:
        found = arrange(size, columns, rows)
        assert found
        assert found[0].columns <= columns
        assert found[0].rows < rows
    assert not arrange(size, columns - 1, rows)
    assert not arrange(size, columns, rows - 1)


def test_squares_grow_with_the_terminal_and_the_panel_stands_beside_unless_they_would_shrink() -> None:
    found = [arrange(8, columns, rows) for columns, rows in [(40, 20), (80, 24), (120, 40), (200, 60)]]
    grids = [(grid.width, grid.height) for grid, _ in filter(None, found)]
    assert grids == [(4, 2), (4, 2), (8, 4), (10, 5)]
    assert [is_beside for _, is_beside in filter(None, found[:2])] == [False, True]


@pytest.mark.parametrize(("width", "height"), SQUARES)
def test_a_square_is_found_at_each_of_its_characters_and_none_beside(width: int, height: int) -> None:
    grid = Grid(4, width, height)
    found = [
        grid.square_at(NUMBERS + 2 * width + x, LETTERS + 3 * height + y)
        for x in range(width)
        for y in range(height)
    ]
    assert found == [14] * (width * height)
    places = [(NUMBERS - 1, LETTERS), (NUMBERS, LETTERS - 1), (grid.columns, LETTERS), (NUMBERS, grid.rows)]
    assert [grid.square_at(*place) for place in places] == [None] * 4
