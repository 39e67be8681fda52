import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import Board, Colour
from othello_lab.game.observation import PLANES, encode, size_of
from tests.game.positions import scattered
from tests.game.reference import Reference, as_board, other


@settings(deadline=None, max_examples=50)
@given(scattered(), st.sampled_from(Colour))
def test_planes_show_what_the_reference_says(reference: Reference, colour: Colour) -> None:
    own = "X" if colour is Colour.BLACK else "O"
    cells = [cell for row in reference.grid for cell in row]
    observation = encode(as_board(reference), colour)
    assert size_of(len(observation)) == reference.size
    mine, theirs, legal, replies = observation.reshape(4, -1)
    assert mine.tolist() == [cell == own for cell in cells]
    assert theirs.tolist() == [cell == other(own) for cell in cells]
    assert np.flatnonzero(legal).tolist() == reference.legal(own)
    assert np.flatnonzero(replies).tolist() == reference.legal(other(own))
    assert observation.dtype == np.int32
    assert set(observation) <= {0, 1}


def test_the_order_of_the_planes_is_part_of_the_contract() -> None:
    assert PLANES == ("own", "opponent", "legal", "opponent_legal")
    square = [np.flatnonzero(plane).tolist() for plane in encode(Board.start(4), Colour.WHITE).reshape(4, 16)]
    assert square == [[5, 10], [6, 9], [2, 7, 8, 13], [1, 4, 11, 14]]


@pytest.mark.parametrize("numbers", [0, 3, 12 + 1, 63, 255, 257])
def test_a_wrong_count_of_numbers_is_refused(numbers: int) -> None:
    with pytest.raises(ValueError, match=rf"4\*N\*N numbers, this one has {numbers}"):
        size_of(numbers)
