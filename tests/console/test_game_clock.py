"""The clock of a game as GTP and NBoard tell it, and what a search hears of it."""

import pytest

from othello_lab.console.seat import GameClock
from othello_lab.game import Board, Colour
from othello_lab.game.players.deepening import DeepeningPlayer
from tests.console.engine_talk import gtp, nboard

BLACK, WHITE = Colour.BLACK, Colour.WHITE


class Ticking:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.clock = GameClock(lambda: self.seconds)

    def move(self, side: Colour, seconds: float) -> None:
        with self.clock.running(side):
            self.seconds += seconds
        self.seconds += 1000  # which nobody's clock counts


def test_a_side_has_what_it_was_given_less_what_it_used() -> None:
    game = Ticking()
    assert game.clock.left(BLACK) is None
    game.clock.set(600)
    game.move(BLACK, 20)
    assert (game.clock.left(BLACK), game.clock.left(WHITE)) == ((580, 0), (600, 0))
    game.clock.use(WHITE, 30)
    game.clock.tell(BLACK, 570)
    game.move(BLACK, 5)
    assert (game.clock.left(BLACK), game.clock.left(WHITE)) == ((565, 0), (570, 0))
    game.move(BLACK, 900)
    assert game.clock.left(BLACK) == (0, 0)
    game.clock.restart()
    assert game.clock.left(BLACK) == (600, 0)


def test_after_the_main_time_there_are_periods() -> None:
    game = Ticking()
    game.clock.set(10, 60, 20)
    game.move(WHITE, 11)
    assert game.clock.left(WHITE) == (3, 1)
    game.clock.tell(WHITE, 45, 15)
    game.move(WHITE, 5)
    assert game.clock.left(WHITE) == (40, 15)


@pytest.mark.parametrize("settings", [(0, 0, 0), (300, 60, 0)])
def test_no_limit(settings: tuple[int, int, int]) -> None:
    clock = GameClock(lambda: 0.0)
    clock.set(*settings)
    assert clock.left(BLACK) is None


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int] | None]:
    """What a search is told is left, move by move."""
    told: list[tuple[float, int] | None] = []

    def hurry(self: DeepeningPlayer, board: Board, left: tuple[float, int] | None) -> None:
        told.append(left)

    monkeypatch.setattr(DeepeningPlayer, "hurry", hurry)
    return told


def test_gtp_tells_a_search_what_is_left(heard: list[tuple[float, int] | None]) -> None:
    script = ["genmove black", "time_settings 600 0 0", "genmove white", "genmove black", "genmove white"]
    script += ["time_left black 20 0", "genmove black", "time_left white 50 10", "genmove white"]
    gtp("search:depth=1", *script, "clear_board", "genmove black")
    assert heard[0] is None
    expected = [(600, 0), (600, 0), (600, 0), (20, 0), (50, 10), (600, 0)]
    assert [left and (round(left[0]), left[1]) for left in heard[1:]] == expected
    assert heard[3] < heard[1]  # type: ignore[operator]  # none of them is None


GGF = "(;GM[Othello]PB[a//9]PW[b]TI[5:00//2:00]TY[8]BO[8 {} *]B[F5//0.5]W[D6/1.2/0.25];)".format(
    "---------------------------O*------*O---------------------------"
)


def test_nboard_tells_it_by_the_times_of_moves(heard: list[tuple[float, int] | None]) -> None:
    untimed = GGF.replace("TI[5:00//2:00]", "")
    script = [f"set game {GGF}", "go", "move C3//1.5", "go", "move D3", "go", f"set game {untimed}", "go"]
    nboard("search:depth=1", *script)
    assert heard == [(299.5, 0), (299.75, 0), (298.0, 0), None]
