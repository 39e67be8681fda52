"""A sweep carried out, and its folder, `<runs>/<sweep>/`: a run folder for each run, and what they share.

`sweep.json` holds the options of each variant, `finished.jsonl` a line for each run that came to its end,
`logs/` what each printed.
"""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from othello_lab.experiment.compare.sweep.comparison import read_result
from othello_lab.experiment.compare.sweep.variants import Job, Sweep, SweepError
from othello_lab.experiment.run.names import is_name
from othello_lab.experiment.run.run_folder import RunFolder, json_objects
from othello_lab.experiment.show.progress import clock, console, make_display
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.programs import Ended, Order, Process, Start, run_all
from othello_lab.experiment.workers.trio import last_line
from othello_lab.game.files import complete_lines, read_text, replace
from othello_lab.game.notation import printable_values
from rlglue.messages import json_object

_REPAIR = "remove it, and the sweep goes on with the options of its file"


class SweepFolder:
    """One sweep's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self._record = path / "sweep.json"
        self._finished = path / "finished.jsonl"

    @classmethod
    def make(cls, runs: Path, name: str) -> "SweepFolder":
        """Make the folder of a sweep, or return the one there is; raise SweepError for what is no name."""
        if not is_name(name):
            raise SweepError(f"{name!r} is no name of a sweep: use letters, digits, '-', '_' and '.' only")
        folder = cls(runs / name)
        folder.logs.mkdir(parents=True, exist_ok=True)
        return folder

    def record_variants(self, sweep: Sweep) -> None:
        """Record the variants of a sweep, which may be those of before and others.

        Raises SweepError if a run was made with other options than its variant has now.
        """
        before = self.variants() if self._record.exists() else {}
        now = {variant.name: dict(variant.options) for variant in sweep.variants}
        for variant, options in now.items():
            if before.get(variant, options) != options and self.runs(variant):
                raise SweepError(
                    f"{self.path} has runs of {variant} with other options: "
                    "give the file or the variant another name, or remove those runs"
                )
        # In the order of the file, then those that it no longer has.
        variants = {name: (before | now)[name] for name in [*now, *before]}
        replace(self._record, json.dumps({"variants": variants}, indent=2) + "\n")

    @classmethod
    def open(cls, runs: Path, name: str) -> "SweepFolder":
        """Return the folder of a sweep given by its name or its path; raise SweepError if there is none."""
        for path in (runs / name, Path(name)):
            if (path / "sweep.json").is_file():
                return cls(path)
        raise SweepError(f"there is no sweep in {runs / name}: expected a folder with a sweep.json")

    def variants(self) -> dict[str, dict[str, Any]]:
        """Return the options of each variant; raise SweepError if they cannot be read."""
        try:
            variants = printable_values(json_object(read_text(self._record))).get("variants")
        except (OSError, ValueError) as error:
            raise SweepError(f"{self._record} cannot be read: {error}; {_REPAIR}") from None
        if not (isinstance(variants, dict) and all(isinstance(own, dict) for own in variants.values())):
            raise SweepError(f"{self._record} is not a sweep's; {_REPAIR}")
        return variants

    def runs(self, variant: str) -> list[RunFolder]:
        """Return the run folders of a variant, by seed."""
        own = re.compile(re.escape(variant) + "-([0-9]+)")
        found = {int(match[1]): path for path in self.path.iterdir() if (match := own.fullmatch(path.name))}
        return [RunFolder(found[seed]) for seed in sorted(found) if (found[seed] / "config.json").is_file()]

    def log(self, job: Job) -> Path:
        """Return where the output of a run goes."""
        return self.logs / f"{job.name}.log"

    def command(self, job: Job) -> list[str]:
        """Return the arguments of `othello` that begin a run, or go on with it."""
        where = f"--runs-dir={self.path}"
        if (self.path / job.name / "config.json").is_file():
            return [*job.variant.command, f"--resume={job.name}", where]
        return [*job.variant.arguments(job.seed), f"--name={job.name}", where]

    def finished(self) -> dict[str, Any]:
        """Return the runs that came to their end and are still there, with the seconds they took."""
        lines = json_objects(complete_lines(self._finished))
        ended = {line["run"]: line.get("seconds") for line in lines if isinstance(line.get("run"), str)}
        return {run: seconds for run, seconds in ended.items() if (self.path / run / "config.json").is_file()}

    def add_finished(self, job: Job, seconds: float) -> None:
        """Record that a run came to its end."""
        every = {**self.finished(), job.name: round(seconds, 1)}
        lines = (json.dumps({"run": run, "seconds": seconds}) + "\n" for run, seconds in every.items())
        replace(self._finished, "".join(lines))


_WORKER = (sys.executable, "-P", "-m", "othello_lab.commands.sweep_worker")


def run_sweep(
    sweep: Sweep, folder: SweepFolder, limit: int, interrupts: Interrupts, start: Start = Process
) -> int:
    """Carry out the runs that are not finished, at most `limit` at once; return how many failed.

    `start` starts a run, here or on a cluster.
    """
    finished, every = folder.finished(), sweep.jobs()
    pending = {job.name: job for job in every if job.name not in finished}
    orders = [_order(job, folder) for job in pending.values()]
    done, failed = len(every) - len(pending), 0
    terminal = console()
    terminal.print(f"sweep {folder.path}: {len(every)} runs, {done} of them finished", highlight=False)
    display = make_display(terminal, done, len(every), watch=False, what="run")
    interrupts.patient, interrupts.log = True, folder.logs / "sweep.log"
    interrupts.on_request = lambda: display.stopping("the runs are saving; interrupt again to stop at once")
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
    return Order(job.name, partial(_command_line, job, folder), folder.log(job))


def _command_line(job: Job, folder: SweepFolder) -> Sequence[str]:
    return [*_WORKER, *folder.command(job)]


def _news(job: Job, end: Ended, folder: SweepFolder, stopping: bool) -> str:
    """Say in a line how a run ended."""
    who = f"{job.variant.name}, seed {job.seed}"
    if end.status and stopping:
        return f"{who}: stopped"
    if end.status:
        return f"{who}: failed with exit status {end.status}; {last_line(folder.log(job))}"
    return f"{who}: {_won(RunFolder(folder.path / job.name))} in {clock(end.seconds)}"


def _won(folder: RunFolder) -> str:
    result = read_result(folder)
    rates = (
        [f"{100 * result.final(name).win_rate:.1f} % against {name}" for name in result.curves]
        if result
        else []
    )
    return f"won {', '.join(rates)}" if rates else "finished"
