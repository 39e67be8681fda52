import numpy as np
import pytest

from othello_lab.game.kernels.bits import from_int
from othello_lab.game.solver.table import NOTHING, known, new_table, remembered_move, store

OWN, OPPONENT = from_int(0x1234, 8), from_int(0x8100, 8)


@pytest.mark.parametrize(("bound", "lower", "upper"), [(np.int16, -4, 12), (np.float64, -0.25, np.inf)])
def test_what_is_stored_is_known_to_its_depth(bound: type[np.generic], lower: float, upper: float) -> None:
    table = new_table(0.01, bound)
    store(table, OWN, OPPONENT, lower, upper, 7, 19, 100)
    assert known(table, OWN, OPPONENT, 7, 4096) == (lower, upper, 19)
    assert known(table, OWN, OPPONENT, 8, 4096) == (-4096, 4096, 19)
    assert known(table, OPPONENT, OWN, 1, 4096) == (-4096, 4096, NOTHING)
    assert remembered_move(table, OWN, OPPONENT) == 19
