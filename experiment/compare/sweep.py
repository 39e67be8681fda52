"""Run sweeps. A sweep trains with several sets of options, and repeats each set with every seed.

The sweep's folder contains the run folders, `sweep.json` with the options of each variant, and `logs/`.
"""

import json
import os
import re
import subprocess
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from othello_lab.experiment.compare.runs import last, read_curves
from othello_lab.experiment.run.run_folder import RunFolder, is_name
from othello_lab.experiment.show.progress import Display, clock, console
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.trio import CHILD, close_input, last_line
from othello_lab.game.errors import RefusedError
from othello_lab.game.notation import printable_values
from othello_lab.game.registry import RegistryError, as_table, compose, underscored
from othello_lab.game.safe_files import read_text, replace
from rlglue.messages import LARGEST_SEED, json_object

_RESERVED = {
    *("seed", "name", "runs-dir", "resume", "watch", "glue"),
    *("in-process", "host", "port", "connect-timeout"),
}  # the options of a run that a sweep file must not set
_LEARNER = "learner"  # the option of batched self-play that replaces `agent`
_REPAIR = "remove it, and the sweep goes on with the options of its file"
_WORKER = (*CHILD, "run", "othello_lab")
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
_POLL_SECONDS = 0.1


class SweepError(RefusedError):
    """A sweep that is invalid, cannot run or cannot be read."""


@dataclass(frozen=True)
class Variant:
    """A named set of options. The keys are long option names. The agent or learner is a registry text."""

    name: str
    options: Mapping[str, Any]

    @property
    def command(self) -> tuple[str, ...]:
        """The `othello` command, which is `selfplay` with a learner, otherwise `experiment train`."""
        return ("selfplay",) if _LEARNER in self.options else ("experiment", "train", "--in-process")

    def arguments(self, seed: int) -> list[str]:
        """Return the arguments of `othello` for one run."""
        arguments = [*self.command]
        for key, value in self.options.items():
            if isinstance(value, bool):
                arguments += [f"--{key}"] * value
            else:
                arguments += [f"--{key}={item}" for item in (value if isinstance(value, list) else [value])]
        return [*arguments, f"--seed={seed}"]


@dataclass(frozen=True)
class Job:
    """One run of a sweep."""

    variant: Variant
    seed: int

    @property
    def name(self) -> str:
        """The name of the run folder and of the log file."""
        return f"{self.variant.name}-{self.seed}"


@dataclass(frozen=True)
class Sweep:
    """Variants, and the seeds with which each variant is trained."""

    variants: Sequence[Variant]
    seeds: Sequence[int]

    def jobs(self) -> list[Job]:
        """Return all runs, one seed after the other."""
        return [Job(variant, seed) for seed in self.seeds for variant in self.variants]


def read_sweep(table: Mapping[str, Any], learner: str, seeds: Sequence[int] | None = None) -> Sweep:
    """Return the sweep of a TOML file. If `seeds` is not None, it replaces the seeds of the file.

    Shared options are at the top of the file or in [run]. The options of a variant are in [variants.NAME].
    The default name of an agent is `learner`. Raises SweepError for an invalid table.
    """
    table = dict(table)
    variants, listed, run = table.pop("variants", {}), table.pop("seeds", []), table.pop("run", {})
    if not (isinstance(variants, dict) and variants and all(isinstance(v, dict) for v in variants.values())):
        raise SweepError("there are no variants: write a table [variants.NAME] for each")
    if not isinstance(run, dict):
        raise SweepError("run is no table: write [run]")
    if twice := sorted(table.keys() & run.keys()):
        raise SweepError(f"{twice[0]} stands at the top and in [run]: say it once")
    merged = [_variant(name, {**table, **run}, options, learner) for name, options in variants.items()]
    seeds = listed if seeds is None else seeds
    if not (isinstance(seeds, Sequence) and seeds and all(map(_is_seed, seeds))):
        raise SweepError(f"seeds: expected a list of whole numbers, 0 to {LARGEST_SEED}, such as [0, 1, 2]")
    return Sweep(merged, list(dict.fromkeys(seeds)))


def _is_seed(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_SEED


def _variant(name: str, shared: Mapping[str, Any], special: Mapping[str, Any], learner: str) -> Variant:
    """Return a variant. The options in `special` replace shared options. Raises SweepError."""
    if not is_name(name):
        raise SweepError(f"{name!r} is no name of a variant: use letters, digits, '-', '_' and '.' only")
    shared, special = ({key.replace("_", "-"): table[key] for key in table} for table in (shared, special))
    options = {**shared, **special}
    if reserved := sorted(options.keys() & _RESERVED):
        raise SweepError(f"{reserved[0]} is not for a sweep's file: leave it out")
    if {"agent", _LEARNER} <= options.keys():
        raise SweepError(f"{name} has an agent and a learner: name one of them")
    for key in options.keys() & {"agent", _LEARNER}:
        options[key] = agent_text(shared.get(key, {}), special.get(key, {}), learner)
    return Variant(name, options)


def agent_text(shared: str | Mapping[str, object], special: str | Mapping[str, object], learner: str) -> str:
    """Return the registry text of an agent. The options in the table `special` replace the shared options.

    If `special` is a text or a table with another name, it replaces the whole agent. The default name of an
    agent is `learner`. Raises SweepError for an invalid agent.
    """
    for value in (shared, special):
        if not isinstance(value, str | Mapping):
            raise SweepError(f"agent is {value}, expected a text or a table")
    if isinstance(special, str):
        return special
    try:
        common = as_table(shared) if isinstance(shared, str) else {"name": learner, **_underscored(shared)}
        special = _underscored(special)
        same = special.get("name", common["name"]) == common["name"]
        return compose({**common, **special} if same else special)
    except RegistryError as error:
        raise SweepError(f"agent: {error}") from None


def _underscored(table: Mapping[str, object]) -> dict[str, object]:
    return {underscored(key): value for key, value in table.items()}


class SweepFolder:
    """The folder of a sweep."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self._record = path / "sweep.json"

    @classmethod
    def make(cls, runs: Path, name: str) -> "SweepFolder":
        """Return the folder of a sweep, which may be new. Raises SweepError for an invalid name."""
        if not is_name(name):
            raise SweepError(f"{name!r} is no name of a sweep: use letters, digits, '-', '_' and '.' only")
        folder = cls(runs / name)
        folder.logs.mkdir(parents=True, exist_ok=True)
        return folder

    @classmethod
    def open(cls, runs: Path, name: str) -> "SweepFolder":
        """Return the folder of a sweep by its name or path. Raises SweepError if there is no such sweep."""
        for path in (runs / name, Path(name)):
            if (path / "sweep.json").is_file():
                return cls(path)
        raise SweepError(f"there is no sweep in {runs / name}: expected a folder with a sweep.json")

    def variants(self) -> dict[str, dict[str, Any]]:
        """Return the options of each variant. Raises SweepError if the options cannot be read."""
        try:
            variants = printable_values(json_object(read_text(self._record))).get("variants")
        except (OSError, ValueError) as error:
            raise SweepError(f"{self._record} cannot be read: {error}; {_REPAIR}") from None
        if not (isinstance(variants, dict) and all(isinstance(v, dict) for v in variants.values())):
            raise SweepError(f"{self._record} is not a sweep's; {_REPAIR}")
        return variants

    def record_variants(self, sweep: Sweep) -> None:
        """Add variants to sweep.json. Raises SweepError if a variant has runs with other options."""
        before = self.variants() if self._record.exists() else {}
        now = {variant.name: dict(variant.options) for variant in sweep.variants}
        for variant, options in now.items():
            if before.get(variant, options) != options and self.runs(variant):
                raise SweepError(
                    f"{self.path} has runs of {variant} with other options: "
                    "give the file or the variant another name, or remove those runs"
                )
        # First come the variants in the order of the file, then the variants that are no longer in the file.
        variants = {name: (before | now)[name] for name in [*now, *before]}
        replace(self._record, json.dumps({"variants": variants}, indent=2) + "\n")

    def runs(self, variant: str) -> list[RunFolder]:
        """Return the run folders of a variant, sorted by seed."""
        pattern = re.compile(re.escape(variant) + "-([0-9]+)")
        paths = {
            int(match[1]): path for path in self.path.iterdir() if (match := pattern.fullmatch(path.name))
        }
        return [RunFolder(paths[seed]) for seed in sorted(paths) if _is_run(paths[seed])]

    def log(self, job: Job) -> Path:
        """Return the path of the log of a run."""
        return self.logs / f"{job.name}.log"

    def command(self, job: Job) -> list[str]:
        """Return the arguments of `othello` that start or resume a run."""
        where = f"--runs-dir={self.path}"
        if _is_run(self.path / job.name):
            return [*job.variant.command, f"--resume={job.name}", where]
        return [*job.variant.arguments(job.seed), f"--name={job.name}", where]

    def is_finished(self, job: Job) -> bool:
        """Tell whether a run has ended as planned."""
        return read_curves(RunFolder(self.path / job.name)) is not None


def _is_run(path: Path) -> bool:
    return (path / "config.json").is_file()


class Ended(NamedTuple):
    """A run whose process has ended."""

    job: Job
    status: int
    """The exit status of the process. After a kill by signal N, the status is -N."""
    seconds: float


def run_sweep(sweep: Sweep, folder: SweepFolder, limit: int, interrupts: Interrupts) -> int:
    """Carry out the unfinished runs, at most `limit` at once. Return the number of failed runs."""
    jobs = sweep.jobs()
    pending = [job for job in jobs if not folder.is_finished(job)]
    done, failed = len(jobs) - len(pending), 0
    console().print(f"sweep {folder.path}: {len(jobs)} runs, {done} of them finished", highlight=False)
    display = Display(console(), done, len(jobs), "run")
    interrupts.patient, interrupts.log = True, folder.logs / "sweep.log"
    interrupts.on_request = lambda: display.stopping("the runs are saving; interrupt again to stop at once")
    with display, closing(_run(pending, folder, limit, interrupts)) as ends:
        for end in ends:
            if end.status == 0:
                done += 1
            elif not interrupts.requested:
                failed += 1
            display.line(_news(end, folder, interrupts.requested))
            display.advance(done + failed, [f"{failed} failed"] if failed else [])
    return failed


def _run(
    jobs: Sequence[Job], folder: SweepFolder, limit: int, interrupts: Interrupts
) -> Generator[Ended, None, None]:
    """Run the jobs as processes, and yield an Ended for each process.

    Closing the generator kills the processes. After an interrupt, the processes save and end.
    """
    pending, running = deque(jobs), list[tuple[Job, float, subprocess.Popen[bytes]]]()
    try:
        while running or (pending and not interrupts.requested):
            while pending and len(running) < limit and not interrupts.requested:
                job = pending.popleft()
                running.append((job, time.monotonic(), _start(job, folder)))
            for item in [*running]:
                job, begin, process = item
                if interrupts.requested:
                    close_input(process)
                if (status := process.poll()) is not None:
                    close_input(process)
                    running.remove(item)
                    yield Ended(job, status, time.monotonic() - begin)
            time.sleep(_POLL_SECONDS)
    finally:
        for _, _, process in running:
            process.kill()
            close_input(process)
            process.wait()


def _start(job: Job, folder: SweepFolder) -> "subprocess.Popen[bytes]":
    """Start a process that saves and ends when its standard input closes."""
    with folder.log(job).open("ab") as output:
        return subprocess.Popen(  # noqa: S603  our own command, without a shell
            [*_WORKER, *folder.command(job)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ONE_THREAD},
            start_new_session=True,  # Ctrl-C in the terminal must not reach the process
        )


def _news(end: Ended, folder: SweepFolder, stopping: bool) -> str:
    job = end.job
    run = f"{job.variant.name}, seed {job.seed}"
    if end.status:
        failure = f"failed with exit status {end.status}; {last_line(folder.log(job))}"
        return f"{run}: {'stopped' if stopping else failure}"
    curves = read_curves(RunFolder(folder.path / job.name)) or {}
    rates = [f"{100 * last(curve).win_rate:.1f} % against {it.opponent}" for it, curve in curves.items()]
    outcome = f"won {', '.join(rates)}" if rates else "finished"
    return f"{run}: {outcome} in {clock(end.seconds)}"
