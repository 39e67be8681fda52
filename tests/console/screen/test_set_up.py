"""A position that is set up on the whole screen."""

import pytest

from othello_lab.game import Colour
from tests.console.screen.playing import Screen, run, table


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
def test_discs_are_put_by_keys_and_clicks_and_the_game_goes_on_from_there(size: tuple[int, int]) -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f5")
        await screen.shows("2 black, 2 white, black to move.")
        await screen.press("c", "p")
        await screen.shows("0 black, 0 white", "nobody could move in that position")
        await screen.press("s", "t", "up", "left", "enter", "space")
        await screen.shows("2 black, 3 white, white to move.")
        await screen.press("t", "p")
        assert screen.play.game.start.turn is Colour.BLACK
        assert str(screen.play.game.start).startswith("O----OX--XO")
        assert screen.play.sitting.people == [Colour.BLACK]

    run(steps, size=size)


def test_escape_leaves_the_game_as_it_was() -> None:
    async def steps(screen: Screen) -> None:
        before = screen.play.game
        await screen.type("setup")
        await screen.shows("3 black, 3 white")
        await screen.press("enter", "escape")
        assert screen.play.game is before

    run(steps, table(transcript="b1a1"))
