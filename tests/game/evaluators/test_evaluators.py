import pytest
from hypothesis import given, settings

from othello_lab.game import Board
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.evaluators.weights import published_weights
from othello_lab.game.registry import RegistryError
from tests.game import plain
from tests.game.plain import as_reference
from tests.game.positions import boards

NAMES = ["positional", "mobility", "weights:swh", "weights:heur", "weights:bench", "piece-values", "discs"]


def value(text: str, position: str) -> float:
    board = Board.parse(position)
    return float(make_evaluator(text, board.size).values(Positions.of([board]))[0])


FEW = "XX------" "-O------" "--------" "---O----" + "-" * 32  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("positional", (100 - 20) - (-50 - 1)),
        ("weights", (100 - 25) - (-25 + 1)),
        ("weights:swh", (100 - 25) - (-25 + 1)),
        ("weights:heur", (100 - 25) - (-25 + 2)),
        ("weights:bench", (80 - 26) - (-39 - 1)),
        ("piece-values", (4 + 2) - (1 + 1)),
        ("discs", 0),
        ("mobility", 10 * 1 + (2 - 0) / (2 + 0)),
    ],
)
def test_by_hand(text: str, expected: float) -> None:
    assert value(text, f"{FEW} X") == expected
    assert value(text, f"{FEW} O") == -expected


def test_the_end_phase_begins_at_52_of_64_discs_and_at_29_of_36() -> None:
    """White has b1 to e1, black the next 47 or 48 squares. First squares count, and then discs."""
    discs = "-OOOO" + "X" * 47
    assert value("positional", discs.ljust(64, "-") + " X") != 47 - 4
    assert value("positional", (discs + "X").ljust(64, "-") + " X") == 48 - 4
    assert value("mobility", (discs + "X").ljust(64, "-") + " O") == 4 - 48
    assert value("positional", "-" + "X" * 28 + "-------" + " X") != 28
    assert value("positional", "-" + "X" * 29 + "------" + " X") == 29


def test_the_end_phase_begins_with_all_corners_taken() -> None:
    three = "X------X" + "-" * 48 + "O--OO---"
    assert value("positional", f"{three} X") == 100 - (5 + 5)
    assert value("positional", f"{three[:-1]}X X") == 3 - 3
    assert value("mobility", f"{three[:-1]}X X") == 3 - 3


@pytest.mark.slow
@given(boards)
@settings(max_examples=100, deadline=None)
def test_positional_and_mobility_equal_the_reference(board: Board) -> None:
    for text, evaluation in [("positional", plain.positional), ("mobility", plain.mobility)]:
        assert value(text, str(board)) == pytest.approx(evaluation(as_reference(board)))


@pytest.mark.parametrize("text", [*NAMES, "weights:bench,fade=1"])
@given(boards)
@settings(max_examples=30, deadline=None)
def test_what_is_good_for_one_side_is_bad_for_the_other(text: str, board: Board) -> None:
    positions = Positions.of([board])
    swapped = Positions(board.size, positions.opponent, positions.own)
    evaluator = make_evaluator(text, board.size)
    assert evaluator.values(positions) == -evaluator.values(swapped)


def test_an_evaluator_is_for_one_size() -> None:
    with pytest.raises(ValueError, match="for boards of 6x6, not 8x8"):
        make_evaluator("discs", 6).values(Positions.of([Board.start(8)]))


def test_fading_weights_are_scaled_and_become_one_as_the_board_fills() -> None:
    """On 4x4, ten discs are half-way between four and sixteen."""
    ten = "XO--XOO-XXO--XX- X"
    unfaded = value("weights:bench", ten)
    assert value("weights:bench,fade=0", ten) == unfaded
    assert value("weights:bench,fade=1", ten) == pytest.approx((unfaded / 100 + (6 - 4)) / 2)
    assert value("weights:bench,fade=1", "XXXXXXXXXXOOOOOO X") == 10 - 6


def test_an_unknown_matrix_is_refused() -> None:
    with pytest.raises(RegistryError, match=r"weights has no matrix 'shw'; there are: swh, heur, bench"):
        make_evaluator("weights:shw", 8)


def test_a_matrix_for_another_size_goes_by_the_distance_from_the_edges() -> None:
    assert published_weights("bench", 6)[0].tolist() == [80, -26, 24, 28, -18, 76]
    assert published_weights("bench", 10)[0].tolist() == [80, -26, 24, -1, -1, -5, -5, 28, -18, 76]
    assert published_weights("bench", 4).tolist() == [
        [80, -26, -18, 76],
        [-23, -39, -39, -1],
        [-27, -53, -58, -15],
        [87, -25, -3, 100],
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("positionel", "there is no evaluator 'positionel'; did you mean positional?"),
        ("positional:x", "positional takes no argument, but got 'x'"),
        ("positional,fade=1", "positional has no option 'fade'; its options: none"),
        ("weights:swh,fad=1", "weights has no option 'fad'; did you mean fade?"),
        ("weights:swh,fade=2", "weights: fade is '2', expected a whole number from 0 to 1"),
    ],
)
def test_wrong_texts_are_answered_with_what_there_is(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make_evaluator(text, 8)
