"""A made-up column of a table and panel of a chart: described in one place, they are in every medium."""

from collections.abc import Callable
from pathlib import Path

import pytest

from othello_lab.experiment.compare.judging import table as judging
from othello_lab.experiment.compare.judging.trial import Judgement, Trial
from othello_lab.experiment.compare.tournament import tables as tournament
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.compare.tournament.store import Key, Played
from othello_lab.experiment.run.outcomes import Tally
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import evaluation_table, run_picture, training_charts
from othello_lab.experiment.show.live.demo_game import Demonstration
from othello_lab.experiment.show.live.run_page import RunPage
from othello_lab.experiment.show.plots import as_svg
from othello_lab.experiment.show.report.page import Page, Section, html_of
from othello_lab.experiment.show.report.run import run_pictures
from othello_lab.experiment.show.run_files import read
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.analysis import results, text
from othello_lab.experiment.study.analysis.examine import analyse
from othello_lab.experiment.study.analysis.findings import Analysis
from othello_lab.experiment.study.analysis.sources import random_games
from othello_lab.game.play.loop import play_games
from tests.experiment.show.report import reported
from tests.experiment.show.test_tables import MEDIA

MADE_UP = Column[object]("made up", lambda _: 7.25, "{:.2f}".format)
HEADINGS = {"terminal": "made up", "page": "made up", "csv": "made_up", "json": "made_up"}


def of_a_tournament() -> Table:
    black, white = Entrant("random", None), Entrant("greedy", None)
    game = Played(Key(black.id, white.id, 0, "", 0), "", "black", 4, 4, None)
    return tournament.players(Results.of([black, white], [game]), None)


def of_an_evaluation() -> Table:
    judgement = Judgement(Trial("greedy", "random", 4, ("",), 1, 0, "agent", "opponent"))
    for game in play_games(judgement.trial, range(judgement.trial.games)):
        judgement.summary.add(game)
    return judging.table([judgement])


def of_a_run() -> Table:
    return evaluation_table.table("title", [evaluation_table.Row("random", Tally(3, 1, 0))])


def analysis() -> Analysis:
    return analyse(random_games(4, 6, seed=1), "title", {})


def of_an_analysis() -> Table:
    return analysis().tables["headline"]


def of_an_analysis_in_print() -> Table:
    return next(text.printed(analysis()))


@pytest.mark.parametrize(
    ("made", "module", "name"),
    [
        (of_a_tournament, tournament, "_STANDINGS"),
        (of_an_evaluation, judging, "_COLUMNS"),
        (of_a_run, evaluation_table, "_COLUMNS"),
        (of_an_analysis, results, "HEADLINE"),
        (of_an_analysis_in_print, results, "HEADLINE"),
    ],
)
def test_a_made_up_column_is_in_every_medium(
    made: Callable[[], Table], module: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made()
    monkeypatch.setattr(module, name, (*getattr(module, name), MADE_UP))
    table = made()
    for medium, heading in HEADINGS.items():
        assert "7.25" not in MEDIA[medium](before)
        shown = MEDIA[medium](table)
        assert "7.25" in shown
        assert heading in shown


def test_a_made_up_panel_of_training_is_in_every_medium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = training_charts.Panel("Made up", "what it says", "updates", {"updates": ""})
    monkeypatch.setattr(training_charts, "PANELS", (*training_charts.PANELS, panel))
    folder = RunFolder(reported.run_folder(tmp_path / "run"))
    assert b"Made up" in as_svg(run_picture.figure_of(folder))
    page = Page("page", "", (), [Section("section", pictures=[*run_pictures(folder)])])
    assert "Made up" in html_of(page)
    run = read(folder)
    assert b"Made up" in RunPage(run, Demonstration(run)).state()
