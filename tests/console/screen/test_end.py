import pytest

from othello_lab.console.screen.program import MoveList
from othello_lab.console.wording import NEXT
from othello_lab.game import Board, Colour
from tests.console.screen.playing import Screen, run, table

pytestmark = pytest.mark.slow

OVER = "d3d2b1a2d1d4c4b4a1c1a3a4"


@pytest.mark.parametrize(("size", "moves"), [((80, 24), OVER), ((120, 40), "d3d2"), ((40, 20), OVER)])
def test_the_end_has_the_result_what_cost_most_and_what_can_come(size: tuple[int, int], moves: str) -> None:
    async def steps(screen: Screen) -> None:
        if moves != OVER:
            await screen.press("f9")
        await screen.shows("You lose: black" if moves != OVER else "You win: black wins, 9")
        await screen.shows("cost you")
        notice = " ".join(str(screen.program.panel.query_one("#notice").render()).split())
        assert NEXT in notice

    run(steps, table(white="level:3", transcript=moves), size=size)


def test_a_move_taken_back_takes_the_end_and_its_review_away() -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("What cost you most", "Next: ")
        await screen.press("pageup", "pageup", "home")
        assert screen.play.sitting.ply == 0
        await screen.press("end")
        await screen.shows("Next: ")
        await screen.press("ctrl+z")
        assert "Next: " not in screen.text
        assert screen.board.has_focus
        assert screen.play.hints.displayed is None
        await screen.type("new")
        await screen.until(lambda: screen.play.game.boards[0] == Board.start(4))
        assert screen.play.sitting.people == [Colour.BLACK]

    run(steps, table(white="level:3", transcript=OVER))


def test_who_goes_through_the_moves_stays_there() -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("Next: ")
        moves = screen.program.panel.query_one(MoveList)
        moves.focus()
        await screen.press("up", "enter")
        await screen.until(lambda: screen.play.sitting.ply == 11)
        await screen.press("down", "enter")
        await screen.shows("Next: ")
        assert moves.has_focus

    run(steps, table(white="level:3", transcript=OVER))
