"""A sweep from its first run to its last, and what is said on the way."""

from contextlib import closing

from experiment.display.progress import make_display
from experiment.display.terminal import console
from experiment.results.run_folder import RunFolder
from experiment.sweep.comparison import read_result
from experiment.sweep.folder import SweepFolder
from experiment.sweep.variants import Sweep
from experiment.workers.interrupts import Interrupts
from experiment.workers.programs import Ended, carry_out
from experiment.workers.trio import last_words


def run_sweep(sweep: Sweep, folder: SweepFolder, limit: int, interrupts: Interrupts) -> int:
    """Carry out the runs that are not finished, at most `limit` at once; return how many failed."""
    finished, every = folder.finished(), sweep.jobs()
    waiting = [job for job in every if job.name not in finished]
    done, failed = len(every) - len(waiting), 0
    terminal = console()
    terminal.print(f"sweep {folder.path}: {len(every)} runs, {done} of them finished", highlight=False)
    display = make_display(terminal, done, len(every), watch=False, what="run")
    interrupts.patient, interrupts.log = True, folder.logs / "sweep.log"
    interrupts.on_request = lambda: display.activity("the runs are saving")
    with display, closing(carry_out(waiting, folder, limit, lambda: interrupts.requested)) as ends:
        for end in ends:
            if end.status == 0:
                folder.add_finished(end.job, end.seconds)
                done += 1
            elif not interrupts.requested:
                failed += 1
            display.line(_news(end, folder, interrupts.requested))
            display.advance(done + failed, [f"{failed} failed"] if failed else [])
    return failed


def _news(end: Ended, folder: SweepFolder, stopping: bool) -> str:
    """Say in a line how a run ended."""
    who = f"{end.job.variant.name}, seed {end.job.seed}"
    if end.status and stopping:
        return f"{who}: stopped"
    if end.status:
        return f"{who}: failed with exit status {end.status}; {last_words(folder.log(end.job))}"
    minutes, seconds = divmod(round(end.seconds), 60)
    return f"{who}: {_won(RunFolder(folder.path / end.job.name))} in {minutes}:{seconds:02d}"


def _won(folder: RunFolder) -> str:
    result = read_result(folder)
    rates = (
        [f"{100 * result.final(name).win_rate:.1f} % against {name}" for name in result.curves]
        if result
        else []
    )
    return f"won {', '.join(rates)}" if rates else "finished"
