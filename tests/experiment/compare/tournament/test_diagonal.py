"""The diagonal of a tournament: every player against itself."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.tournament import command
from othello_lab.experiment.compare.tournament.results import Results
from tests.experiment.compare.tournament.parts import TEXTS, plan, played


@pytest.mark.parametrize("jobs", [1, 2])
def test_on_the_diagonal_every_player_meets_itself_once_at_each_opening(tmp_path: Path, jobs: int) -> None:
    what = replace(plan(*TEXTS, "alphabeta:depth=2", repeat=2), diagonal=True)
    games = played(tmp_path / "games", what, jobs)
    assert len(games) == what.games == (4 * 3 + 4) * 3 * 2
    alone = [game for game in games if game.key.black == game.key.white]
    assert len({game.key for game in alone}) == len(alone) == 4 * 3 * 2
    without = played(tmp_path / "without", replace(what, diagonal=False))
    assert [game for game in games if game not in alone] == without


def test_meeting_itself_counts_on_the_diagonals_by_colour_alone(tmp_path: Path) -> None:
    what = replace(plan(*TEXTS, openings=5), diagonal=True)
    games = played(tmp_path / "games", what)
    found = Results.of(what.entrants, games)
    others = Results.of(what.entrants, [game for game in games if game.key.black != game.key.white])
    own = [game.points for game in games if game.key.black == game.key.white == what.entrants[0].id]
    assert found.scores().as_black[0, 0] == np.mean(own) == 1 - found.scores().as_white[0, 0]
    apart = ~np.eye(len(TEXTS), dtype=bool)
    np.testing.assert_equal(found.scores().as_black[apart], others.scores().as_black[apart])
    np.testing.assert_equal(found.scores().fair, others.scores().fair)
    np.testing.assert_equal(found.final_scores().fair, others.final_scores().fair)
    np.testing.assert_equal(found.games(), others.games())
    np.testing.assert_equal(found.wins(), others.wins())
    np.testing.assert_equal(found.totals(), others.totals())
    np.testing.assert_equal(found.ratings().covariance, others.ratings().covariance)


def test_it_is_printed_with_the_matrices(tmp_path: Path) -> None:
    options = ["--size", "4", "--openings", "3", "--matrices", "--database", str(tmp_path / "games.sqlite")]
    dots = [
        CliRunner()
        .invoke(command, ["random", "greedy", *options, *more], catch_exceptions=False)
        .stdout.count("·")
        for more in ([], ["--diagonal"])
    ]
    assert dots == [14, 6], "four of the seven matrices are by colour, and have no dot then"
