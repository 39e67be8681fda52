"""Where a game starts, as text."""

import pytest

from othello_lab.game import Board
from othello_lab.game.game import format_start, parse_start


@pytest.mark.parametrize("text", ["", "standard", "start", " Standard "])
def test_the_standard_start_has_a_name(text: str) -> None:
    assert parse_start(text, 6).board == Board.start(6)


def test_a_start_may_be_moves_or_a_position() -> None:
    after = Board.start(6).play(8)
    assert parse_start("c2", 6).board == after
    assert parse_start(str(after), 8).board == after


@pytest.mark.parametrize("board", [Board.start(4), Board.start(4).play(1)])
def test_what_is_written_is_read(board: Board) -> None:
    assert parse_start(format_start(board), 4).board == board


def test_only_the_standard_start_goes_by_its_name() -> None:
    assert format_start(Board.start(4)) == "standard"


@pytest.mark.parametrize(("text", "why"), [("d3d9", "d9"), ("elsewhere", "neither a position")])
def test_what_says_no_start_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_start(text, 8)
