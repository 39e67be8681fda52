import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.experiment.run.outcomes import Episode, Hundreds, Outcome, Tally, View
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.progress import Display, fitting
from tests.experiment.parts import carry_out, othello, plan_of, small


def test_a_terminal_shows_a_bar() -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=30, color_system=None)
    with Display(console, 0, 10) as display:
        display.advance(3, ["won 50%", "a fact"], seconds_left=65)
        display.line("a line that stays")
        display.activity("evaluating 1/2")
        display.activity("")
    text = out.getvalue()
    assert "a line that stays" in text
    assert "3/10" in text
    assert "won 50%, a fact, 1:05 left" in text


@pytest.mark.parametrize(
    ("width", "shown"), [(200, "won 9%, eval 8%, Q 0.1"), (45, "won 9%, eval 8%"), (9, "won 9%")]
)
def test_what_has_no_room_is_left_out_from_the_end(width: int, shown: str) -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=width, color_system=None)
    with Display(console, 0, 1000) as display:
        display.advance(1, ["won 9%", "eval 8%", "Q 0.1"], seconds_left=3600)
    if width > 9:
        assert f"1/1,000 {shown}, 1:00:00 left" in out.getvalue()
    assert fitting(["won 9%", "eval 8%", "Q 0.1"], len(shown)) == shown


def test_of_what_nobody_knows_the_length_no_time_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    out = StringIO()
    display = Display(Console(file=out, width=100), 0, 0)
    now = 60.0
    display.advance(5, ["the last evaluation is played"], None, 5)
    assert out.getvalue() == "episode 5 of 5: the last evaluation is played\n"


def test_a_line_a_minute_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    out = StringIO()
    display = Display(Console(file=out, width=100), 0, 10)
    for episode in range(1, 6):
        now += 30
        display.advance(episode, ["won 50%", "2 steps/s"])
    assert out.getvalue().splitlines() == [
        "episode 2 of 10: won 50%, 2 steps/s, 4:00 left",
        "episode 4 of 10: won 50%, 2 steps/s, 3:00 left",
    ]


BLACK, WHITE, DRAW = (
    Episode(1, outcome, 0.0, 9, colour=colour)
    for outcome, colour in ((Outcome.LOSS, "white"), (Outcome.WIN, "white"), (Outcome.DRAW, "white"))
)
"""Games in which white moved last, so the loss of white is the win of black."""


def test_the_last_movers_outcome_becomes_a_colours() -> None:
    view = View(selfplay=True)
    hundreds = Hundreds(view, [BLACK, BLACK, WHITE, DRAW])
    assert hundreds.recent == Tally(win=2, draw=1, loss=1)
    assert view.fact(hundreds.recent) == "black 50% white 25% drawn 25%"
    assert view.text(hundreds.recent) == "2 won by black, 1 by white, 1 drawn"
    assert View().outcome(BLACK) is Outcome.LOSS


def test_lines_metrics_and_curves_name_the_colours(tmp_path: Path) -> None:
    _, out = carry_out(
        plan_of(tmp_path, config=small(100, eval_every=0, final_games=0)),
        PlayerAgent("random", seed=1),
        othello(opponent="self"),
    )
    folder = RunFolder.open(tmp_path, "one")
    games = folder.episodes()
    black = sum(
        (game.outcome is Outcome.WIN) is (game.colour == "black") for game in games if game.outcome != "draw"
    )
    white = sum(game.outcome != "draw" for game in games) - black
    assert f"episodes 1-100: {black} won by black, {white} by white, {100 - black - white} drawn" in out
    last = folder.metrics()[-1]
    assert (last["black"], last["white"]) == pytest.approx((black / 100, white / 100))
    assert "win_rate" not in last
    events = b"".join(path.read_bytes() for path in folder.tensorboard.iterdir())
    assert b"episode/black" in events
    assert b"episode/win_rate" not in events


@pytest.mark.parametrize(("is_terminal", "lines"), [(True, 3), (False, 1)])
def test_a_line_is_broken_between_words_and_in_a_file_not_at_all(is_terminal: bool, lines: int) -> None:
    out, words = StringIO(), "after 3,000 episodes: 17 won, 0 drawn of 50 against corner-greedy"
    Display(Console(file=out, force_terminal=is_terminal, width=30), 0, 10).line(words)
    assert " ".join(out.getvalue().split()) == words
    assert len(out.getvalue().splitlines()) == lines


def test_an_interrupt_is_answered_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    Display(Console(file=StringIO()), 0, 10).stopping("stopping; interrupt again to stop at once")
    assert capfd.readouterr().err == "stopping; interrupt again to stop at once\n"
