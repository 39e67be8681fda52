"""Undo, redo, going to any point, hints, values: what a person looks at."""

from io import StringIO

import pytest
from rich.console import Console

from othello_lab.console.entry import Command
from othello_lab.console.screen.dialogs import help_page
from othello_lab.console.screen.game_screen import KeyLine
from othello_lab.console.screen.moves import MoveList
from tests.console.screen.playing import Screen, run, table

ALMOST = "d3d2b1a2d1d4c4b4"
"""A game on 4x4 with few moves to come."""


def test_what_was_taken_back_is_made_again() -> None:
    async def steps(screen: Screen) -> None:
        before = screen.play.game.moves
        await screen.press("ctrl+z", "ctrl+z")
        assert screen.play.game.moves == before[:4]
        await screen.shows("taken back: d1 d4")
        await screen.press("ctrl+y")
        assert screen.play.game.moves == before[:6]
        await screen.type("redo")
        assert screen.play.game.moves == before

    run(steps, table(transcript=ALMOST))


def test_any_position_is_looked_at_and_played_on_from() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("home")
        assert screen.play.sitting.ply == 0
        await screen.press("pagedown", "pagedown")
        assert screen.play.sitting.ply == 2
        await screen.press("pageup", "end")
        assert screen.play.sitting.ply == 8
        await screen.type("goto 3")
        assert "Ctrl+G" not in screen.text
        await screen.press("enter")
        await screen.shows("Ctrl+G")
        assert screen.play.sitting.ply == 3
        await screen.press("ctrl+g")
        assert screen.play.notice("").startswith("greedy (white) plays ")
        assert screen.play.notice("").endswith(". left: d3 d2 b1 a2 d1 d4 c4 b4")
        assert screen.play.sitting.ply > 3
        assert not screen.play.sitting.can_redo

    run(steps, table(transcript=ALMOST))


def test_the_opening_is_named() -> None:
    async def steps(screen: Screen) -> None:
        assert "opening: Tiger" in screen.text
        await screen.press("pageup")
        assert "opening: Perpendicular" in screen.text
        await screen.press("home")
        assert "opening" not in screen.text

    run(steps, table(8, transcript="f5d6c3d3c4", white="human"))


def test_how_one_moves_is_not_cut_where_lines_are_short() -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("Your move, black: arrows, or type d3.")

    run(steps, table(8), size=(40, 20))


def test_the_list_of_moves_leads_to_each() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("tab", "up", "up", "enter")
        assert screen.play.sitting.ply == 6
        moves = screen.program.game_screen.query_one(MoveList)
        await screen.pilot.click(MoveList, offset=(3, 1))
        await screen.settled()
        assert screen.play.sitting.ply == moves.highlighted == 1

    run(steps, table(transcript=ALMOST), size=(80, 30))


def test_a_hint_shows_what_each_move_is_worth_until_the_next_move() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f3")
        advice = screen.play.hints.advice
        assert advice
        assert advice.exact
        await screen.shows("best", *(move.text for move in advice.moves))
        await screen.type(square(screen))
        assert not screen.play.hints.advice

    run(steps, table(transcript=ALMOST))


def test_values_stay_on_from_position_to_position() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f4")
        first = screen.play.hints.advice
        await screen.press("ctrl+z")
        second = screen.play.hints.advice
        assert first
        assert second
        assert first.board != second.board
        await screen.press("f4")
        assert screen.play.hints.advice is None

    run(steps, table(transcript=ALMOST))


def square(screen: Screen) -> str:
    from othello_lab.game.notation import square_name

    board = screen.play.game.board
    return square_name(next(iter(board.legal_moves)), board.size)


def test_resigning_is_asked_about_and_can_be_taken_back() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f9", "right", "enter")
        assert screen.play.sitting.turn
        await screen.press("f9", "enter")
        await screen.shows("You lose: black resigned.")
        await screen.press("ctrl+z")
        assert screen.play.sitting.turn

    run(steps, table(transcript=ALMOST))


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        (40, "F1 Help  F10 Quit  F3 Hint  ^Z Undo"),
        (60, "F1 Help  F10 Quit  F3 Hint  ^Z Undo  F2 New  F6 Review"),
        (80, "F1 Help  F10 Quit  F3 Hint  ^Z Undo  F2 New  F6 Review  F4 Values  F7 Save"),
    ],
)
def test_the_keys_at_the_bottom_are_the_most_needed_and_none_is_cut(columns: int, keys: str) -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("Undo")
        assert screen.text.splitlines()[-1].rstrip() == keys
        await screen.pilot.click(KeyLine, offset=(1, 0))
        await screen.shows("Esc closes")

    run(steps, size=(columns, 24))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_legend_names_the_marks(
    size: tuple[int, int], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othello_lab.console.screen.program._encoding", lambda: encoding)

    async def steps(screen: Screen) -> None:
        signs = ("•  legal", "●  last move", "•  turned")
        plain = ("+  legal", "[X] last move", "(X) turned")
        await screen.shows(*(" ".join(sign.split()) for sign in (signs if encoding == "utf-8" else plain)))

    run(steps, table(transcript=ALMOST), size=size)


@pytest.mark.parametrize("columns", [40, 76, 120])
def test_the_help_page_names_every_word_once_and_says_nothing_twice(columns: int) -> None:
    console = Console(file=StringIO(), width=columns, color_system=None)
    console.print(help_page())
    words = console.file.getvalue().split()  # type: ignore[attr-defined]  # a StringIO, see above
    said = " ".join(words)
    for command in Command:
        assert words.count(command.word) >= 1
    pairs = [" ".join(words[place : place + 6]) for place in range(len(words) - 5)]
    assert len(set(pairs)) == len(pairs), said
