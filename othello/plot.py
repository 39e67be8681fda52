"""`othello experiment plot`: the picture of a run, drawn again from its files."""

from pathlib import Path

import click

from othello.completion import a_run
from othello.ending import reported_errors
from othello.groups import Command
from othello.options import runs_dir_option


@click.command(cls=Command)
@click.argument("run_name", metavar="RUN", shell_complete=a_run)
@runs_dir_option("Where run folders are.")
def command(run_name: str, runs_dir: Path) -> None:
    """Draw the picture of RUN (a name or a folder) again from its files."""
    from experiment.run.results.run_folder import RunFolder
    from experiment.show.run_picture import plot_run

    with reported_errors():
        click.echo(plot_run(RunFolder.open(runs_dir, run_name)))
