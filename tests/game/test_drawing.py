import pytest

from othello_lab.game import Board, Game
from othello_lab.game.drawing import PLAIN, ROUND, Cell, Look, Mark, Marks, as_text, cells_of, draw, looks_of
from othello_lab.game.notation import SIZES

AFTER_B1 = """\
   a b c d
 1 + X + .
 2 . X X .
 3 + X O .
 4 . . . .
X 4  O 1  after b1, white to move"""


def test_a_game_is_drawn_with_its_last_move_and_who_is_to_move() -> None:
    assert as_text(Game.from_transcript("b1", 4)) == AFTER_B1


def test_cells_go_row_by_row_from_a1() -> None:
    cells = cells_of(Board.start(4).play(1))
    assert cells[:6] == [Cell.LEGAL, Cell.BLACK, Cell.LEGAL, Cell.EMPTY, Cell.EMPTY, Cell.BLACK]
    assert Cell.LEGAL not in cells_of(Board.start(4), legal=False)


@pytest.mark.parametrize("size", SIZES)
def test_every_line_is_equally_long(size: int) -> None:
    lines = draw(looks_of(Board.start(size), Marks(legal=True)), ROUND)
    assert {sum(len(piece.text) for piece in line) for line in lines} == {3 + 2 * size}


def test_only_what_shows_a_square_has_a_cell() -> None:
    looks = [Look(cell, Mark.LAST) for cell in cells_of(Board.start(4))]
    border, *pieces = draw(looks, PLAIN, marks=True)[2]
    assert (border.text, border.cell) == (" 2 ", None)
    assert [piece.text for piece in pieces[3:6]] == ["[", "O", "]"]
    assert [(piece.cell, piece.is_mark) for piece in pieces[3:6]] == [
        (Cell.WHITE, True),
        (Cell.WHITE, False),
        (Cell.WHITE, True),
    ]
