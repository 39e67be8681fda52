from pathlib import Path

import numpy as np
import pytest

from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament import figures, tables
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.figures import HeatMap, Scale, heat_maps
from othello_lab.experiment.compare.tournament.results import Results, contradictions, ratings_of
from othello_lab.experiment.compare.tournament.store import Key, Played
from othello_lab.experiment.show.tables import matrix_lines
from othello_lab.experiment.show.wording import share
from tests.experiment.compare.tournament.test_tournament import met
from tests.experiment.pictured import assert_clear

pytestmark = pytest.mark.slow

LONG = "alphabeta:depth=4,eval=[weights:a-matrix-that-has-a-name-of-some-length.txt,fade=1]"
NAMES = ["random", "$x_1$ of $y", LONG]
AHEAD = {(0, 1): 1, (1, 2): 2, (0, 2): 0}


def results(openings: int = 8, forfeit: str | None = None) -> Results:
    """Every second game is drawn. Otherwise AHEAD names the winner, but 0 and 2 also draw half of these."""
    who = [Entrant(name, None) for name in NAMES]
    pairs = [(black, white) for black in range(3) for white in range(3) if black != white]
    games = [
        played(who, black, white, opening, forfeit) for opening in range(openings) for black, white in pairs
    ]
    return Results.of(who, games).sorted()


def played(who: list[Entrant], black: int, white: int, opening: int, forfeit: str | None) -> Played:
    winner = "black" if AHEAD[min(black, white), max(black, white)] == black else "white"
    even = opening % 2 or ((black, white) in ((0, 2), (2, 0)) and opening % 4)
    discs = None if forfeit else 4
    key = Key(who[black].id, who[white].id, 0, f"{opening}", 0)
    return Played(key, "", "draw" if even else winner, discs, discs, forfeit)


def rated(of: Results) -> Ratings:
    found = ratings_of(of)
    assert found
    return found


def test_every_picture_has_a_title_axes_and_says_what_its_lines_are(tmp_path: Path) -> None:
    drawn = figures.figures(results(), rated(results()))
    assert set(drawn) == {"scores", "final_scores", "colours", "ratings"}
    for figure in drawn.values():
        assert figure.axes[0].get_title(loc="left") or figure.texts
        assert figure.axes[0].get_xlabel()
    figures.write(drawn, tmp_path / "new")
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".png", ".svg"}
    assert "95 % interval" in (tmp_path / "new" / "ratings.svg").read_text("utf-8")
    text = (tmp_path / "new" / "scores.svg").read_text("utf-8")
    assert "$x_1$ of $y" in text  # a name, no formula
    assert "48 games from 8 openings, both colours" in text


@pytest.mark.parametrize(
    ("players", "name", "headings"),
    [(2, "p", [""]), (2, LONG, ["black", "white"]), (5, "p", [""]), (7, LONG, [""]), (9, "p", ["b", "w"])],
)
def test_nothing_in_a_heat_map_is_cut_off_or_covered(players: int, name: str, headings: list[str]) -> None:
    names = [f"{place}{name}" for place in range(players)]
    maps = [HeatMap(np.full((players, players), 0.625), heading=heading) for heading in headings]
    scale = Scale(0.5, 0.5, share, "something about the colours that is longer than a bar is high")
    foot = "small " * 15 + "print\nand more"
    assert_clear(heat_maps(names, maps, scale, "What is shown: it takes some words", foot))


def test_games_that_do_not_link_all_players_give_no_ratings() -> None:
    empty = Results.of([Entrant(name, None) for name in NAMES], []).sorted()
    assert ratings_of(empty) is None
    assert set(figures.figures(empty, None)) == {"scores", "final_scores", "colours"}
    assert "No ratings: there are no games that link all players" in list(tables.text(empty, None, 80))


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_terminal_and_every_name_is_there_in_full_once(width: int) -> None:
    of = results()
    lines = list(tables.text(of, ratings_of(of), width))
    assert [sum(line.endswith(f"  {name}") for line in lines) for name in NAMES] == [1, 1, 1]
    assert [line for line in lines if len(line) > width and not line.endswith(LONG)] == []


def test_who_is_ahead_against_the_rating_is_said() -> None:
    of = results(openings=40)
    text = "\n".join(tables.text(of, ratings_of(of), 120))
    assert "The lower-rated player was ahead in 1 of 3 pairs." in text
    assert "  #1 " in text
    assert "#3 random: 0.375, expected" in text


def test_many_players_come_in_blocks() -> None:
    names = [f"player {number}" for number in range(40)]
    half = np.where(np.eye(40) > 0, np.nan, 0.5)
    lines = list(matrix_lines(tables.matrix("Title", names, half, share), 80))
    assert all(len(line) <= 80 for line in lines)
    assert sum(line.count(".50") for line in lines if line.startswith(" 40 ")) == 39


def test_forfeits_are_told_apart_from_losses() -> None:
    of = results(forfeit="out of ideas")
    lost = [(of.black[of.points == 0] == p).sum() + (of.white[of.points == 1] == p).sum() for p in range(3)]
    assert of.forfeits().tolist() == lost
    text = "\n".join(tables.text(of, ratings_of(of), 120))
    assert "by random, counted as lost; the mean final scores leave them out" in text
    rated = [line for line in text.splitlines() if line.endswith(" forfeited)")]
    assert len(rated) == np.count_nonzero(of.forfeits())
    assert np.isnan(of.final_scores().fair).all()


def test_upsets_come_before_other_surprises_and_expected_scores_are_left_out() -> None:
    usual, upset = met(0, 1, 0.7, 0.1, 0.7), met(1, 2, 0.4, 0.2, 0.5)
    small, large = met(0, 2, 0.8, 0.04, 0.7), met(1, 3, 0.99, 0.01, 0.7)
    assert contradictions([usual, small, large, upset]) == [upset, large, small]
