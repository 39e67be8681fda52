"""`othello runs`: list the runs of a folder."""

from pathlib import Path

import click

from othello_lab.commands import fields
from othello_lab.commands.options import options, takes


@options
class _Options:
    runs_dir: Path = fields.runs_dir()


@takes(_Options)
def command(options: _Options) -> None:
    """List the runs, the newest first, with their state, training games and last verdict.

    The verdict summarises the last evaluation. A run is starting, running, finished, stopped or failed. The
    list may show a killed run as running.
    """
    from rich.console import Console

    from othello_lab.experiment.show.run_states import list_of_runs
    from othello_lab.experiment.show.tables import grid

    table = list_of_runs(options.runs_dir)
    if table.rows:
        Console().print(grid(table))
    else:
        click.echo(f"there is no run in {options.runs_dir}: start one with `othello run`")
