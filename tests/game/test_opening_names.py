"""Names of openings."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from othello_lab.game import Board, Game, IllegalMoveError
from othello_lab.game.game import replay
from othello_lab.game.notation import PASS, format_squares
from othello_lab.game.opening_names import LINES, find_name, names_along, opening_name
from othello_lab.game.symmetry import SYMMETRIES, canonical, permutations, transform
from tests.game.recorded import finish

START = Board.start(8)
KEEP_THE_START = [k for k in range(SYMMETRIES) if transform(START, k) == START]


@pytest.mark.parametrize(("name", "line"), LINES.items())
def test_each_line_is_legal_and_leads_to_its_name(name: str, line: str) -> None:
    game = Game.from_transcript(line)
    assert line.startswith("f5")
    assert PASS not in game.moves
    assert opening_name(game) == names_along(game)[len(game.moves)] == name


def test_no_position_has_two_names() -> None:
    assert len(LINES) > 70
    assert len({canonical(Game.from_transcript(line).board) for line in LINES.values()}) == len(LINES)


def transpositions() -> Iterator[tuple[str, list[int]]]:
    """Yield names with the moves of their lines in other orders that lead to the same position."""
    for name, line in LINES.items():
        game = Game.from_transcript(line)
        for i, j in combinations(range(len(game.moves)), 2):
            moves = game.moves.copy()
            moves[i], moves[j] = moves[j], moves[i]
            try:
                if replay(START, moves).board == game.board:
                    yield name, moves
            except IllegalMoveError:
                continue


def test_names_are_found_in_another_order_of_moves() -> None:
    found = list(transpositions())
    assert len({name for name, _ in found}) > 20
    for name, moves in found:
        assert opening_name(replay(START, moves)) == name


def test_names_are_found_under_the_symmetries_that_keep_the_start() -> None:
    assert len(KEEP_THE_START) == 4
    for name, line in LINES.items():
        for k in KEEP_THE_START:
            moves = permutations(8)[k][Game.from_transcript(line).moves].tolist()
            assert opening_name(replay(START, moves)) == name, format_squares(moves, 8)


def test_the_longest_line_names_a_game_for_good() -> None:
    tiger = Game.from_transcript("f5d6c3d3c4f4c5b3c2")
    assert names_along(tiger) == {2: "Perpendicular", 5: "Tiger", 9: "Rose-Bill"}
    assert opening_name(finish(tiger)) == "Rose-Bill"
    assert opening_name(Game.from_transcript("f5d6c3")) == "Perpendicular"


def test_a_game_without_a_known_opening_has_no_name() -> None:
    assert opening_name(Game(START)) == opening_name(Game.from_transcript("f5")) == ""
    assert names_along(Game.from_transcript("b1a1", 4)) == names_along(Game(Board.start(10))) == {}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("tiger", "Tiger"), ("ROSE", "Rose"), ("brightw", "Brightwell"), ("fat draw", "F.A.T. Draw")],
)
def test_a_name_is_found_by_a_part_of_it(typed: str, name: str) -> None:
    assert find_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("buff", "part of several names: Buffalo, Hokuriku Buffalo, Maruoka Buffalo, Tanida Buffalo"),
        ("tigr", "no opening is called 'tigr': near are Tiger, "),
        ("12", "no opening is called '12': such as Tiger, "),
        ("", "no opening is called ''"),
    ],
)
def test_another_name_is_told_what_is_near(typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        find_name(typed)
