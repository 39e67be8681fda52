"""`othello experiment plot`: the picture of a run, drawn again from its files."""

from pathlib import Path

import click

from othello.ending import reported_errors
from othello.options import argument, options, takes
from othello.shared_options import a_run, a_runs_dir


@options
class _Options:
    run_name: str = argument(metavar="RUN", shell_complete=a_run)
    runs_dir: Path = a_runs_dir()


@takes(_Options)
def command(said: _Options) -> None:
    """Draw the picture of RUN (a name or a folder) again from its files."""
    from experiment.run.results.run_folder import RunFolder
    from experiment.show.run_picture import plot_run

    with reported_errors():
        click.echo(plot_run(RunFolder.open(said.runs_dir, said.run_name)))
