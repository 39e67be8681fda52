"""`othello report`: a run, a tournament, an analysis or a file of games as one HTML file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands.checks import check_folder, named
from othello_lab.commands.ending import blaming
from othello_lab.commands.options import argument, option, options, takes, whole_number
from othello_lab.commands.reporting import reported_errors
from othello_lab.commands.shared_options import FILE, a_player_text, a_run, a_runs_dir, a_seed
from othello_lab.experiment.run.names import run_names
from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.pages.games import Wish
    from othello_lab.experiment.show.pages.page import Page


@options
class _Options:
    what: str = argument(metavar="RUN|TOURNAMENT|ANALYSIS|FILE", shell_complete=a_run)
    output: Path | None = option(
        "The report, .html.  [default: report.html in the run's folder, or FILE.html]", type=FILE
    )
    games: int = whole_number(
        "Games to step through, at most. Of a run, about this number is played.", default=24, highest=1000
    )
    adviser: str | None = a_player_text(
        "Write on the boards what each move is worth to this player.  [default: a run's own policy]",
        "--values",
        metavar="PLAYER",
    )
    seed: int = a_seed("Seed of the games that are played for it.")
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Make a report as one HTML file: tables, plots, and games to step through in a browser.

    The file needs no network and can be sent to somebody. RUN is a run's name or folder, TOURNAMENT a
    database of `othello tournament`, ANALYSIS the folder of `othello analyse --csv`, FILE a file of games,
    such as `othello match --records` writes.
    """
    from othello_lab.experiment.show.pages.games import AdviserError, Wish
    from othello_lab.experiment.show.pages.page import html_of
    from othello_lab.game.files import replace

    output, runs_dir = said.output, said.runs_dir
    if output and output.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{output}: the name of a report must end with .html", param_hint="--output")
    if output:
        check_folder(output, "--output")
    valued = named(said.adviser, runs_dir, "--values") if said.adviser else None
    wish = Wish(said.games, valued, said.seed, Console(stderr=True))
    with reported_errors():
        try:
            page, beside = _page(said.what, runs_dir, wish)
        except AdviserError as error:
            raise click.BadParameter(str(error), param_hint="--values") from None
        output = output or beside
        replace(output, html_of(page))
    click.echo(output)


def _page(what: str, runs_dir: Path, wish: "Wish") -> "tuple[Page, Path]":
    """Return the report, and where it belongs unless told otherwise; raise click.UsageError, OSError."""
    from othello_lab.experiment.show.pages.reports import is_analysis, page_of_analysis

    path = Path(what)
    if is_analysis(path):
        with blaming("ANALYSIS"):
            return page_of_analysis(path), path / "report.html"
    if not path.is_file():
        return _of_run(what, runs_dir, wish)
    with blaming("FILE"):
        return _of_file(path, wish), path.with_name(f"{path.name}.html")


def _of_file(path: Path, wish: "Wish") -> "Page":
    """Return the report of a file, by its kind; raise ValueError for an unknown kind or without games."""
    from othello_lab.experiment.show.pages.reports import is_database, page_of_records, page_of_tournament
    from othello_lab.game.records import SUFFIXES

    if is_database(path):
        return page_of_tournament(path, wish)
    if path.suffix.lower() in SUFFIXES:
        return page_of_records(path, wish)
    kinds = f"a file of games ({', '.join(SUFFIXES)}) or a database of `othello tournament`"
    raise ValueError(f"a report cannot be made of {path}: expected {kinds}")


def _of_run(what: str, runs_dir: Path, wish: "Wish") -> "tuple[Page, Path]":
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.pages.reports import page_of_run

    _check_there(what, runs_dir)
    folder = RunFolder.open(runs_dir, what)
    policy = _policy(folder, runs_dir)
    size = (policy and policy.size) or USUAL_SIZE
    return page_of_run(folder, policy, size, wish), folder.path / "report.html"


def _check_there(what: str, runs_dir: Path) -> None:
    """Raise click.BadParameter for what is neither a file nor a run, with what may be meant."""
    from othello_lab.game.registry import did_you_mean

    if not Path(what).exists() and not (runs_dir / what).exists():
        meant = did_you_mean(what, run_names(runs_dir))
        there = f"there is no file {what} and no run of that name in {runs_dir}{meant}"
        raise click.BadParameter(there, param_hint="RUN|TOURNAMENT|ANALYSIS|FILE")


def _policy(folder: "RunFolder", runs_dir: Path) -> "Named | None":
    """Return what plays for a run, None where it has saved nothing yet."""
    try:
        return named(str(folder.path.resolve()), runs_dir, "RUN")
    except click.BadParameter as error:
        click.echo(f"no games to step through: {error.message}", err=True)
        return None
