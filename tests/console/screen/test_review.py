"""The review on the whole screen."""

from textual.widgets import OptionList

from othello_lab.console.reviewing import MARGIN
from othello_lab.console.screen.moves import GraphView, ReviewPage
from othello_lab.game import Game
from othello_lab.game.notation import square_name
from tests.console.screen.playing import Screen, run, table

# 4x4; white has to pass after a3, black after d2; black's a3, move 5, loses what the start had.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"


async def reviewed(screen: Screen) -> ReviewPage:
    """Open the review and wait until all of it is on the screen."""
    await screen.press("f6")
    await screen.shows("m: next mistake")
    page = screen.program.screen
    assert isinstance(page, ReviewPage)
    return page


def listed_moves(screen: Screen) -> list[str]:
    """Return the moves in the rows of the list that are on the screen."""
    rows = [row for row in screen.text.splitlines() if " ● " in row or " ○ " in row]
    return [row.split("│")[1].split()[2].rstrip("!") for row in rows]


def test_a_review_lists_every_decision_and_leads_to_each_position() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        game = screen.play.game
        plies = [ply for ply, board in enumerate(game.boards[:-1]) if board.legal_moves]
        assert [each.ply for each in page._listed] == plies
        names = [square_name(game.moves[ply], 4) for ply in plies]
        await screen.until(lambda: listed_moves(screen)[-len(plies) :] == names)
        await screen.press("m", "enter")
        mistake = next(each for each in page._listed if each.is_mistake)
        assert screen.play.sitting.ply == mistake.ply
        assert screen.play.game.board == mistake.decision.board

    run(steps, table(transcript=FORCED), size=(80, 40))


def test_a_review_that_is_known_is_shown_at_once_and_one_of_a_longer_game_is_new() -> None:
    async def steps(screen: Screen) -> None:
        first = await reviewed(screen)
        await screen.press("escape")
        assert (await reviewed(screen))._review is first._review
        await screen.press("escape")
        await screen.type("d3")
        assert (await reviewed(screen))._review is not first._review

    run(steps, table(transcript="b1c1"))


def test_a_review_of_a_game_that_another_took_the_place_of_leads_nowhere() -> None:
    async def steps(screen: Screen) -> None:
        await reviewed(screen)
        screen.play.begin(Game.from_transcript("", 4))
        await screen.press("enter")
        await screen.shows("there is no ply")
        assert screen.play.sitting.ply == 0

    run(steps, table(transcript=FORCED))


def test_before_the_first_move_there_is_nothing_to_review() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("review")
        await screen.shows("There is no move to review.")

    run(steps)


def test_a_graph_shows_the_game_and_a_click_there_highlights_the_decision() -> None:
    async def steps(screen: Screen) -> None:
        page = await reviewed(screen)
        mistake = next(each for each in page._listed if each.is_mistake)
        await screen.shows("|", "+4")
        region = page.query_one(GraphView).region
        column = region.x + MARGIN + mistake.ply
        rows = screen.text.splitlines()[region.y : region.bottom]
        row = next(row for row, line in enumerate(rows) if line[column] == "!")
        await screen.pilot.click(GraphView, offset=(column - region.x, row))
        await screen.press("enter")
        assert screen.play.sitting.ply == mistake.ply

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
        mistake = next(each for each in page._listed if each.is_mistake)
        shown = screen.play.hints.shown
        assert shown
        assert {move.move: move.exact for move in shown.moves} == mistake.decision.values
        await screen.shows("which lost")
        assert any(" -" in line and " disc" in line for line in screen.text.splitlines())
        await screen.press("f4")
        assert screen.play.hints.shown == shown
        await screen.press("pageup", "pagedown")
        assert screen.play.hints.shown == shown
        await screen.press("f3")
        assert screen.play.hints.shown is screen.play.hints.advice is not None
        await screen.press("f3")
        assert screen.play.hints.shown == shown

    run(steps, table(transcript=FORCED), size=(80, 30))
