"""`othello report`: write a run, a tournament or a file of games as one HTML file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import check_folder, named
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import argument, option, options, takes, whole_number
from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.experiment.show.pages.page import Page
    from othello_lab.experiment.show.pages.reports import Wish


@options
class _Options:
    what: str = argument(metavar="RUN|TOURNAMENT|FILE", shell_complete=fields.complete_run)
    output: Path | None = option(
        "HTML file of the report.  [default: report.html in the folder of RUN, else FILE.html]",
        type=fields.FILE,
    )
    games: int = whole_number(
        "Maximum number of games in the report. For RUN, the command plays about this number of games.",
        default=24,
        highest=1000,
    )
    adviser: str | None = fields.player(
        "Show the values that this player or run gives to the moves.  [default: the policy of RUN]",
        "--values",
        metavar="PLAYER",
    )
    seed: int = fields.seed("Seed of the games that are played for the report.")
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Write a report as one HTML file with tables, plots, and games to step through in a browser.

    The report needs no network, so you can send it to other people. RUN is a run's name or folder. TOURNAMENT
    is a database of `othello tournament`. FILE is a file of games, for example from `othello match
    --records`.
    """
    from othello_lab.experiment.show.pages.page import html_of
    from othello_lab.experiment.show.pages.reports import AdviserError, Wish
    from othello_lab.game.safe_files import replace

    output = options.output
    if output and output.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{output}: the name of a report must end with .html", param_hint="--output")
    if output:
        check_folder(output, "--output")
    adviser = named(options.adviser, options.runs_dir, "--values") if options.adviser else None
    wish = Wish(options.games, adviser, options.seed, Console(stderr=True))
    try:
        page, usual = _page(options.what, options.runs_dir, wish)
    except AdviserError as error:
        raise click.BadParameter(str(error), param_hint="--values") from None
    output = output or usual
    replace(output, html_of(page))
    click.echo(output)


def _page(what: str, runs_dir: Path, wish: "Wish") -> "tuple[Page, Path]":
    from othello_lab.experiment.show.pages import reports
    from othello_lab.game.records import DATABASES, SUFFIXES

    path = Path(what)
    if not path.is_file() and path.suffix.lower() not in SUFFIXES:
        return _of_run(what, runs_dir, wish)
    with blaming("FILE"):
        suffix = path.suffix.lower()
        if suffix not in (*SUFFIXES, *DATABASES):
            kinds = f"games ({', '.join(SUFFIXES)}) or a tournament's database ({', '.join(DATABASES)})"
            raise ValueError(f"a report cannot be made of {path}: expected {kinds}")
        page_of = reports.page_of_tournament if suffix in DATABASES else reports.page_of_records
        page = page_of(path, wish)
    return page, path.with_name(f"{path.name}.html")


def _of_run(what: str, runs_dir: Path, wish: "Wish") -> "tuple[Page, Path]":
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.pages.reports import page_of_run

    folder = RunFolder.open(runs_dir, what)
    try:
        policy = named(str(folder.path.resolve()), runs_dir, "RUN")
    except click.BadParameter as error:
        click.echo(f"no games to step through: {error.message}", err=True)
        policy = None
    size = (policy and policy.size) or USUAL_SIZE
    return page_of_run(folder, policy, size, wish), folder.path / "report.html"
