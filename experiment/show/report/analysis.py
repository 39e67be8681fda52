"""The report of an analysis: its tables, and where moves are possible at each of a side's own turns."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from othello_lab.experiment.show.charts import HeatMap, HeatMaps
from othello_lab.experiment.show.report.page import Page, Section, Slide, Slider, shades_of
from othello_lab.experiment.study.analysis.findings import SUMMARY, Analysis, players_in, read
from othello_lab.experiment.study.analysis.squares import maps_of_own_turns
from othello_lab.experiment.study.analysis.text import printed
from othello_lab.experiment.study.statistics.intervals import WILSON

_SAYS = (
    "In what share of its decisions a side could play a square, in percent: black and white at one turn of "
    "their own, and between them random play, or both sides where random play itself is shown. Dark blue is "
    f"0, yellow the most of the three; ±: {WILSON}. The slider leads through the game."
)


def is_analysis(path: Path) -> bool:
    """Tell whether a folder is one that `othello analyse --csv` has written."""
    return (path / SUMMARY).is_file()


def page_of_analysis(folder: Path) -> Page:
    """Return the report of an analysis; raise OSError and AnalysisError as `findings.read` does."""
    analysis = read(folder)
    tables = list(printed(analysis))
    says = [f"±: {analysis.intervals}."] if analysis.intervals else []
    return Page(
        title=f"Analysis {folder.resolve().name}",
        subtitle=analysis.title,
        facts=[],
        sections=[Section("Counts", says, tables=tables)],
        sliders=[*_sliders(analysis)],
    )


def _sliders(analysis: Analysis) -> Iterator[Slider]:
    """Yield one for each player."""
    players: list[str | None] = [*players_in(analysis.tables["squares"])]
    for player in players or [None]:
        title = "Where a move is possible" + (f": {player}" if player else "")
        slides = [_slide(own, maps) for own, maps in maps_of_own_turns(analysis, player).items()]
        if slides:
            yield Slider(title, _SAYS, analysis.size, slides)


def _slide(own: int, maps: HeatMaps) -> Slide:
    label = f"Own turn {own + 1}: black's turn {2 * own}, white's {2 * own + 1}"
    most = max(float(each.values.max()) for each in maps.maps)
    return Slide(label, [_board(each, most) for each in maps.maps])


def _board(shown: HeatMap, most: float) -> dict[str, Any]:
    """Return a heat map as the page draws it: squares that could be played, with their percent and shades."""
    values = shown.values.ravel().tolist()
    shades = shades_of([*values, 0.0, most])
    squares = [square for square, value in enumerate(values) if value]
    return {
        "title": shown.title,
        "says": shown.says,
        "squares": squares,
        "values": [[f"{100 * values[square]:.0f}", shades[square]] for square in squares],
    }
