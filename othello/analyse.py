"""`othello analyse`: what games show: random ones, those of two players, of a run, or of files."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.analyse_source import AnalyseOptions, meeting_of
from othello.ending import blaming, playing, reported_errors
from othello.options import takes
from othello.unreadable_games import tell_left_out
from othello.workers import workers
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.study.analysis.findings import Analysis
    from experiment.study.analysis.sources import Source


@takes(AnalyseOptions, one_thread=True)
def command(said: AnalyseOptions) -> None:
    """Analyse many games: legal moves, squares, corners, results, symmetry, and how many moves are exact.

    The games are those of A against B, random games without players, or those of FILEs (see --records). Give
    players as in `othello match`. Without B a run plays the opponent that it was trained against, and any
    other player plays itself.
    """
    from rich.console import Console

    from experiment.study.analysis.examine import Wishes, examine
    from experiment.study.analysis.pictures.draw import draw_games
    from experiment.study.analysis.sources import meet
    from game.records import SUFFIXES

    if said.players and all(Path(word).suffix.lower() in SUFFIXES for word in said.players):
        said = replace(said, players=(), records=(*said.records, *map(Path, said.players)))
    if sum(map(bool, (said.players, said.records, said.tables))) > 1:
        raise click.UsageError("expected one of players, --records and --from")
    if said.draw and not (said.plots and not said.tables):
        raise click.UsageError("--draw needs --plots, and games: leave --from out")
    terminal = Console(stderr=True)
    with playing(), reported_errors(), workers(said.jobs, None if said.tables else said.ray) as working_on:
        for folder in filter(None, (said.csv_folder, said.plots)):
            folder.mkdir(parents=True, exist_ok=True)  # before the work, so that a wrong one is told at once
        if said.tables:
            analysis, source = _tables(said.tables), None
        else:
            if said.records:
                source = _read(said.records, said.size)
            else:
                source = meet(meeting_of(said), working_on, terminal)
            wishes = Wishes(said.solve, said.symmetry, said.seed)
            analysis = examine(source, wishes, working_on, terminal)
        _check_turn(said.turn, analysis.size)
        _write(analysis, said)
        if source and said.plots and said.draw:
            draw_games(source.games, said.draw, said.plots)
    _print(analysis, said.as_json)
    if source and source.missing:
        click.echo(f"stopped: {source.missing:,} games were not played", err=True)
        raise SystemExit(INTERRUPTED)


def _read(paths: Sequence[Path], size: int | None) -> "Source":
    """Read files; raise click.BadParameter for one without games of that size."""
    from experiment.study.analysis.sources import read

    with blaming("--records"):
        source = read(paths, size)
    tell_left_out(source.left_out)
    return source


def _tables(folder: Path) -> "Analysis":
    """Read the tables of an analysis; raise click.BadParameter where there are none."""
    from experiment.study.analysis.findings import read

    with blaming("--from"):
        return read(folder)


def _check_turn(turn: int | None, size: int) -> None:
    if turn is not None and turn >= size * size - 4:
        raise click.BadParameter(f"on {size}x{size} turns are 0 to {size * size - 5}", param_hint="--turn")


def _write(analysis: "Analysis", said: AnalyseOptions) -> None:
    from experiment.study.analysis.pictures.draw import draw

    if said.csv_folder:
        analysis.write(said.csv_folder)
        click.echo(f"tables: {said.csv_folder}", err=True)
    if said.plots:
        draw(analysis, said.plots, said.turn)
        click.echo(f"pictures: {said.plots}", err=True)


def _print(analysis: "Analysis", as_json: bool) -> None:
    from rich.console import Console

    from experiment.show.terminal import grid
    from experiment.study.analysis.text import printed

    if as_json:
        click.echo(json.dumps(analysis.as_json()))
        return
    console = Console()
    console.print(analysis.title, style="bold", highlight=False)
    for table in printed(analysis):
        console.print(grid(table))
    console.print(f"±: {analysis.intervals}", highlight=False)
