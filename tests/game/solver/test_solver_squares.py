from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.kernels.bits import from_int, to_int
from othello_lab.game.notation import parse_square
from othello_lab.game.solver.solver_kernels import stable


def stable_discs(board: Board, colour: Colour) -> int:
    black, white = from_int(board.black, board.size), from_int(board.white, board.size)
    own, opponent = (black, white) if colour is Colour.BLACK else (white, black)
    return to_int(stable(own, opponent, board.size))


def continuations(board: Board) -> Iterator[Board]:
    for move in list(board.legal_moves) or [PASS] * board.must_pass:
        after = board.play(move)
        yield after
        yield from continuations(after)


@st.composite
def nearly_full(draw: st.DrawFn) -> Board:
    size = draw(st.sampled_from((4, 6, 8, 10)))
    cells = list(range(size * size))
    empty = draw(st.sets(st.sampled_from(cells), max_size=5))
    words = [draw(st.integers(0, (1 << len(cells)) - 1)) for _ in range(2)]
    black = draw(st.sampled_from([words[0], words[0] & words[1], words[0] | words[1]]))
    white = (1 << len(cells)) - 1 & ~black
    gone = ~sum(1 << square for square in empty)
    return Board(size, black & gone, white & gone, draw(st.sampled_from(Colour)))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(nearly_full())
def test_a_stable_disc_is_turned_over_in_no_continuation(board: Board) -> None:
    black, white = (stable_discs(board, colour) for colour in (Colour.BLACK, Colour.WHITE))
    assert black & ~board.black == white & ~board.white == 0
    for later in continuations(board):
        assert black & ~later.black == white & ~later.white == 0


@pytest.mark.parametrize("size", [4, 8, 12])
def test_in_whole_games_stable_discs_stay_what_they_are(size: int) -> None:
    rng, seen = np.random.default_rng(size), 0
    for _ in range(5):
        game = Game(Board.start(size))
        while not game.board.is_over:
            game.play(rng.choice(list(game.board.legal_moves) or [PASS]))
        black = white = 0
        for board in game.boards:
            assert black & ~board.black == white & ~board.white == 0
            black |= stable_discs(board, Colour.BLACK)
            white |= stable_discs(board, Colour.WHITE)
            seen += (black | white).bit_count()
    assert seen > 50 * size


def squares(text: str) -> int:
    return sum(1 << parse_square(name, 8) for name in text.split())


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["--------"] * 3 + ["---XX---"] * 2 + ["--------"] * 3, ""),
        # From a corner along the edges, and the square that both edges protect.
        (["XXX-----", "XX------", "X-------"] + ["--------"] * 5, "a1 b1 c1 a2 b2 a3"),
        # An edge is full, so no disc of the edge can be taken.
        (["OXXXXXXO", "--X-----"] + ["--------"] * 6, "b1 c1 d1 e1 f1 g1"),
        # Without a corner, a disc in the middle of an edge can be taken.
        (["--XX----"] + ["--------"] * 7, ""),
        (["XOOOOOOX"] + ["OOOOOOOO"] * 7, "a1 h1"),
    ],
)
def test_plain_cases(rows: list[str], expected: str) -> None:
    assert stable_discs(Board.parse("".join(rows) + " X"), Colour.BLACK) == squares(expected)
