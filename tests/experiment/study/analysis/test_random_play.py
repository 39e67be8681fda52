import re
from functools import cache

import numpy as np
import pytest
from rich.console import Console

from othello_lab.experiment.study.analysis import counts
from othello_lab.experiment.study.analysis import games as sources
from othello_lab.experiment.study.analysis.analysis import Analysis, examine
from othello_lab.experiment.study.analysis.games import BOTH, Games, Source
from tests.game.test_random_play import FIGURES, reference, section

pytestmark = pytest.mark.slow
GAMES = 20_000


@cache
def random_games(size: int) -> Games:
    return sources.random_games(size, GAMES, seed=size)


@pytest.fixture(scope="module", params=[4, 6, 8])
def analysis(request: pytest.FixtureRequest) -> Analysis:
    source = Source(random_games(request.param), "random", {BOTH: "random"}, {})
    return examine(source, None, 0, Console(quiet=True))


def test_the_headline_has_the_known_figures(analysis: Analysis) -> None:
    known_figures = reference(analysis.size)
    for name, own_name, _ in FIGURES:
        known, rounding = known_figures[name]
        row = analysis.tables["headline"].where(figure=own_name)
        value, low, high = (row.numbers(column)[0] for column in ("value", "low", "high"))
        # The interval has two standard errors. The errors of the other program are small.
        reach = (high - low) / 2
        if name == "placements":  # the few games that end after ten discs may all be missing
            reach = max(reach, 2 * spread_of_lengths(analysis.size) / GAMES**0.5)
        assert abs(value - known) <= 2 * reach + rounding, name
        assert low <= value <= high


def spread_of_lengths(size: int) -> float:
    line = re.search(r"length histogram: (.*)", section(size))
    assert line
    lengths, games = np.array([word.split(":") for word in line[1].split()], float).T
    return float(np.sqrt(np.cov(lengths, fweights=games.astype(int))))


def test_each_turn_has_the_known_mean_of_legal_moves(analysis: Analysis) -> None:
    line = re.search(r"mean legal moves by placement index: (.*)", section(analysis.size))
    assert line
    known = np.array([float(word.partition(":")[2]) for word in line[1].split()])
    moves = analysis.tables["moves"].where(side="both")
    low, high = (moves.numbers(end) for end in ("low", "high"))
    assert moves.column("turn") == list(range(len(known)))
    assert (low - (high - low) / 2 - 0.0005 <= known).all()
    assert (known <= high + (high - low) / 2 + 0.0005).all()
    log10 = analysis.tables["tree"].where(side="both").numbers("log10")[0]
    assert log10 == pytest.approx(np.log10(known).sum(), abs=0.1)


def test_the_known_corners_and_most_moves(analysis: Analysis) -> None:
    known = re.search(r"black corners at end ([0-9.]+)", section(analysis.size))
    most = re.search(r"max ([0-9]+) forced", section(analysis.size))
    assert known
    assert most
    owned = analysis.tables["corners_owned"].where(owner="black")
    assert owned.numbers("mean")[0] == pytest.approx(float(known[1]), abs=0.08)
    assert analysis.tables["moves"].numbers("most").max() <= int(most[1])


def test_the_number_of_all_games_of_4x4_is_estimated() -> None:
    games = random_games(4)
    ((log10, low, high),) = counts.all_games(games, counts.count(games).choices).rows
    assert low < np.log10(60_060) < high
    assert high - low < 0.05
    assert 10**log10 == pytest.approx(60_060, rel=0.05)


def test_boards_of_early_turns_are_as_many_as_there_are(analysis: Analysis) -> None:
    boards = analysis.tables["flow"].numbers("boards")
    assert boards[:4].tolist() == [1, 4, 12, 42 if analysis.size == 4 else 54]
