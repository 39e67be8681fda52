import numpy as np
import pytest

from othello_lab.console.controller import Controller
from othello_lab.console.seat import Seat
from othello_lab.game import Colour, Game
from othello_lab.game.players.player import Forfeit, MoveValues, Player
from rlglue.scripts import INTERRUPTED
from tests.console.screen.playing import Screen, run, table

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("", "nothing was typed"),
        ("d" * 10_000, "dddddddddddddddddddd..."),
        ("[bold]x[/]", "is no square"),
        ("\x00\x1b\x07", "is no square"),
    ],
)
def test_a_wrong_entry_is_answered_in_one_line_and_changes_nothing(entry: str, complaint: str) -> None:
    async def steps(screen: Screen) -> None:
        line = screen.program.line
        line.open(entry)
        await screen.pilot.press("enter")
        await screen.settled()
        assert complaint in " ".join(screen.play.notice("").split())
        assert not screen.play.game.moves
        assert screen.board.has_focus

    run(steps)


class Dying(Player):
    deaths = 1

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        if self.deaths:
            self.deaths -= 1
            raise Forfeit("its process has ended")
        return next(iter(game.board.legal_moves))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        raise OSError("nobody there")


def dying_table() -> Controller:
    at = table()
    seat = Seat("fragile", Dying(), np.random.default_rng(0), "greedy")
    at.sitting.sit({Colour.BLACK: None, Colour.WHITE: seat})
    return at


def test_a_player_that_dies_leaves_the_game_and_is_asked_again() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("b1")
        await screen.shows("fragile cannot go on: its process")
        assert len(screen.play.game.moves) == 1
        await screen.press("ctrl+g")
        assert len(screen.play.game.moves) == 2

    run(steps, dying_table())


def test_a_small_terminal_says_what_the_board_needs_until_it_grows() -> None:
    async def steps(screen: Screen) -> None:
        await screen.pilot.resize_terminal(18, 10)
        await screen.shows("The board needs 19x12")
        await screen.pilot.resize_terminal(80, 24)
        await screen.shows("Your move")
        assert "needs" not in screen.text

    run(steps, table(size=8), size=(80, 24))


def test_ctrl_c_leaves_at_once_whatever_is_open() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f2")
        await screen.pilot.press("ctrl+c")

    assert run(steps).return_value == INTERRUPTED


@pytest.mark.parametrize(("key", "is_kept"), [("ctrl+d", True), ("f10", False)])
def test_the_end_of_input_keeps_the_game_and_leaving_it_does_not(key: str, is_kept: bool) -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("b1")
        await screen.pilot.press(key)

    program = run(steps)
    assert program.return_value == 0
    assert program.control.save_file.exists is is_kept
