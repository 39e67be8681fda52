"""`othello watch`: a run while it goes on, in the terminal or on a page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.completion import a_run
from othello.ending import blaming, reported_errors
from othello.options import runs_dir_option

if TYPE_CHECKING:
    from experiment.run.results.run_folder import RunFolder


@click.command()
@click.argument("run_name", metavar="[RUN]", required=False, shell_complete=a_run)
@click.option("--web", is_flag=True, help="Show it on a page in a browser on this machine.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of that page.  [default: any free one]"
)
@runs_dir_option("Where run folders are.")
def command(run_name: str | None, web: bool, port: int, runs_dir: Path) -> None:
    """Watch a run while it goes on: progress, curves, evaluations, and a game of its newest policy.

    RUN is a name or a folder; without it the run that changed last is shown. Only files are read, so the run
    may be on another machine, in a shared folder. In the terminal the view ends with the run or with
    Ctrl-C; the page stays until Ctrl-C.
    """
    from rich.console import Console

    from experiment.run.results.run_folder import RunFolder
    from experiment.show.live.newest import newest_run
    from experiment.show.live.watch import watch
    from game.threads import use_threads

    if port and not web:
        raise click.BadParameter("this is the port of the page: add --web", param_hint="--port")
    use_threads(1)
    with reported_errors():
        folder = RunFolder.open(runs_dir, run_name) if run_name else newest_run(runs_dir)
        if web:
            _serve(folder, port)
        else:
            watch(folder, Console())


def _serve(folder: "RunFolder", port: int) -> None:
    from experiment.show.live.run_files import Following
    from experiment.show.live.server import serve
    from experiment.show.live.shown_game import GameShow
    from experiment.show.live.web import RunPage

    def say(url: str) -> None:
        click.echo(f"{folder.path} is shown at {url} until Ctrl-C")

    run = Following(folder)
    with blaming("--port"), GameShow(run) as game:
        serve(RunPage(run, game), port, say)
