from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console

from othello_lab.experiment.study.analysis import pictures
from othello_lab.experiment.study.analysis.analysis import Analysis, examine
from othello_lab.experiment.study.analysis.counts import result_tables
from othello_lab.experiment.study.analysis.games import Games, meet
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.play import Pairing
from tests.experiment.pictured import assert_clear

QUIET = Console(quiet=True)
PLAYERS = ("positional", "greedy")


def examined(players: tuple[str, str], size: int = 4) -> tuple[Games, Analysis]:
    openings = ("",) if players[0] == players[1] else ("b1a1", "b1c1", "b1a3")
    source = meet(Pairing(*players, size, openings), 60, players, Pool(), QUIET)
    return source.games, examine(source, 1, 0, QUIET)


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def of_players() -> tuple[Games, Analysis]:
    return examined(PLAYERS)


def is_plot(axes: Axes) -> bool:
    return axes.axison and axes.get_label() != "<colorbar>"


def assert_says_what_it_shows(name: str, figure: Figure) -> None:
    assert_clear(figure)
    assert figure.get_suptitle(), name
    assert "95 % interval" in figure.get_supxlabel(), name
    for axes in filter(is_plot, figure.axes):
        assert axes.get_title(loc="left") or axes.get_title(), name
        if not axes.images:
            assert axes.get_xlabel() or name == "results", name
            assert axes.get_ylabel() or name == "symmetry", name


def test_every_picture_of_two_players_says_what_it_shows(of_players: tuple[Games, Analysis]) -> None:
    names = []
    for name, make in pictures.figures(of_players[1], turn=6):
        assert_says_what_it_shows(name, make())
        names.append(name)
    assert names == [
        *("moves", "squares", "squares-by-turn", "squares-second", "squares-second-by-turn"),
        *("flow", "results", "corners", "captures", "symmetry"),
    ]


def test_a_player_that_only_chooses_is_in_the_picture_of_moves_alone() -> None:
    _, analysis = examined(("positional", "corner-greedy"))
    above = dict(pictures.figures(analysis, turn=6))["symmetry"]().axes[:3]
    assert [len(axes.get_legend_handles_labels()[1]) for axes in above] == [1, 1, 2]
    _, alone = examined(("corner-greedy", "corner-greedy"))
    assert len(dict(pictures.figures(alone, turn=6))["symmetry"]().axes) == 2


def test_random_games_have_no_symmetry_of_values() -> None:
    names = [name for name, _ in pictures.figures(examined(("random", "random"))[1], turn=6)]
    assert names == [*("moves", "squares", "squares-by-turn", "flow", "results", "corners", "captures")]


def test_a_player_is_seen_beside_random_play_on_one_scale(of_players: tuple[Games, Analysis]) -> None:
    figure = dict(pictures.figures(of_players[1], turn=6))["squares"]()
    maps = [axes for axes in figure.axes if axes.images and is_plot(axes)]
    titles = [axes.get_title(loc="left") for axes in maps[:3]]
    assert titles == ["positional as black", "random play", "positional as white"]
    assert len({axes.images[0].get_clim() for axes in maps[:3]}) == 1


def test_pictures_are_files(
    of_players: tuple[Games, Analysis], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = dict(pictures.figures(of_players[1], turn=6))["flow"]
    monkeypatch.setattr(pictures, "figures", lambda analysis, turn: [("flow", flow)])
    pictures.draw(of_players[1], tmp_path / "new")
    assert (tmp_path / "new" / "flow.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "new" / "flow.svg").read_bytes()


def test_games_from_openings_count_by_opening(of_players: tuple[Games, Analysis]) -> None:
    games, analysis = of_players
    assert analysis.intervals.startswith("95 % intervals over 3 openings, each with all its games")
    assert np.array_equal(np.unique(games.unit), [0, 1, 2])
    by_opening = analysis.tables["headline"].where(figure="black's discs").rows[0]
    alone = replace(games, unit=np.arange(len(games)))
    by_game = result_tables(alone, np.ones_like(games.moves, int))[0].where(figure="black's discs").rows[0]
    assert by_opening[1] == by_game[1]
    assert float(by_opening[3]) - float(by_opening[2]) > float(by_game[3]) - float(by_game[2])


def test_a_logarithmic_axis_reads_in_plain_numbers(of_players: tuple[Games, Analysis]) -> None:
    figure = dict(pictures.figures(of_players[1], turn=6))["flow"]()
    figure.axes[1].set_ylim(5, 200)
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert [label for label in labels if label in ("10", "20", "50", "100")] == ["10", "20", "50", "100"]
