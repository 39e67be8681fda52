"""A run drawn in terminals of many sizes."""

from io import BytesIO, StringIO, TextIOWrapper

import pytest
from rich.console import Console

from othello_lab.experiment.run.outcomes import Tally
from othello_lab.experiment.show.charts import Chart, Series, look, of_training
from othello_lab.experiment.show.evaluation_table import Row, table
from othello_lab.experiment.show.live.shown_game import Shown
from othello_lab.experiment.show.live.snapshot import Phase, Snapshot
from othello_lab.experiment.show.live.terminal_view import TerminalView
from othello_lab.experiment.show.live.text_plot import ASCII, plot
from othello_lab.game import Board
from othello_lab.game.drawing import Marks

CURVE = Series("training: won", [0.0, 50.0, 100.0], [0.0, 0.5, 1.0], of_training(0))
POINTS = Series("evaluation", [0.0, 100.0], [0.0, 0.75], look(0), [0.0, 0.5], [0.25, 1.0])
ROWS = [Row(f"opponent {place}", Tally(50, 10, 40)) for place in range(12)]


def now(rows: int = 12) -> Snapshot:
    rates = Chart("Share of games won", "", "games", "share", [CURVE, POINTS], 0.0, 1.0)
    phase = Phase(1234, 5000, 0.25, False, "training", 65.0)
    numbers = {"epsilon": "0.10", "mean Q": "+0.20"}
    return Snapshot(
        "dqn against greedy", "first", "0", phase, rates, [], table("", ROWS[:rows]), 1000, numbers
    )


def shown(size: int = 8) -> Shown:
    board = Board.start(size)
    first, *others = board.legal_moves
    marks = Marks(values={first: 0.5, **dict.fromkeys(others, -0.25)})
    unit = "expected return: 1 a won game"
    return Shown(board, "the policy", "greedy", "black to move", marks, unit=unit)


def drawn(width: int, height: int, size: int = 8, encoding: str = "utf-8", rows: int = 12) -> list[str]:
    out = TextIOWrapper(BytesIO(), encoding)
    console = Console(file=out, width=width, height=height, force_terminal=True, color_system=None)
    console.print(TerminalView(now(rows), shown(size), "the foot"))
    out.seek(0)
    return out.read().splitlines()


@pytest.mark.parametrize(("width", "size"), [(20, 8), (40, 4), (79, 8), (80, 16), (120, 8), (200, 16)])
@pytest.mark.parametrize("height", [6, 10, 16, 24, 50])
def test_it_fits_the_terminal(width: int, height: int, size: int) -> None:
    lines = drawn(width, height, size)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    assert lines[-1].strip() == "the foot"


def test_80_by_24_shows_everything() -> None:
    text = "\n".join(drawn(80, 24))
    for part in (
        "dqn against greedy  run first, seed 0",
        "1,234/5,000 training games, 1:05 left",
        "training: won",
        "● evaluation",
        "after 1,000 games, against",
        "opponent 1 ",
        "epsilon 0.10, mean Q +0.20",
        " 4  ·  ·  +  ○  ●",
        "●  2 the policy",
        "black to move",
        "expected return:",
        "d3 +0.5  c4 -0.25",
    ):
        assert part in text, part


def test_a_terminal_without_these_characters_gets_others() -> None:
    text = "\n".join(drawn(80, 24, encoding="ascii"))
    assert "o evaluation" in text
    assert "X  2 the policy" in text


def test_the_last_move_stands_between_brackets() -> None:
    board = Board.start(8).play(19)
    console = Console(file=StringIO(), width=80, height=24)
    view = TerminalView(now(), Shown(board, "a", "b", "white to move", Marks(last=19)), "")
    with console.capture() as capture:
        console.print(view)
    assert "[●]" in capture.get()


def test_an_interval_hides_no_point_of_another() -> None:
    others = [
        Series("one", [50.0], [0.5], look(0), [0.25], [0.75]),
        Series("two", [50.0], [0.75], look(0), [0.0], [1.0]),
    ]
    rows = [line.plain[15] for line in plot(others, 100, width=25, height=6, signs=ASCII)[:-1]]
    assert rows == ["|", "o", "o", "|", "|"]


def test_a_curve_goes_from_corner_to_corner_and_points_have_their_interval() -> None:
    rows = [line.plain for line in plot([CURVE, POINTS], 100, width=25, height=6, signs=ASCII)]
    assert rows == [
        "100%                 ***|",
        "                 *****  o",
        " 50%         *****      |",
        "     |   *****           ",
        "  0% o***                ",
        "     0          100 games",
    ]
