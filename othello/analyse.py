"""`othello analyse`: what games show: random ones, those of two players, of a run, or of files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.analyse_source import meeting_of
from othello.completion import a_player_or_run
from othello.ending import blaming, playing, reported_errors
from othello.groups import Command, section
from othello.openings import Openings, openings_option
from othello.options import runs_dir_option, seed_option
from othello.unreadable_games import tell_left_out
from othello.workers import workers, workers_options
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.study.analysis.findings import Analysis
    from experiment.study.analysis.sources import Source


@click.command(cls=Command)
@click.argument("players", metavar="[A [B]|FILE...]", nargs=-1, shell_complete=a_player_or_run)
@section(
    "Games",
    click.option(
        "--records",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Analyse the games of this file (.jsonl, .ggf, .wtb, .txt); may be given several times.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        help="Games to play.  [default: 10,000; 200 where a player thinks of one game at a time]",
    ),
    click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the players', or 8]"),
    openings_option("as many as there are games for; without players 0"),
    click.option(
        "--noise",
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        metavar="SHARE",
        help="The share of the players' moves that are random instead.",
    ),
    seed_option("Seed of the games and of all that is drawn from them."),
    workers_options,
)
@section(
    "What is measured",
    click.option(
        "--turn", type=click.IntRange(0), help="Turn of the histograms.  [default: half of the board]"
    ),
    click.option(
        "--solve",
        type=click.IntRange(0),
        default=330,
        show_default=True,
        metavar="N",
        help="Compare N moves in the last 12 empty squares with the exact solver.",
    ),
    click.option(
        "--symmetry",
        type=click.IntRange(0),
        metavar="N",
        help="Ask the players about N positions of each turn and their mirror images.  "
        "[default: 10; 0 where a player thinks of one game at a time]",
    ),
)
@section(
    "Results",
    click.option(
        "--csv",
        "csv_folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="Write the tables to this folder.",
    ),
    click.option(
        "--plots",
        type=click.Path(file_okay=False, path_type=Path),
        help="Draw pictures, PNG and SVG, into this folder.",
    ),
    click.option(
        "--draw",
        type=click.IntRange(0),
        default=0,
        metavar="N",
        help="Also draw N of the games, a board for each disc; needs --plots.",
    ),
    click.option(
        "--from",
        "tables",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        help="Play nothing: show what --csv has written to this folder, and draw it with --plots.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, for programs."),
)
@runs_dir_option("Where run folders are.")
def command(
    players: tuple[str, ...],
    records: tuple[Path, ...],
    games: int | None,
    size: int | None,
    openings: Openings,
    noise: float,
    turn: int | None,
    solve: int,
    symmetry: int | None,
    csv_folder: Path | None,
    plots: Path | None,
    draw: int,
    tables: Path | None,
    as_json: bool,
    jobs: int,
    ray: str | None,
    seed: int,
    runs_dir: Path,
) -> None:
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
    from game.threads import use_threads

    use_threads(1)
    if players and all(Path(word).suffix.lower() in SUFFIXES for word in players):
        players, records = (), (*records, *map(Path, players))
    if sum(map(bool, (players, records, tables))) > 1:
        raise click.UsageError("expected one of players, --records and --from")
    if draw and not (plots and not tables):
        raise click.UsageError("--draw needs --plots, and games: leave --from out")
    terminal = Console(stderr=True)
    with playing(), reported_errors(), workers(jobs, None if tables else ray) as working_on:
        for folder in filter(None, (csv_folder, plots)):
            folder.mkdir(parents=True, exist_ok=True)  # before the work, so that a wrong one is told at once
        if tables:
            analysis, source = _tables(tables), None
        else:
            if records:
                source = _read(records, size)
            else:
                meeting = meeting_of(players, runs_dir, size, games, openings, noise, seed)
                source = meet(meeting, working_on, terminal)
            analysis = examine(source, Wishes(solve, symmetry, seed), working_on, terminal)
        _check_turn(turn, analysis.size)
        _write(analysis, csv_folder, plots, turn)
        if source and plots and draw:
            draw_games(source.games, draw, plots)
    _print(analysis, as_json)
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


def _write(analysis: "Analysis", tables: Path | None, plots: Path | None, turn: int | None) -> None:
    from experiment.study.analysis.pictures.draw import draw

    if tables:
        analysis.write(tables)
        click.echo(f"tables: {tables}", err=True)
    if plots:
        draw(analysis, plots, turn)
        click.echo(f"pictures: {plots}", err=True)


def _print(analysis: "Analysis", as_json: bool) -> None:
    from rich.console import Console

    from experiment.study.analysis.text import grids

    if as_json:
        click.echo(json.dumps(analysis.as_json()))
        return
    console = Console()
    console.print(analysis.title, style="bold", highlight=False)
    for grid in grids(analysis):
        console.print(grid)
    console.print(f"±: {analysis.intervals}", highlight=False)
