"""What a person sees."""

import time
from io import StringIO

import pytest
from rich.console import Console

from experiment.progress import PlainDisplay, TerminalDisplay, make_display
from experiment.watch import drawing
from game.board import Board, Colour
from game.observation import encode
from rlglue.types import Observation


def observed(colour: Colour = Colour.BLACK) -> Observation:
    observation = Observation()
    observation.intArray = encode(Board.start(4), colour)
    return observation


def test_the_board_as_the_agent_sees_it() -> None:
    assert drawing(observed()).plain.splitlines() == [
        "   a b c d",
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
        display.advance(3, "won 50%")
        display.see(observed())
        display.line("a line that stays")
        display.activity("evaluating 1/2")
        display.activity("")
    text = out.getvalue()
    assert "a line that stays" in text
    assert "● agent 2" in text
    assert "3/10" in text
    assert text.rstrip("\x1b[?25h\n").count("won 50%")


def test_a_line_a_minute_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    out = StringIO()
    display = make_display(Console(file=out, width=100), 0, 10, watch=True)
    assert isinstance(display, PlainDisplay)
    for episode in range(1, 6):
        now += 30
        display.advance(episode, "won 50%")
    assert out.getvalue().splitlines() == [
        "--watch needs a terminal: the board is not shown",
        "episode 2 of 10: won 50%",
        "episode 4 of 10: won 50%",
    ]
