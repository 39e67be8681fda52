import pytest

from othello_lab.game import Board, Game
from othello_lab.game.drawing import Cell, as_text, cells_of
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


@pytest.mark.parametrize("size", SIZES)
def test_every_row_is_equally_long(size: int) -> None:
    assert {len(row) for row in as_text(Game(Board.start(size))).splitlines()[:-1]} == {2 + 2 * size}


def test_cells_go_row_by_row_from_a1() -> None:
    cells = cells_of(Board.start(4).play(1))
    assert cells[:6] == [Cell.LEGAL, Cell.BLACK, Cell.LEGAL, Cell.EMPTY, Cell.EMPTY, Cell.BLACK]
    assert Cell.LEGAL not in cells_of(Board.start(4), legal=False)
