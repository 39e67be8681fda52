"""`othello watch`: a run while it goes on, in the terminal or on a page."""

from pathlib import Path

import click

from othello.completion import a_run
from othello.ending import reported_errors
from othello.options import runs_dir_option


@click.command()
@click.argument("run_name", metavar="[RUN]", required=False, shell_complete=a_run)
@runs_dir_option("Where run folders are.")
def command(run_name: str | None, runs_dir: Path) -> None:
    """Watch a run while it goes on: progress, curves, evaluations, and a game of its newest policy.

    RUN is a name or a folder; without it the run in which something happened last. Only its files are read:
    the run may be another machine's, in a folder that both can see. The view ends with the run, or by Ctrl-C.
    """
    from rich.console import Console

    from experiment.live.newest import newest_run
    from experiment.live.session import watch
    from experiment.results.run_folder import RunFolder
    from game.threads import use_threads

    use_threads(1)
    with reported_errors():
        folder = RunFolder.open(runs_dir, run_name) if run_name else newest_run(runs_dir)
        watch(folder, Console())
