"""`othello watch`: serve a page about a run in progress."""

from pathlib import Path

import click

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import argument, options, takes


@options
class _Options:
    run_name: str | None = argument(metavar="[RUN]", required=False, shell_complete=fields.complete_run)
    port: int = fields.page_port("the page")
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Serve a page about a run, with its progress, curves, evaluations and a game.

    RUN is the name or the folder of a run. Without RUN, the page shows the run that changed last and has not
    failed. The command prints the address of the page, and serves the page on this machine until Ctrl-C. The
    command only reads files, so the run may be on another machine, in a shared folder.
    """
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.pages.watch import Demonstration, RunPage
    from othello_lab.experiment.show.run_states import newest_run
    from othello_lab.experiment.show.site import serve

    name = options.run_name
    folder = RunFolder.open(options.runs_dir, name) if name else newest_run(options.runs_dir)
    game = Demonstration(folder)
    site = RunPage(folder, game).site
    with blaming("--port"), game:
        serve(site, options.port, lambda url: click.echo(f"{folder.path} is shown at {url} until Ctrl-C"))
