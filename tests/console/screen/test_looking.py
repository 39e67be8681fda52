import pytest
from textual.widgets import Footer, OptionList

from othello_lab.console.reviewing import MARGIN
from othello_lab.console.screen.dialogs import ReviewPage
from othello_lab.console.screen.program import MoveList
from othello_lab.game.notation import square_name
from tests.console.conftest import FORCED, NEARLY
from tests.console.screen.playing import Screen, run, table

pytestmark = pytest.mark.slow


def test_any_position_is_looked_at_and_played_on_from() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("home")
        assert screen.play.sitting.ply == 0
        await screen.press("pagedown", "pagedown")
        assert screen.play.sitting.ply == 2
        await screen.press("pageup", "end")
        assert screen.play.sitting.ply == 8
        await screen.press("ctrl+z", "ctrl+z")
        assert screen.play.sitting.ply == 4
        await screen.press("ctrl+y")
        assert screen.play.sitting.ply == 6
        await screen.type("goto 3")
        assert "`go`" not in screen.text
        await screen.press("enter")
        await screen.shows("`go`")
        assert screen.play.sitting.ply == 3
        await screen.press("ctrl+g")
        assert screen.play.notice("").startswith("greedy (white) plays ")
        assert screen.play.notice("").endswith(". left: d3 d2 b1 a2 d1 d4 c4 b4")
        assert screen.play.sitting.ply > 3
        assert not screen.play.sitting.can_redo

    run(steps, table(transcript=NEARLY))


def test_the_list_of_moves_leads_to_each() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("tab", "up", "up", "enter")
        assert screen.play.sitting.ply == 6
        moves = screen.program.panel.query_one(MoveList)
        await screen.pilot.click(MoveList, offset=(3, 1))
        await screen.settled()
        assert screen.play.sitting.ply == moves.highlighted == 1

    run(steps, table(transcript=NEARLY), size=(80, 30))


def test_a_hint_shows_what_each_move_is_worth_until_the_next_move() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f3")
        advice = screen.play.hints.advice
        assert advice
        assert advice.exact
        await screen.shows("best", *(move.text for move in advice.moves))
        await screen.type(square_name(next(iter(screen.play.game.board.legal_moves)), 4))
        assert not screen.play.hints.advice

    run(steps, table(transcript=NEARLY))


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

    run(steps, table(transcript=NEARLY))


def test_resigning_can_be_taken_back() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f9")
        await screen.shows("You lose: black resigned.")
        await screen.press("ctrl+z")
        assert screen.play.sitting.turn

    run(steps, table(transcript=NEARLY))


@pytest.mark.parametrize("columns", [40, 80])
def test_the_most_needed_keys_are_at_the_bottom_and_a_click_is_a_key(columns: int) -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("Undo")
        assert screen.text.splitlines()[-1].startswith("F1 Help F10 Quit F3 Hint ^Z Undo F2 New")
        await screen.pilot.click(Footer, offset=(1, 0))
        await screen.shows("Esc closes")

    run(steps, size=(columns, 24))


async def reviewed(screen: Screen) -> ReviewPage:
    await screen.press("f6")
    await screen.shows("m: next mistake")
    page = screen.program.screen
    assert isinstance(page, ReviewPage)
    return page


def listed_moves(screen: Screen) -> list[str]:
    rows = [row for row in screen.text.splitlines() if " ● " in row or " ○ " in row]
    return [row.split("│")[1].split()[2].rstrip("!") for row in rows]


def test_a_review_lists_every_decision_and_leads_to_each_position() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        game = screen.play.game
        plies = [ply for ply, board in enumerate(game.boards[:-1]) if board.legal_moves]
        assert [each.ply for each in page._decisions] == plies
        names = [square_name(game.moves[ply], 4) for ply in plies]
        await screen.until(lambda: listed_moves(screen)[-len(plies) :] == names)
        await screen.press("m", "enter")
        mistake = next(each for each in page._decisions if each.is_mistake)
        assert screen.play.sitting.ply == mistake.ply
        assert screen.play.game.board == mistake.board

    run(steps, table(transcript=FORCED), size=(80, 40))


def test_a_graph_marks_the_mistakes_of_the_game() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        await screen.shows("|", "+4")
        region = page.query_one("#graph").region
        rows = screen.text.splitlines()[region.y : region.bottom]
        marks = {place - MARGIN for row in rows for place, mark in enumerate(row[region.x :]) if mark == "!"}
        assert marks == {it.ply for it in page._decisions if it.is_mistake}

    run(steps, table(transcript=FORCED), size=(80, 24))


def test_the_list_fits_a_small_terminal() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        assert page.query_one(OptionList).size.height >= 3
        await screen.shows("discs at the end, exactly")

    run(steps, table(transcript=FORCED), size=(40, 20))


def test_a_reviewed_game_shows_on_the_board_what_the_moves_of_each_position_were_worth() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        await screen.press("m", "enter")
        mistake = next(each for each in page._decisions if each.is_mistake)
        shown = screen.play.hints.displayed
        assert shown
        assert {move.move: move.exact for move in shown.moves} == mistake.values
        await screen.shows("which lost")
        assert any(" -" in line and " disc" in line for line in screen.text.splitlines())
        await screen.press("f4")
        assert screen.play.hints.displayed == shown
        await screen.press("pageup", "pagedown")
        assert screen.play.hints.displayed == shown
        await screen.press("f3")
        assert screen.play.hints.displayed is screen.play.hints.advice is not None
        await screen.press("f3")
        assert screen.play.hints.displayed == shown

    run(steps, table(transcript=FORCED), size=(80, 30))
