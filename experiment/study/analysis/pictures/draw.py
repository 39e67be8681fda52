"""All pictures of an analysis, as files."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiment.show.charts import Chart
from experiment.show.game_pictures import draw_game
from experiment.show.pictures import save_both
from experiment.show.plots import figure_of
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import Games
from experiment.study.analysis.pictures import agreement, corners, moves, results, squares
from experiment.study.analysis.rows import players_in


def figures(analysis: Analysis, turn: int) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield the name of each picture and what draws it; the histograms are those of a turn."""

    def of(charts: Sequence[Chart], title: str, columns: int, width: float, foot: str = "") -> Figure:
        """`width` is of the whole picture, inches."""
        size = width / columns, 4.2
        return figure_of(f"{title}: {analysis.title}", charts, columns, size, foot or analysis.intervals)

    yield "moves", lambda: of(moves.moves(analysis, turn), "Legal moves", 3, 15.5)
    players: list[str | None] = [*players_in(analysis.tables["squares"])] or [None]
    for name, player in zip(("squares", "squares-second"), players, strict=False):
        yield name, partial(squares.compared, analysis, player)
    yield "squares-by-turn", partial(squares.figure, analysis)
    yield "flow", lambda: of(moves.flow(analysis), "How games go on", 2, 12.0)
    if analysis.tables["results"].rows:
        yield "results", lambda: of(results.results(analysis, turn), "Results", 2, 12.0)
    yield "corners", lambda: of(corners.corners(analysis), "Corners", 2, 12.0)
    yield "captures", lambda: of(corners.captures(analysis), "Chances", 2, 12.0)
    if "solver" in analysis.tables and analysis.tables["solver"].rows:
        yield "solver", lambda: of(agreement.solver(analysis), "Beside the exact solver", 3, 15.5)
    if "symmetry" in analysis.tables:
        yield "symmetry", lambda: _symmetry(analysis, of)


def _symmetry(analysis: Analysis, of: Callable[..., Figure]) -> Figure:
    charts = agreement.symmetry(analysis)
    columns = len(charts) // 2
    return of(charts, "Symmetry", columns, 3.5 + 4 * columns, agreement.INTERVALS)


def draw_games(games: Games, count: int, folder: Path) -> None:
    """Draw some games, evenly spread over all, each as a grid with the moves marked; raises OSError."""
    for number in np.unique(np.linspace(0, len(games) - 1, count).astype(int)).tolist():
        figure = draw_game(games.game(number), f"Game {number + 1:,} of {len(games):,}{_who(games, number)}")
        save_both(figure, folder / f"game-{number + 1}.png")


def _who(games: Games, number: int) -> str:
    if games.first_is_black is None:
        return ""
    black, white = games.players if games.first_is_black[number] else games.players[::-1]
    return f": {black} is black, {white} white"


def draw(analysis: Analysis, folder: Path, turn: int | None = None) -> list[Path]:
    """Draw all pictures into a folder, which may have to be made, and return their files; raises OSError."""
    written = list[Path]()
    middle = (analysis.size**2 - 4) // 2
    for name, make in figures(analysis, middle if turn is None else turn):
        figure = make()
        figure.draw_without_rendering()  # the layout is found once, for both files
        figure.set_layout_engine("none")
        written.append(save_both(figure, folder / f"{name}.png"))
    return written
