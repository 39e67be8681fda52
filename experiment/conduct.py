"""From a plan and a Glue to a finished run: training, plot and report."""

import logging

from rich.console import Console

from experiment.control import AnyGlue
from experiment.interrupts import Interrupts
from experiment.plan import Plan
from experiment.plots import plot_run
from experiment.progress import make_display
from experiment.report import print_report
from experiment.run_folder import RunFolder
from experiment.training import Report, Trainer


def conduct(glue: AnyGlue, plan: Plan, interrupts: Interrupts, watch: bool, resume_command: str) -> Report:
    """Carry a run through and print what came of it; raises GlueError if a peer leaves."""
    console = Console()
    done = plan.checkpoint.episode if plan.checkpoint else 0
    display = make_display(console, done, plan.config.episodes, watch)
    with plan.folder:
        report = Trainer(glue, plan, display, interrupts, watch).run()
    plot = plot_run(plan.folder) if report.episodes else None
    print_report(console, report, plan.folder, plot, resume_command)
    return report


def log_to(folder: RunFolder) -> None:
    """Send the log of this process to a file of the run, so that it does not break the display."""
    # delay: no file before there is a line for it.
    handler = logging.FileHandler(folder.logs / "experiment.log", encoding="utf-8", delay=True)
    logging.basicConfig(
        handlers=[handler],
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
