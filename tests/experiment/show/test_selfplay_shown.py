"""Self-play is shown as what it is: nobody `won` who played both sides."""

from pathlib import Path

import pytest

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.experiment.run.outcomes import Episode, Outcome, Tally, View
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.length import Hundreds
from tests.experiment.parts import carry_out, othello, plan_of, small

BLACK, WHITE, DRAW = (
    Episode(1, outcome, 0.0, 9, colour=colour)
    for outcome, colour in ((Outcome.LOSS, "white"), (Outcome.WIN, "white"), (Outcome.DRAW, "white"))
)
"""Games in which white moved last: its loss is black's win."""


def test_the_last_movers_outcome_becomes_a_colours() -> None:
    view = View(selfplay=True)
    hundreds = Hundreds(view, [BLACK, BLACK, WHITE, DRAW])
    assert hundreds.recent == Tally(win=2, draw=1, loss=1)
    assert view.fact(hundreds.recent) == "black 50% white 25% drawn 25%"
    assert view.words(hundreds.recent) == "2 won by black, 1 by white, 1 drawn"
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
