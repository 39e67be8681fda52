from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import Board, Game
from othello_lab.game.records import Record, RecordError, txt
from tests.game.positions import games
from tests.game.recorded import TXT, read, same_game, strict


def moves_of(text: str, size: int = 8) -> list[str]:
    return [record.game.transcript() for record in strict(txt.entries(text, size))]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(games().filter(lambda game: bool(game.moves)), max_size=3))
def test_games_of_every_size_come_back(written: list[Game]) -> None:
    for game in written:
        game.pass_if_forced()  # as before every choice of a player
    again = TXT.load(TXT.dump(map(Record, written)))
    assert all(same_game(a.game, b) for a, b in zip(again, written, strict=True))


def test_the_bytes_of_a_file() -> None:
    games = [Game.from_transcript("F5D6C3"), Game.from_transcript("b1a1", 4), Game.from_transcript("c4c3")]
    assert TXT.dump(map(Record, games)) == b"f5d6c3\n# 4x4\nb1a1\n# 8x8\nc4c3\n"


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3c4",
        "F5D6C3D3C4\n",
        "  f5 d6 C3 d3c4  % perpendicular",
        "# a comment\n\n1. f5 d6 2. c3 d3 3. c4 # the rest was lost",
        "1. f5 d6\n2. c3 d3\n3. c4\n",
        "1. f5\n2. d6\n3. c3\n4. d3\n5. c4",
    ],
)
def test_the_usual_ways_to_write_a_game(text: str) -> None:
    assert moves_of(text) == ["f5d6c3d3c4"]


def test_a_numbered_list_is_a_game_a_line() -> None:
    assert moves_of("1. f5d6c3d3c4\n2. f5f6e6f4\n3. c4c3") == ["f5d6c3d3c4", "f5f6e6f4", "c4c3"]


def test_a_line_may_be_a_position() -> None:
    text = 'f5d6\n-----XO--OX----- X  % a problem\n"----/-●○-/-○●-/----" white\n1. c4\n'
    first, second, third, fourth = TXT.load(text.encode())
    assert (first.game.transcript(), fourth.game.transcript()) == ("f5d6", "c4")
    assert second.game.start == Board.parse("-----XO--OX----- X")
    assert str(third.game.start) == "-----XO--OX----- O"


@pytest.mark.parametrize("wrong", ["3. zz d3", "3. c9", "3. a1 d3", "3. c3"])
def test_a_wrong_turn_spoils_its_game_and_no_other(wrong: str) -> None:
    games = ["1. f5 d6", "2. c3 d3", wrong, "4. a1 f6", "5. f3 e6"], ["1. c4 c3", "2. d3 c5"]
    bad, good = txt.entries("\n".join(line for game in games for line in game))
    assert isinstance(bad, RecordError)
    assert isinstance(good, Record)
    assert good.game.transcript() == "c4c3d3c5"


def test_the_size_is_an_option_and_a_comment_may_say_it(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("b1a1\n# 6x6\nc2\n")
    assert [record.game.size for record in read(path, 4)] == [4, 6]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("f5d6\nf5f5", "line 2: move 2: f5 is not legal here: it is occupied"),
        ("f5d6\n\nhello", "line 3: 'hello' is not a list of moves"),
        ("f5 pass", "line 1: move 2: a pass is not legal here: white has a move"),
        ("a9", "line 1: 'a9' is not on a board of 8x8"),
        ("# 7x7\nf5", "line 1: a board of 7x7 does not exist"),
        ("1. f5 d6\n2. c3 d3\n3. a1", "line 1: move 5: a1 is not legal here"),
        ("1. f5 d6\n2. c3 d3\n\nhello", "line 4: 'hello' is not a list of moves"),
        ("f5" * 100_000, "line 1: more than 100,000 characters are no game: 'f5f5"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        TXT.load(text.encode())
    assert len(str(caught.value)) < 200


def test_what_a_transcript_cannot_hold_is_refused() -> None:
    with pytest.raises(RecordError, match=r"game 1: .* begins at the standard start, .*: use .jsonl or .ggf"):
        TXT.dump([Record(Game(Game.from_transcript("f5").board))])
