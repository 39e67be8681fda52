"""From a plan and a Glue to a finished run: training, plot and report."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from experiment.display import shell_commands
from experiment.display.plots import plot_run
from experiment.display.progress import make_display
from experiment.display.report import print_report
from experiment.display.terminal import console
from experiment.episodes.control import AnyGlue, ControlError
from experiment.results.run_folder import RunFolder, RunFolderError
from experiment.training.plan import Plan
from experiment.training.trainer import Report, Trainer
from experiment.workers.interrupts import Interrupts
from rlglue.errors import GlueError

LOG = "experiment.log"


def run_session(
    glue: AnyGlue, plan: Plan, interrupts: Interrupts, watch: bool, resume_command: str
) -> Report:
    """Carry a run through and print what came of it; raises GlueError if a peer leaves."""
    terminal = console()
    done = plan.checkpoints[0].episode if plan.checkpoints else 0
    display = make_display(terminal, done, plan.config.episodes, watch)
    interrupts.log = plan.folder.logs / LOG
    with _timed(plan):
        with plan.folder:
            report = Trainer(glue, plan, display, interrupts, watch).run()
        plot = _plot(plan, report)
    print_report(terminal, report, plan.folder, plot, resume_command)
    return report


def _plot(plan: Plan, report: Report) -> Path | None:
    """Draw the plot; a full disk at that point is no reason to lose what is said at the end of a run."""
    try:
        return plot_run(plan.folder) if report.episodes else None
    except OSError as error:
        command = shell_commands.othello("experiment", "plot", str(plan.folder.path))
        report.notes.append(f"no plot: {_reason(error)}; draw it later with: {command}")
        return None


def _reason(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextmanager
def _timed(plan: Plan) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(RunFolderError, OSError):  # what has happened to the folder is told by others
            plan.folder.end_session(plan.record["sessions"][-1], time.monotonic() - plan.begun)


def resume_command(plan: Plan, runs: Path, command: str) -> str:
    """Return how a run is resumed that `othello COMMAND` began."""
    where = [] if runs == Path("runs") else ["--runs-dir", str(runs)]
    return shell_commands.othello(*command.split(), "--resume", plan.folder.path.name, *where)


@contextmanager
def explaining_how_to_resume(plan: Plan, resume: str) -> Iterator[None]:
    """Add to the news of what broke a run off what of it is safe, and how it is resumed, if it has begun."""
    try:
        yield
    except ControlError:  # nobody is lost: one of them does not do what it must
        raise
    except GlueError as error:
        if not plan.folder.began:
            raise
        raise GlueError(f"{error}; go on with: {resume}") from None
    except BrokenPipeError:  # nobody reads what is printed: no trouble of the run
        raise
    except OSError as error:
        plan.folder.check_there()
        raise GlueError(f"{_reason(error)}; {_safe(plan.folder, resume)}") from None


def _safe(folder: RunFolder, resume: str) -> str:
    """Say what of a run is safe, and what to do next."""
    if not folder.began:
        return "the run had not begun: mend that, then start it again"
    saved = folder.saved()
    safe = f"the run is safe up to game {saved[-1].episode}" if saved else "nothing of the run is saved yet"
    return f"{safe}: mend that, then go on with: {resume}"


def log_to(folder: RunFolder) -> None:
    """Send the log of this process to a file of the run, so that it does not break the display."""
    # delay: no file before there is a line for it.
    handler = logging.FileHandler(folder.logs / LOG, encoding="utf-8", delay=True)
    logging.basicConfig(
        handlers=[handler],
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
