import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import Board, Colour
from othello_lab.game.notation import SIZES
from othello_lab.game.observation import encode
from othello_lab.game.symmetry import SYMMETRIES, inverses, permutations, transform
from tests.game.positions import boards

symmetries = st.integers(0, SYMMETRIES - 1)


@settings(deadline=None, max_examples=50)
@given(boards, symmetries)
def test_they_commute_with_the_rules(board: Board, symmetry: int) -> None:
    turned, targets = transform(board, symmetry), permutations(board.size)[symmetry]
    assert set(turned.legal_moves) == {targets[move] for move in board.legal_moves}
    for move in board.legal_moves:
        assert transform(board.play(move), symmetry) == turned.play(targets[move])


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(boards, symmetries)
def test_planes_turn_with_the_board(board: Board, symmetry: int) -> None:
    sources = inverses(board.size)[symmetry]
    planes = encode(board, Colour.BLACK).reshape(4, -1)[:, sources]
    assert (planes.ravel() == encode(transform(board, symmetry), Colour.BLACK)).all()


@pytest.mark.parametrize("size", SIZES)
def test_they_are_eight_permutations_with_their_inverses(size: int) -> None:
    squares = np.arange(size * size)
    table, back = permutations(size), inverses(size)
    assert len({tuple(row) for row in table}) == SYMMETRIES
    assert (table[0] == squares).all()
    for symmetry in range(SYMMETRIES):
        assert (table[symmetry][back[symmetry]] == squares).all()
        assert (back[symmetry][table[symmetry]] == squares).all()


def test_they_are_a_group() -> None:
    table = {tuple(row) for row in permutations(6)}
    assert {tuple(np.asarray(a)[list(b)]) for a in table for b in table} == table


def test_a_quarter_turn_is_a_quarter_turn() -> None:
    corners = [0, 7, 63, 56]
    turned = [int(permutations(8)[1][corner]) for corner in corners]
    assert turned == corners[-1:] + corners[:-1]


def test_the_tables_cannot_be_spoilt() -> None:
    with pytest.raises(ValueError, match="read-only"):
        permutations(8)[0, 0] = 1
