"""A sweep from its first run to its last, and what is said on the way."""

import sys
from collections.abc import Sequence
from contextlib import closing

from experiment.compare.sweep.comparison import read_result
from experiment.compare.sweep.folder import SweepFolder
from experiment.compare.sweep.variants import Job, Sweep
from experiment.run.results.run_folder import RunFolder
from experiment.show.progress import make_display
from experiment.show.terminal import console
from experiment.workers.interrupts import Interrupts
from experiment.workers.programs import Ended, Order, Process, Start, run_all
from experiment.workers.trio import last_line

_WORKER = (sys.executable, "-P", "-m", "othello.sweep_worker")


def run_sweep(
    sweep: Sweep, folder: SweepFolder, limit: int, interrupts: Interrupts, start: Start = Process
) -> int:
    """Carry out the runs that are not finished, at most `limit` at once; return how many failed.

    `start` begins each of them, somewhere.
    """
    finished, every = folder.finished(), sweep.jobs()
    pending = {job.name: job for job in every if job.name not in finished}
    orders = [_order(job, folder) for job in pending.values()]
    done, failed = len(every) - len(pending), 0
    terminal = console()
    terminal.print(f"sweep {folder.path}: {len(every)} runs, {done} of them finished", highlight=False)
    display = make_display(terminal, done, len(every), watch=False, what="run")
    interrupts.patient, interrupts.log = True, folder.logs / "sweep.log"
    interrupts.on_request = lambda: display.activity("the runs are saving")
    with display, closing(run_all(orders, limit, lambda: interrupts.requested, start)) as ends:
        for end in ends:
            if end.status == 0:
                folder.add_finished(pending[end.name], end.seconds)
                done += 1
            elif not interrupts.requested:
                failed += 1
            display.line(_news(pending[end.name], end, folder, interrupts.requested))
            display.advance(done + failed, [f"{failed} failed"] if failed else [])
    return failed


def _order(job: Job, folder: SweepFolder) -> Order:
    def words() -> Sequence[str]:
        return [*_WORKER, *folder.command(job)]

    return Order(job.name, words, folder.log(job))


def _news(job: Job, end: Ended, folder: SweepFolder, stopping: bool) -> str:
    """Say in a line how a run ended."""
    who = f"{job.variant.name}, seed {job.seed}"
    if end.status and stopping:
        return f"{who}: stopped"
    if end.status:
        return f"{who}: failed with exit status {end.status}; {last_line(folder.log(job))}"
    minutes, seconds = divmod(round(end.seconds), 60)
    return f"{who}: {_won(RunFolder(folder.path / job.name))} in {minutes}:{seconds:02d}"


def _won(folder: RunFolder) -> str:
    result = read_result(folder)
    rates = (
        [f"{100 * result.final(name).win_rate:.1f} % against {name}" for name in result.curves]
        if result
        else []
    )
    return f"won {', '.join(rates)}" if rates else "finished"
