import numpy as np
import pytest

from othello_lab.console.seat import Seat, close
from othello_lab.console.sitting import Sitting
from othello_lab.game import PASS, Game, IllegalMoveError
from othello_lab.game.players.player import Forfeit
from othello_lab.game.transcripts import parse_moves
from tests.console.conftest import (
    BLACK,
    FORCED,
    OPTIMAL,
    WHITE,
    ScriptPlayer,
    answer,
    every_ply,
    moves,
    player_of,
    seat,
    sitting,
    square,
)


def test_a_person_and_a_player_take_turns() -> None:
    at = sitting(white=seat())
    assert at.people == [BLACK]
    assert (at.turn, at.person_to_move, at.player_to_move) == (BLACK, True, None)
    at.play(square("b1"))
    assert (at.turn, at.person_to_move) == (WHITE, False)
    assert answer(at) == [square("a1")]
    assert at.person_to_move


def test_passes_come_with_the_move_that_forces_them() -> None:
    at = sitting()
    made = [at.play(move) for move in parse_moves(FORCED, 4)]
    assert [len(part) for part in made].count(2) == 2
    assert at.game.moves == Game.from_transcript(FORCED, 4).moves
    assert at.turn is None


def test_a_game_that_begins_with_a_pass_begins_after_it() -> None:
    begun = Game.from_transcript("b1c1d1a1a3", 4)
    assert begun.board.must_pass
    at = Sitting(begun, {BLACK: None, WHITE: None})
    assert at.game.moves[-1] == PASS
    assert begun.moves[-1] != PASS, "the caller's game is left as it was"


def test_an_illegal_move_changes_nothing() -> None:
    at = sitting(transcript="b1a1")
    at.undo()
    with pytest.raises(IllegalMoveError, match="b2 is not legal here: it is occupied"):
        at.play(square("b2"))
    assert (moves(at), at.can_redo) == ("b1", True)


def test_a_player_hears_each_game_whole_and_once() -> None:
    white = seat()
    at = sitting(white=white)
    at.play(square("b1"))
    answer(at)
    at.undo()
    at.play(square("b1"))
    answer(at)  # the script itself asserts what it has heard
    at.begin(Game.from_transcript("b1a1a2", 4))
    answer(at)
    assert player_of(white).heard == parse_moves("b1a1a2", 4)


def test_who_leaves_is_closed_and_who_changes_sides_is_not() -> None:
    one, other = seat(), seat()
    at = sitting(one, other)
    at.sit({BLACK: None, WHITE: one})
    assert (player_of(one).closed, player_of(other).closed) == (False, True)
    assert at.seats == {BLACK: None, WHITE: one}
    close(at.seats.values())
    assert player_of(one).closed


def test_a_player_that_fails_is_told_all_when_it_is_asked_again() -> None:
    class Fails(ScriptPlayer):
        def choose(self, game: Game, rng: np.random.Generator) -> int:
            self.heard.clear()
            raise Forfeit("it died")

    white = Seat("script", Fails(parse_moves(OPTIMAL, 4)), np.random.default_rng(0))
    at = sitting(white=white, transcript="b1")
    for _ in range(2):
        with pytest.raises(Forfeit, match="it died"):
            answer(at)
    assert moves(at) == "b1"


def test_a_move_that_is_not_legal_forfeits() -> None:
    at = sitting(white=seat("b1b1"), transcript="b1")
    with pytest.raises(Forfeit, match="script made a wrong move: b1 is not legal here"):
        answer(at)


@pytest.mark.parametrize(("transcript", "resigns"), [(OPTIMAL, False), ("b1a1", True)])
def test_a_finished_game_is_looked_at_and_nobody_resigns(transcript: str, resigns: bool) -> None:
    at = sitting(transcript=transcript)
    if resigns:
        at.resign()
    at.go_to(1)
    assert at.person_to_move
    assert not at.can_resign
    at.play(square("a1"))
    at.undo()
    assert at.can_resign


def test_a_record_has_the_whole_line_and_the_names() -> None:
    at = sitting(white=seat(), transcript="b1a1")
    at.go_to(0)
    record = at.record()
    assert (record.black, record.white, record.forfeit) == ("person", "script", None)
    assert record.game.moves == parse_moves("b1a1", 4)


def test_two_players_can_be_watched() -> None:
    at = sitting(seat(), seat())
    while at.player_to_move:
        answer(at)
    assert at.game.transcript() == OPTIMAL
    assert at.undo()
    assert at.ply == 9


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


def test_any_point_of_the_line_can_be_gone_to_and_another_move_drops_what_follows() -> None:
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
    at.go_to(1)
    at.play(square("a1"))
    assert (moves(at), at.can_redo) == ("b1 a1", False)


def test_a_player_waits_while_one_looks_back() -> None:
    at = sitting(white=seat(), transcript="b1a1a2")
    at.go_to(1)
    assert (at.turn, at.person_to_move, at.player_to_move) == (WHITE, False, None)
    at.drop_redo()
    assert answer(at) == [square("a1")]


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
