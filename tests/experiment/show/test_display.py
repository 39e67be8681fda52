"""What a person sees."""

import time
from io import StringIO

import pytest
from rich.console import Console

from othello_lab.experiment.run.record import TrainingConfig
from othello_lab.experiment.run.training.length import Forecast
from othello_lab.experiment.show.progress import PlainDisplay, TerminalDisplay, fitting, make_display
from othello_lab.experiment.show.terminal import drawing
from othello_lab.game.board import Board, Colour
from othello_lab.game.observation import encode
from rlglue.types import Observation


def observed(colour: Colour = Colour.BLACK) -> Observation:
    observation = Observation()
    observation.intArray = encode(Board.start(4), colour)
    return observation


def test_the_board_as_the_agent_sees_it() -> None:
    assert drawing(observed()).plain.splitlines() == [
        "   a b c d ",
        " 1 · + · · ",
        " 2 + ○ ● · ",
        " 3 · ● ○ + ",
        " 4 · · + · ",
        "   ● agent 2   ○ opponent 2",
    ]


def test_what_is_no_board_is_not_drawn() -> None:
    assert "no Othello board" in drawing(Observation(3)).plain


def test_a_terminal_shows_bar_and_board() -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=30, color_system=None)
    display = make_display(console, 0, 10, watch=True)
    assert isinstance(display, TerminalDisplay)
    with display:
        display.advance(3, ["won 50%", "a fact"], seconds_left=65)
        display.see(observed())
        display.line("a line that stays")
        display.activity("evaluating 1/2")
        display.activity("")
    text = out.getvalue()
    assert "a line that stays" in text
    assert "● agent 2" in text
    assert "3/10" in text
    assert "won 50%, a fact, 1:05 left" in text


@pytest.mark.parametrize(
    ("width", "shown"), [(200, "won 9%, eval 8%, Q 0.1"), (45, "won 9%, eval 8%"), (9, "won 9%")]
)
def test_what_has_no_room_is_left_out_from_the_end(width: int, shown: str) -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=width, color_system=None)
    with make_display(console, 0, 1000, watch=False) as display:
        display.advance(1, ["won 9%", "eval 8%", "Q 0.1"], seconds_left=3600)
    if width > 9:
        assert f"1/1,000 {shown}, 1:00:00 left" in out.getvalue()
    assert fitting(["won 9%", "eval 8%", "Q 0.1"], len(shown)) == shown


def test_time_left_counts_the_evaluations_to_come() -> None:
    config = TrainingConfig(episodes=100, eval_every=40, eval_games=10, final_games=20)
    forecast = Forecast(config, opponents=2, last_games=5)
    # Ten games a second, and no evaluation yet: all games cost the same.
    assert forecast.evaluation_games(0) == 2 * 2 * 10 + 2 * 20 + 5
    assert forecast.seconds_left(20, 10.0) == pytest.approx(8.0 + 8.5)
    forecast.evaluated(20, 10.0)
    # The evaluation after 40 episodes has yet to begin.
    assert forecast.seconds_left(40, 10.0) == pytest.approx(6.0 + 42.5)
    assert forecast.seconds_left(41, 10.0) == pytest.approx(5.9 + 32.5)
    assert forecast.evaluation_games(100) == 45
    assert forecast.seconds_left(1, 0.0) is None


def test_a_run_of_minutes_has_as_many_left_as_it_has_not_trained() -> None:
    config = TrainingConfig(episodes=1000, eval_every=0, final_games=0, minutes=10.0)
    forecast = Forecast(config, opponents=2)
    forecast.trained = 240.0
    # However fast it goes at the moment.
    assert forecast.seconds_left(100, 1.0) == forecast.seconds_left(100, 50.0) == pytest.approx(360.0)


def test_of_what_nobody_knows_the_length_no_time_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    out = StringIO()
    display = PlainDisplay(Console(file=out, width=100), 0, 0)
    now = 60.0
    display.advance(5, ["the last evaluation is played"], None, 5)
    assert out.getvalue() == "episode 5 of 5: the last evaluation is played\n"


def test_a_line_a_minute_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    out = StringIO()
    display = make_display(Console(file=out, width=100), 0, 10, watch=True)
    assert isinstance(display, PlainDisplay)
    for episode in range(1, 6):
        now += 30
        display.advance(episode, ["won 50%", "2 steps/s"])
    assert out.getvalue().splitlines() == [
        "--watch needs a terminal: the board is not shown",
        "episode 2 of 10: won 50%, 2 steps/s, 4:00 left",
        "episode 4 of 10: won 50%, 2 steps/s, 3:00 left",
    ]
