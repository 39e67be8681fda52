"""All pictures of an analysis, as files."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiment.show.game_pictures import draw_game
from experiment.show.pictures import save_both
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import Games
from experiment.study.analysis.pictures import (
    captures,
    corners,
    flow,
    moves,
    results,
    solver,
    squares,
    symmetry,
)
from experiment.study.analysis.rows import players_in


def figures(analysis: Analysis, turn: int) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield the name of each picture and what draws it; the histograms are those of a turn."""
    yield "moves", partial(moves.figure, analysis, turn)
    players: list[str | None] = [*players_in(analysis.tables["squares"])] or [None]
    for name, player in zip(("squares", "squares-second"), players, strict=False):
        yield name, partial(squares.compared, analysis, player)
    yield "squares-by-turn", partial(squares.figure, analysis)
    yield "flow", partial(flow.figure, analysis)
    if analysis.tables["results"].rows:
        yield "results", partial(results.figure, analysis, turn)
    yield "corners", partial(corners.figure, analysis)
    yield "captures", partial(captures.figure, analysis)
    if "solver" in analysis.tables and analysis.tables["solver"].rows:
        yield "solver", partial(solver.figure, analysis)
    if "symmetry" in analysis.tables:
        yield "symmetry", partial(symmetry.figure, analysis)


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
