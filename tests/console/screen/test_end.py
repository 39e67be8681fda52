from pathlib import Path

import pytest

from othello_lab.console.files import load
from othello_lab.console.screen.panel import MoveList, Panel
from othello_lab.console.seat import HUMAN
from othello_lab.game import Board, Colour
from tests.console.screen.playing import Screen, run, table

pytestmark = pytest.mark.slow

NEARLY = "d3d2b1a2d1d4c4b4a1c1a3"
OVER = "d3d2b1a2d1d4c4b4a1c1a3a4"
LABELS = ("Review", "Rematch", "Other colour", "Level 4", "Level 2", "Save")


async def choose(screen: Screen, label: str) -> None:
    await screen.shows(label)
    await screen.press(*["down"] * LABELS.index(label), "enter")


def is_new(screen: Screen, size: int = 4) -> bool:
    return screen.play.game.boards[0] == Board.start(size) and len(screen.play.game.moves) <= 1


@pytest.mark.parametrize(("size", "moves"), [((80, 24), OVER), ((120, 40), "d3d2"), ((40, 20), OVER)])
def test_the_card_has_the_result_what_cost_most_and_what_can_come(size: tuple[int, int], moves: str) -> None:
    async def steps(screen: Screen) -> None:
        if moves != OVER:
            await screen.press("f9", "enter")
        await screen.shows("You lose: black" if moves != OVER else "You win: black wins, 9")
        await screen.shows("cost you", *LABELS)

    run(steps, table(white="level:3", transcript=moves), size=size)


@pytest.mark.parametrize("is_clicked", [False, True])
def test_a_rematch_begins_by_key_and_by_mouse(is_clicked: bool) -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("What cost you most", *LABELS)  # no more lines come that would move the choices
        if is_clicked:
            await screen.pilot.click("Choices", offset=(2, LABELS.index("Rematch")))
        else:
            await choose(screen, "Rematch")
        await screen.until(lambda: is_new(screen))
        assert screen.play.sitting.people == [Colour.BLACK]
        await screen.until(lambda: screen.board.has_focus)

    run(steps, table(white="level:3", transcript=OVER))


def test_the_game_is_reviewed_and_saved_from_the_card(tmp_path: Path) -> None:
    async def steps(screen: Screen) -> None:
        await choose(screen, "Review")
        await screen.shows("m: next mistake")
        await screen.press("escape")
        await choose(screen, "Save")
        await screen.shows("Name a file")
        await screen.answer(str(tmp_path / "game.jsonl"))
        assert load(str(tmp_path / "game.jsonl")).game.board.is_over

    run(steps, table(white="level:3", transcript=OVER), size=(100, 30))


def test_keys_stay_the_boards_and_a_move_taken_back_takes_the_card_and_its_review_away() -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows("What cost you most", *LABELS)
        await screen.press("pageup", "pageup", "home")
        assert screen.play.sitting.ply == 0
        await screen.press("end")
        await screen.shows(*LABELS)
        await screen.press("ctrl+z")
        assert not screen.program.game_screen.query_one(Panel).has_class("-over")
        assert screen.board.has_focus
        assert screen.play.hints.displayed is None

    run(steps, table(white="level:3", transcript=OVER))


def test_the_last_move_may_be_typed_and_the_keys_then_choose_what_is_next() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("a4")
        await choose(screen, "Rematch")
        await screen.until(lambda: is_new(screen))

    run(steps, table(black="level:3", white=HUMAN, transcript=NEARLY))


def test_who_goes_through_the_moves_stays_there() -> None:
    async def steps(screen: Screen) -> None:
        await screen.shows(*LABELS)
        moves = screen.program.game_screen.query_one(MoveList)
        moves.focus()
        await screen.press("up", "enter")
        await screen.until(lambda: screen.play.sitting.ply == 11)
        await screen.press("down", "enter")
        await screen.shows(*LABELS)
        assert moves.has_focus

    run(steps, table(white="level:3", transcript=OVER))
