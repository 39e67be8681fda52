"""The folder of a sweep, `<runs>/<sweep>/`: a run folder for each run, and what they have in common.

`sweep.json` holds the options of each variant, `finished.jsonl` a line for each run that came to its end,
`logs/` what each printed.
"""

import json
import re
from pathlib import Path
from typing import Any

from experiment.run_folder import RunFolder, is_name
from experiment.sweep.plan import Job, Sweep, SweepError


class SweepFolder:
    """One sweep's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self._record = path / "sweep.json"
        self._finished = path / "finished.jsonl"

    @classmethod
    def make(cls, runs: Path, name: str, sweep: Sweep) -> "SweepFolder":
        """Make the folder of a sweep, or take up the one there is.

        Raises SweepError if a run was made with other options than its variant has now.
        """
        if not is_name(name):
            raise SweepError(f"{name!r} is no name of a sweep: use letters, digits, '-', '_' and '.' only")
        folder = cls(runs / name)
        before = folder.variants() if folder._record.exists() else {}
        now = {variant.name: dict(variant.options) for variant in sweep.variants}
        for variant, options in now.items():
            if before.get(variant, options) != options and folder.runs(variant):
                raise SweepError(
                    f"{folder.path} has runs of {variant} with other options: "
                    "give the file or the variant another name, or remove those runs"
                )
        folder.logs.mkdir(parents=True, exist_ok=True)
        # In the order of the file, then those that it no longer has.
        variants = {name: (before | now)[name] for name in [*now, *before]}
        folder._record.write_text(json.dumps({"variants": variants}, indent=2) + "\n")
        return folder

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
            variants: dict[str, dict[str, Any]] = json.loads(self._record.read_text())["variants"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SweepError(f"{self._record} cannot be read: {error!r}") from None
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
            return ["experiment", "train", "--in-process", f"--resume={job.name}", where]
        return [*job.variant.arguments(job.seed), f"--name={job.name}", where]

    def finished(self) -> dict[str, float]:
        """Return the runs that came to their end and are still there, with the seconds they took."""
        lines = self._finished.read_text().splitlines() if self._finished.exists() else []
        ended = {record["run"]: record["seconds"] for record in map(json.loads, lines)}
        return {run: seconds for run, seconds in ended.items() if (self.path / run / "config.json").is_file()}

    def add_finished(self, job: Job, seconds: float) -> None:
        """Record that a run came to its end."""
        with self._finished.open("a") as file:
            file.write(json.dumps({"run": job.name, "seconds": round(seconds, 1)}) + "\n")
