"""A position as text."""

import io

import pytest
from rich.console import Console

from console.drawing import PLAIN, ROUND, draw, symbols_for
from game import PASS, Board
from game.bitboard import SIZES

AFTER_B1 = """\
    a  b  c  d\x20
 1  + [X] +  .\x20
 2  .  X  X  .\x20
 3  +  X  O  .\x20
 4  .  .  .  .\x20"""


def test_the_board_shows_discs_legal_moves_and_the_last_move() -> None:
    assert draw(Board.start(4).play(1), PLAIN, last=1).plain == AFTER_B1


def test_the_last_move_may_be_a_pass_or_none() -> None:
    board = Board.start(4)
    assert "[" not in draw(board, PLAIN).plain
    assert "[" not in draw(board, PLAIN, last=PASS).plain


def test_discs_differ_without_colour() -> None:
    for symbols in (PLAIN, ROUND):
        assert len({symbols.black, symbols.white, symbols.legal, symbols.empty}) == 4


@pytest.mark.parametrize("size", SIZES)
def test_all_rows_are_aligned(size: int) -> None:
    lines = draw(Board.start(size), ROUND).plain.split("\n")
    assert len(lines) == size + 1
    assert {len(line) for line in lines} == {3 + 3 * size}
    assert [line[:2] for line in lines[1:]] == [f"{row:2}" for row in range(1, size + 1)]
    assert lines[0].split() == list("abcdefghijklmnop"[:size])


@pytest.mark.parametrize(
    ("encoding", "symbols"), [("utf-8", ROUND), ("ascii", PLAIN), ("latin-1", PLAIN), ("no-such", PLAIN)]
)
def test_letters_stand_in_where_the_encoding_has_no_discs(encoding: str, symbols: object) -> None:
    assert symbols_for(encoding) is symbols


def test_a_terminal_gets_colours_and_a_pipe_none() -> None:
    def printed(terminal: bool) -> str:
        output = io.StringIO()
        console = Console(
            file=output, force_terminal=terminal, color_system="truecolor" if terminal else None
        )
        console.print(draw(Board.start(4), ROUND))
        return output.getvalue()

    assert "\x1b[" in printed(terminal=True)
    assert "\x1b[" not in printed(terminal=False)
