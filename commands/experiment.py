"""`othello experiment`: the group of the commands about runs, and its command `plot`."""

from pathlib import Path

import click

from othello_lab.commands import fields
from othello_lab.commands.cli import LazyGroup
from othello_lab.commands.options import argument, options, takes


@options
class _Plot:
    run_name: str = argument(metavar="RUN", shell_complete=fields.complete_run)
    runs_dir: Path = fields.runs_dir()


@takes(_Plot)
def _plot(options: _Plot) -> None:
    """Draw the picture of RUN (a name or a folder) again from its files."""
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.run_picture import plot_run

    click.echo(plot_run(RunFolder.open(options.runs_dir, options.run_name)))


command = LazyGroup(
    "othello_lab.commands",
    {
        "Commands": {
            "train": "train the agent and the environment that connect",
            "sweep": "carry out runs that differ in some options, and compare them",
            "compare": "tables and pictures of several runs",
            "plot": "draw the picture of a run again",
        }
    },
    commands={"plot": _plot},
    help="Run episodes over RL-Glue and record the results.",
)
