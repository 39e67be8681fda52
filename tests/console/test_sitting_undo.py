"""Moves taken back and made again, points gone to, and a game given up."""

import pytest

from othello_lab.game import IllegalMoveError
from tests.console.seated import (
    BLACK,
    FORCED,
    OPTIMAL,
    WHITE,
    answer,
    every_ply,
    moves,
    question,
    seat,
    sitting,
    square,
)


def test_undo_and_redo_go_from_decision_to_decision_of_a_person() -> None:
    at = sitting(white=seat(), transcript="b1a1a2c1")
    assert at.undo()
    assert moves(at) == "b1 a1"
    assert at.undo()
    assert moves(at) == ""
    assert not at.undo()
    assert at.redo()
    assert moves(at) == "b1 a1"
    assert at.redo()
    assert moves(at) == "b1 a1 a2 c1"
    assert not at.redo()


def test_undo_while_a_player_thinks_takes_back_ones_own_move() -> None:
    at = sitting(white=seat())
    at.play(square("b1"))
    thought = question(at)
    assert at.undo()
    assert at.accept(thought, thought.answer()) == []
    assert (at.game.moves, at.line) == ([], (square("b1"),))


def test_two_persons_go_back_ply_by_ply_and_over_passes() -> None:
    at = sitting(transcript=FORCED)
    seen = [moves(at)]
    while at.undo():
        seen.append(moves(at))
    assert len(seen) == 1 + len(FORCED) // 2
    assert not any(at.game.board.must_pass for _ in every_ply(at))
    at.go_to(0)
    while at.redo():
        pass
    assert moves(at) == seen[0]


def test_any_point_of_the_line_can_be_gone_to() -> None:
    at = sitting(transcript=FORCED)
    line = at.line
    assert list(every_ply(at))[:7] == [0, 1, 2, 3, 4, 6, 6]
    at.go_to(6)
    assert at.step(-1)
    assert at.ply == 4
    assert at.step(+100)
    assert at.ply == len(line)
    assert not at.step(+1)
    with pytest.raises(IndexError, match="there is no ply 15: expected 0 to 14"):
        at.go_to(15)


def test_another_move_drops_what_could_be_made_again() -> None:
    at = sitting(transcript=OPTIMAL)
    at.go_to(1)
    at.play(square("c1"))
    assert (moves(at), at.can_redo) == ("b1 c1", False)


def test_a_player_waits_while_one_looks_back() -> None:
    at = sitting(white=seat(), transcript="b1a1a2")
    at.go_to(1)
    assert (at.turn, at.person_to_move, at.question) == (WHITE, False, None)
    at.drop_redo()
    assert answer(at) == [square("a1")]


def test_an_answer_counts_after_one_has_looked_back_and_returned() -> None:
    at = sitting(white=seat(), transcript="b1")
    asked = question(at)
    at.go_to(0)
    at.go_to(1)
    assert at.accept(asked, asked.answer()) == [square("a1")]


def test_a_resignation_ends_the_line_until_it_is_taken_back() -> None:
    at = sitting(white=seat(), transcript="b1a1")
    at.resign()
    assert (at.resigned, at.turn, at.record().winner) == (BLACK, None, WHITE)
    with pytest.raises(IllegalMoveError, match="black resigned"):
        at.play(square("a2"))
    at.go_to(0)
    assert at.person_to_move
    at.go_to(2)
    assert at.resigned is BLACK
    assert at.undo()
    assert at.person_to_move
    assert moves(at) == "b1 a1"


def test_a_person_resigns_while_the_player_thinks_and_not_after_the_end() -> None:
    at = sitting(white=seat(), transcript="b1")
    at.resign()
    assert at.resigned is BLACK
    over = sitting(transcript=OPTIMAL)
    over.go_to(3)
    over.resign()
    assert (over.resigned, len(over.line)) == (None, 10)
