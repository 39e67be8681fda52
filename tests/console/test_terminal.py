import io
from typing import Literal

import pytest
from rich.console import Console

from othello_lab.console.terminal import board_text
from othello_lab.game import Board, Game
from othello_lab.game.drawing import PLAIN, ROUND, Look, Mark, Marks, cells_of, looks_of, symbols_for
from othello_lab.game.notation import SIZES

START, AFTER = Board.start(4), Game.from_transcript("b1", 4)
AFTER_B1 = """\
    a  b  c  d\x20
 1  + [X] +  .\x20
 2  . (X) X  .\x20
 3  +  X  O  .\x20
 4  .  .  .  .\x20"""


def test_the_board_shows_discs_legal_moves_the_last_move_and_what_it_turned_over() -> None:
    assert board_text(looks_of(AFTER.board, Marks.of(AFTER, legal=True)), PLAIN).plain == AFTER_B1


def test_the_last_disc_is_marked_also_before_a_pass() -> None:
    game = Game.from_transcript("b1c1d1a1a3", 4)
    before = [look.mark for look in looks_of(game.board, Marks.of(game))]
    game.pass_if_forced()
    assert [look.mark for look in looks_of(game.board, Marks.of(game))] == before
    assert before[8] is Mark.LAST
    assert before.count(Mark.TURNED) == 1


@pytest.mark.parametrize("size", SIZES)
def test_all_rows_are_aligned(size: int) -> None:
    lines = board_text(looks_of(Board.start(size), Marks(legal=True)), ROUND).plain.split("\n")
    assert len(lines) == size + 1
    assert {len(line) for line in lines} == {3 + 3 * size}
    assert [line[:2] for line in lines[1:]] == [f"{row:2}" for row in range(1, size + 1)]
    assert lines[0].split() == list("abcdefghijklmnop"[:size])


@pytest.mark.parametrize(
    ("encoding", "symbols"), [("utf-8", ROUND), ("ascii", PLAIN), ("latin-1", PLAIN), ("no-such", PLAIN)]
)
def test_letters_stand_in_where_the_encoding_has_no_discs(encoding: str, symbols: object) -> None:
    assert symbols_for(encoding) is symbols


def printed(is_terminal: bool) -> str:
    output = io.StringIO()
    colours: Literal["truecolor"] | None = "truecolor" if is_terminal else None
    console = Console(file=output, force_terminal=is_terminal, color_system=colours, no_color=False)
    looks = [Look(cell) for cell in cells_of(START)]
    console.print(board_text(looks, ROUND))
    return output.getvalue()


def test_a_terminal_gets_colours_and_a_pipe_none() -> None:
    assert "\x1b[" in printed(is_terminal=True)
    assert "\x1b[" not in printed(is_terminal=False)
