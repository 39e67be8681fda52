"""`othello watch`: a run while it goes on, in the terminal or on a page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands.ending import blaming, reported_errors
from othello_lab.commands.options import argument, option, options, takes, whole_number
from othello_lab.commands.shared_options import a_run, a_runs_dir

if TYPE_CHECKING:
    from othello_lab.experiment.run.run_folder import RunFolder


@options
class _Options:
    run_name: str | None = argument(metavar="[RUN]", required=False, shell_complete=a_run)
    web: bool = option("Show it on a page in a browser on this machine.")
    port: int = whole_number(
        "Port of that page.  [default: any free one]", default=0, highest=65535, show_default=False
    )
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Watch a run while it goes on: progress, curves, evaluations, and a game of its newest policy.

    RUN is a name or a folder; without it the run that changed last is shown. Only files are read, so the run
    may be on another machine, in a shared folder. In the terminal the view ends with the run or with
    Ctrl-C; the page stays until Ctrl-C.
    """
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.live.shown_game import newest_run
    from othello_lab.experiment.show.live.terminal_view import watch

    if said.port and not said.web:
        raise click.BadParameter("this is the port of the page: add --web", param_hint="--port")
    with reported_errors():
        folder = RunFolder.open(said.runs_dir, said.run_name) if said.run_name else newest_run(said.runs_dir)
        if said.web:
            _serve(folder, said.port)
        else:
            watch(folder, Console())


def _serve(folder: "RunFolder", port: int) -> None:
    from othello_lab.experiment.show.live.shown_game import GameShow
    from othello_lab.experiment.show.live.web import RunPage
    from othello_lab.experiment.show.run_files import Following
    from othello_lab.experiment.show.site import serve

    def say(url: str) -> None:
        click.echo(f"{folder.path} is shown at {url} until Ctrl-C")

    run = Following(folder)
    with blaming("--port"), GameShow(run) as game:
        serve(RunPage(run, game).site, port, say)
