"""`othello report`: a run, a tournament or a file of games as one HTML file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.completion import a_player_or_run, a_run
from othello.ending import blaming, reported_errors
from othello.options import DEFAULT_SIZE, runs_dir_option, seed_option
from othello.player_names import named

_SQLITE = b"SQLite format 3\0"
"""How a database begins."""

if TYPE_CHECKING:
    from experiment.report.page import Page
    from experiment.results.player_names import Named
    from experiment.results.run_folder import RunFolder


@click.command()
@click.argument("what", metavar="RUN|TOURNAMENT|FILE", shell_complete=a_run)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The report, .html.  [default: report.html in the run's folder, or FILE.html]",
)
@click.option(
    "--games",
    type=click.IntRange(0, 1000),
    default=24,
    show_default=True,
    help="Games to step through, at most; of a run about so many are played.",
)
@click.option(
    "--values",
    "adviser",
    metavar="PLAYER",
    shell_complete=a_player_or_run,
    help="Write on the boards what this player says that moves are worth.  [default: of a run, its policy]",
)
@seed_option("Of the games that are played for it.")
@runs_dir_option("Where run folders are.")
def command(
    what: str, output: Path | None, games: int, adviser: str | None, seed: int, runs_dir: Path
) -> None:
    """Make a report as one HTML file: tables, plots, and games to step through in a browser, with what moves
    are worth on the board. It needs no network and can be sent to somebody.

    RUN is a run's name or folder, TOURNAMENT a database of `othello tournament`, FILE a file of game records
    such as `othello match --records` writes.
    """
    from experiment.report.page import html_of
    from experiment.results.files import replace
    from game.threads import use_threads

    use_threads(1)
    if output and output.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{output}: the name of a report must end with .html", param_hint="--output")
    valued = named(adviser, runs_dir, "--values") if adviser else None
    with reported_errors():
        page, beside = _page(what, games, valued, seed, runs_dir)
        output = output or beside
        replace(output, html_of(page))
    click.echo(output)


def _page(what: str, games: int, valued: "Named | None", seed: int, runs_dir: Path) -> "tuple[Page, Path]":
    """Return the report, and where it belongs unless told otherwise; raise click.UsageError, OSError."""
    path = Path(what)
    if path.is_file():
        return _of_file(path, games, valued, seed), path.with_name(f"{path.name}.html")
    return _of_run(what, games, valued, seed, runs_dir)


def _of_file(path: Path, games: int, valued: "Named | None", seed: int) -> "Page":
    """Return the report of a file, by its kind."""
    from game.records import SUFFIXES

    if _is_database(path):
        return _of_tournament(path, games, valued, seed)
    if path.suffix.lower() not in SUFFIXES:
        kinds = f"a file of games ({', '.join(SUFFIXES)}) or a database of `othello tournament`"
        raise click.BadParameter(f"{path} is none of what a report is made of: {kinds}", param_hint="FILE")
    return _of_records(path, games, valued, seed)


def _is_database(path: Path) -> bool:
    """Tell whether a file is of SQLite, or an empty one that is called so."""
    with path.open("rb") as file:
        begin = file.read(len(_SQLITE))
    return begin == _SQLITE or (not begin and path.suffix.lower() in (".sqlite", ".db"))


def _of_tournament(path: Path, games: int, valued: "Named | None", seed: int) -> "Page":
    from rich.console import Console

    from experiment.report.shown import shown_games, spread
    from experiment.report.tournament import tournament_page
    from experiment.report.tournament_games import records_of
    from experiment.tournament.report import ratings_of
    from experiment.tournament.results import Results
    from experiment.tournament.store import reading

    with blaming("TOURNAMENT"), reading(path) as store:
        entrants = store.entrants()
        known = {who.id for who in entrants}
        played = [game for game in store.games() if {game.key.black, game.key.white} <= known]
        if not played:
            raise ValueError(f"{path} has no games yet")
        results = Results.of(entrants, played).sorted()
        chosen = records_of(spread(played, games), results, store.size)
    with blaming("--values"):
        shown = shown_games(chosen, valued, seed, Console(stderr=True))
    says = f"{len(shown):,} of {len(played):,} games, evenly spread. A star marks the moves that were given."
    return tournament_page(f"Tournament {path.stem}", results, ratings_of(results), shown, [says])


def _of_records(path: Path, games: int, valued: "Named | None", seed: int) -> "Page":
    from rich.console import Console

    from experiment.report.records import records_page
    from experiment.report.shown import shown_games, spread
    from game.records import read

    with blaming("FILE"):
        records = read(path)
        if not records:
            raise ValueError(f"{path} has no games")
    with blaming("--values"):
        shown = shown_games(spread(records, games), valued, seed, Console(stderr=True))
    says = [] if len(shown) == len(records) else [f"{len(shown)} of {len(records):,} games, evenly spread."]
    return records_page(f"Games of {path.name}", records, shown, says)


def _of_run(what: str, games: int, valued: "Named | None", seed: int, runs_dir: Path) -> "tuple[Page, Path]":
    from experiment.report.run import run_page
    from experiment.results.run_folder import RunFolder

    folder = RunFolder.open(runs_dir, what)
    shown, says = _run_games(folder, games, valued, seed, runs_dir)
    return run_page(folder, shown, says), folder.path / "report.html"


def _run_games(
    folder: "RunFolder", games: int, valued: "Named | None", seed: int, runs_dir: Path
) -> tuple[list[dict[str, Any]], list[str]]:
    """Play games of a run's policy, if it has one; return them and what is to say of them."""
    from rich.console import Console

    from experiment.report.run_games import Sides, opponents_of, run_games

    if not games:
        return [], []
    try:
        policy = named(str(folder.path.resolve()), runs_dir, "RUN")
    except click.BadParameter as error:
        click.echo(f"no games to step through: {error.message}", err=True)
        return [], []
    size = policy.size or DEFAULT_SIZE
    sides = Sides(policy, valued or policy, size, opponents_of(folder, size))
    with blaming("--values"):
        shown = run_games(sides, games, seed, Console(stderr=True))
    says = (
        f"Played for this report from its newest policy, without exploration, with seed {seed}; "
        "they are in none of the counts above. A star marks the moves that were given."
    )
    return shown, [says]
