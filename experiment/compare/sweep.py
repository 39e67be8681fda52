"""Run sweeps. A sweep has one run for each variant and seed. A variant is a set of options.

The sweep's folder contains the run folders, `sweep.json` with the options of each variant, and `logs/`.
"""

import json
import os
import re
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from othello_lab.experiment.compare.runs import last, read_curves
from othello_lab.experiment.run.run_folder import RunFolder, is_name, printable_values
from othello_lab.experiment.show.progress import Display, clock, console
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.trio import CHILD, close_input, last_line
from othello_lab.game.errors import RefusedError
from othello_lab.game.registry import RegistryError, compose, parse, underscored
from othello_lab.game.safe_files import read_text, replace
from rlglue.messages import LARGEST_SEED, json_object

_RESERVED = {
    *("seed", "name", "runs-dir", "resume", "watch", "glue"),
    *("in-process", "environment", "connect-timeout"),
}  # run options that a sweep file must not set
_LEARNER = "learner"  # the option of batched self-play that replaces `agent`
_RECORD = "sweep.json"
_REPAIR = "remove it, and the sweep goes on with the options of its file"
_POLL_SECONDS = 0.1


class SweepError(RefusedError):
    """A sweep is invalid, cannot run or cannot be read."""


@dataclass(frozen=True)
class Variant:
    """A named set of options. The keys are long option names. The agent or learner is a registry text."""

    name: str
    options: Mapping[str, Any]

    @property
    def command(self) -> tuple[str, ...]:
        """The subcommand of `othello`: `selfplay` for a learner, otherwise `run`."""
        return ("selfplay",) if _LEARNER in self.options else ("run", "--in-process")

    def arguments(self, seed: int) -> list[str]:
        """Return the arguments of `othello` for one run."""
        arguments = [*self.command]
        for key, value in self.options.items():
            if isinstance(value, bool):
                arguments += [f"--{key}"] * value
            else:
                arguments += [f"--{key}={item}" for item in (value if isinstance(value, list) else [value])]
        return [*arguments, f"--seed={seed}"]


class Job(NamedTuple):
    """One run of a sweep."""

    variant: Variant
    seed: int

    @property
    def name(self) -> str:
        """The name of the run folder and of the log file."""
        return f"{self.variant.name}-{self.seed}"


class Sweep(NamedTuple):
    """Variants and seeds. Each variant is trained with each seed."""

    variants: Sequence[Variant]
    seeds: Sequence[int]

    def jobs(self) -> list[Job]:
        """Return all runs, grouped by seed."""
        return [Job(variant, seed) for seed in self.seeds for variant in self.variants]


def read_sweep(table: Mapping[str, Any], learner: str, seeds: Sequence[int] | None = None) -> Sweep:
    """Return the sweep of a TOML table. `seeds` overrides the table's seeds. Raises SweepError.

    Shared options are top-level or in [run], variant options in [variants.NAME]. `learner`: default agent.
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
    numbers = seeds if isinstance(seeds, Sequence) else []
    if not numbers or not all(type(seed) is int and 0 <= seed <= LARGEST_SEED for seed in numbers):
        raise SweepError(f"seeds: expected a list of whole numbers, 0 to {LARGEST_SEED}, such as [0, 1, 2]")
    return Sweep(merged, list(dict.fromkeys(numbers)))


def _variant(name: str, shared: Mapping[str, Any], special: Mapping[str, Any], learner: str) -> Variant:
    """Return a variant. The options in `special` override shared options. Raises SweepError."""
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
    """Return the registry text of an agent. Options of the table `special` override shared options.

    A `special` that is a text or has a different name replaces `shared`. `learner` is the default name.
    Raises SweepError.
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


def as_table(text: str) -> dict[str, object]:
    """Convert agent text to a table such as {"name": "alphabeta", "depth": "4"}. Raises RegistryError."""
    spec = parse(text)
    if reserved := {"name", "argument"} & spec.options.keys():
        raise RegistryError(
            f"{text!r} has the option {min(reserved)}, which a table cannot say: leave it out"
        )
    argument = {} if spec.argument is None else {"argument": spec.argument}
    return {"name": spec.name, **argument, **spec.options}


def _underscored(table: Mapping[str, object]) -> dict[str, object]:
    return {underscored(key): value for key, value in table.items()}


def folder_of(runs: Path, name: str) -> Path:
    """Return the folder of a sweep by its name or path. Raises SweepError if there is no such sweep."""
    for path in (runs / name, Path(name)):
        if (path / _RECORD).is_file():
            return path
    raise SweepError(f"there is no sweep in {runs / name}: expected a folder with a {_RECORD}")


def recorded_variants(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the options of each variant of a sweep. Raises SweepError if the options cannot be read."""
    record = folder / _RECORD
    try:
        variants = printable_values(json_object(read_text(record))).get("variants")
    except (OSError, ValueError) as error:
        raise SweepError(f"{record} cannot be read: {error}; {_REPAIR}") from None
    if not (isinstance(variants, dict) and all(isinstance(v, dict) for v in variants.values())):
        raise SweepError(f"{record} is not a sweep's; {_REPAIR}")
    return variants


def runs_of(folder: Path, variant: str) -> list[RunFolder]:
    """Return the run folders of a variant, sorted by seed."""
    pattern = re.compile(re.escape(variant) + "-([0-9]+)")
    seeds = {path: match for path in folder.iterdir() if (match := pattern.fullmatch(path.name))}
    return [RunFolder(path) for path in sorted(seeds, key=lambda it: int(seeds[it][1])) if _is_run(path)]


def prepare(sweep: Sweep, folder: Path) -> None:
    """Create or update a sweep's folder. Raises SweepError if a variant has runs with other options."""
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    before = recorded_variants(folder) if (folder / _RECORD).exists() else {}
    now = {variant.name: dict(variant.options) for variant in sweep.variants}
    for variant, options in now.items():
        if before.get(variant, options) != options and runs_of(folder, variant):
            raise SweepError(
                f"{folder} has runs of {variant} with other options: "
                "give the file or the variant another name, or remove those runs"
            )
    # The file's variants come first, then the recorded variants that are no longer in the file.
    variants = {name: (before | now)[name] for name in [*now, *before]}
    replace(folder / _RECORD, json.dumps({"variants": variants}, indent=2) + "\n")


def command_of(job: Job, folder: Path) -> list[str]:
    """Return the arguments of `othello` that start or resume a run."""
    where = f"--runs-dir={folder}"
    if _is_run(folder / job.name):
        return [*job.variant.command, f"--resume={job.name}", where]
    return [*job.variant.arguments(job.seed), f"--name={job.name}", where]


def _is_run(path: Path) -> bool:
    return (path / "config.json").is_file()


def _log(job: Job, folder: Path) -> Path:
    return folder / "logs" / f"{job.name}.log"


def run_sweep(sweep: Sweep, folder: Path, limit: int, interrupts: Interrupts) -> int:
    """Run unfinished jobs, at most `limit` at once. Return the failure count. An interrupt saves all runs."""
    jobs = sweep.jobs()
    pending = deque(job for job in jobs if read_curves(RunFolder(folder / job.name)) is None)
    running = list[tuple[Job, float, subprocess.Popen[bytes]]]()
    done, failed = len(jobs) - len(pending), 0
    console().print(f"sweep {folder}: {len(jobs)} runs, {done} of them finished", highlight=False)
    display = Display(console(), done, len(jobs), "run")
    interrupts.patient, interrupts.log = True, folder / "logs" / "sweep.log"
    interrupts.on_request = lambda: display.stopping("the runs are saving; interrupt again to stop at once")
    try:
        with display:
            while running or (pending and not interrupts.requested):
                while pending and len(running) < limit and not interrupts.requested:
                    running.append((pending[0], time.monotonic(), _start(pending.popleft(), folder)))
                for item in [*running]:
                    job, begin, process = item
                    if interrupts.requested:
                        close_input(process)
                    if (status := process.poll()) is not None:
                        close_input(process)
                        running.remove(item)
                        done += status == 0
                        failed += status != 0 and not interrupts.requested
                        seconds = time.monotonic() - begin
                        display.line(_news(job, status, seconds, folder, interrupts.requested))
                        display.advance(done + failed, [f"{failed} failed"] if failed else [])
                time.sleep(_POLL_SECONDS)
    finally:
        for _, _, process in running:
            process.kill()
            close_input(process)
            process.wait()
    return failed


def _start(job: Job, folder: Path) -> "subprocess.Popen[bytes]":
    """Start the process of a run. The process saves a checkpoint and exits when its stdin closes."""
    with _log(job, folder).open("ab") as output:
        return subprocess.Popen(  # noqa: S603  our own command, without a shell
            [*CHILD, "run", "othello_lab", *command_of(job, folder)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C in the terminal must not reach the process
        )


def _news(job: Job, status: int, seconds: float, folder: Path, stopping: bool) -> str:
    """Return a one-line message about the end of a run."""
    run = f"{job.variant.name}, seed {job.seed}"
    if status:
        failure = f"failed with exit status {status}; {last_line(_log(job, folder))}"
        return f"{run}: {'stopped' if stopping else failure}"
    curves = read_curves(RunFolder(folder / job.name)) or {}
    rates = [f"{100 * last(curve).win_rate:.1f} % against {it.opponent}" for it, curve in curves.items()]
    outcome = f"won {', '.join(rates)}" if rates else "finished"
    return f"{run}: {outcome} in {clock(seconds)}"
