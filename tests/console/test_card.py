import pytest

from othello_lab.console import wording
from othello_lab.console.controller import Controller
from othello_lab.console.seat import HUMAN
from othello_lab.game import Colour
from othello_lab.game.review import Decision, Reviewer
from tests.console.conftest import FORCED, OPTIMAL
from tests.console.screen import playing


def table(black: str, white: str, transcript: str = FORCED) -> Controller:
    return playing.table(black=black, white=white, transcript=transcript)


def review(at: Controller) -> list[Decision]:
    return [*Reviewer(4, 12).review(at.sitting.game)]


@pytest.mark.parametrize(
    ("black", "white", "begins", "sides"),
    [
        (HUMAN, "greedy", "What cost you most", [Colour.BLACK]),
        ("greedy", HUMAN, "What cost you most", [Colour.WHITE]),
        (HUMAN, HUMAN, "What cost most", [*Colour]),
        ("greedy", "greedy", "What cost most", [*Colour]),
    ],
)
def test_the_costliest_move_is_a_persons(black: str, white: str, begins: str, sides: list[Colour]) -> None:
    at = table(black, white)
    found = review(at)
    most = max((it for it in found if it.is_mistake and it.side in sides), key=lambda it: it.weight)
    text = wording.costliest(at.sitting, found)
    assert text.startswith(f"{begins}: move {most.ply + 1}, {most.side.value}")


@pytest.mark.parametrize("name", ["MyRun", "myRun"])
def test_a_winner_is_called_as_it_is_with_a_capital_letter(name: str) -> None:
    at = table("greedy", "greedy", OPTIMAL)
    white = at.sitting.seats[Colour.WHITE]
    assert white
    white.name = name
    assert wording.result(at.sitting)[0] == "MyRun wins: white wins, 11 to 3."


def test_a_game_without_a_mistake_says_so() -> None:
    at = table(HUMAN, "greedy", OPTIMAL)
    perfect = [each for each in review(at) if not each.is_mistake]
    assert wording.costliest(at.sitting, perfect) == "No move cost you anything that a review finds."
