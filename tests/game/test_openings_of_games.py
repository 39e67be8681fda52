"""Openings that are the beginnings of games."""

import pytest

from othello_lab.game import Board, Game
from othello_lab.game.openings import digest, openings_of, standard_openings
from othello_lab.game.symmetry import SYMMETRIES, canonical, transform
from tests.game.recorded import finish


def games(*lines: str) -> list[Game]:
    return [Game.from_transcript(line) for line in lines]


def test_the_most_frequent_positions_come_first() -> None:
    played = games("f5d6c3d3", "f5f6e6f4", "f5f6e6f4e3", "f5d6c5f4", "f5f6e6d6")
    assert openings_of(played, 8, 4) == ("f5f6e6f4", "f5d6c3d3", "f5d6c5f4")
    assert openings_of(played, 8, 4, 2) == ("f5f6e6f4", "f5d6c3d3")
    assert openings_of(played, 8, 5) == ("f5f6e6f4e3",)


def test_after_no_plies_there_is_the_standard_start() -> None:
    played = games("f5d6", "c4c3", "d3c5")
    assert openings_of(played, 8, 0) == openings_of(played, 8, 0, 3) == ("",) == standard_openings(8, 0)
    assert openings_of([Game(Board.start(8))], 8, 0) == ("",)
    assert openings_of([Game(Game.from_transcript("f5").board)], 8, 0) == openings_of(played, 6, 0) == ()


def test_positions_alike_by_symmetry_or_by_another_order_are_one() -> None:
    assert openings_of(games("f5f6e6f4", "f5f6e6d6"), 8, 4) == ("f5f6e6f4",)
    assert openings_of(games("f5d6", "c4e3", "d3c5", "e6f4", "f5f6"), 8, 2) == ("f5d6", "f5f6")
    board = Game.from_transcript("f5d6c3d3").board
    assert {canonical(transform(board, k)) for k in range(SYMMETRIES)} == {canonical(board)}


def test_whole_lines_stay_in_their_order() -> None:
    assert openings_of(games("f5f6e6f4", "f5d6", "f5f6e6f4", "c4c5e6"), 8) == ("f5f6e6f4", "f5d6", "c4c5e6")


def test_lines_that_no_match_can_begin_with_are_left_out() -> None:
    over, small = finish(Game(Board.start(8))), Game.from_transcript("b1a1", 4)
    elsewhere = Game(Game.from_transcript("f5").board)
    elsewhere.play(next(iter(elsewhere.board.legal_moves)))
    unmoved = Game(Board.start(8))
    with_pass = Game.from_transcript("f5f6e6f4e3c5g5g3g4")
    assert openings_of([over, small, elsewhere, unmoved, with_pass], 8) == (with_pass.transcript(),)
    assert openings_of([small], 4, 2) == ("b1a1",)
    assert openings_of([over], 8, len(over.moves)) == ()


@pytest.mark.parametrize("other", [["f5", "d3"], ["d3"], ["d3", "f5", ""], ["d3f5"]])
def test_the_digest_tells_openings_apart(other: list[str]) -> None:
    assert digest(["d3", "f5"]) == digest(("d3", "f5")) != digest(other)
