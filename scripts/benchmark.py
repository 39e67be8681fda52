"""The benchmark of docs/results.md: compare learners in the same games after the same training time.

    python -m scripts.benchmark make                  # 8x8, ten minutes of two cores, five seeds: half a day
    python -m scripts.benchmark make --size 6
    python -m scripts.benchmark judge mine.json AGENT AGENT --minutes 10     # the row of your own agents
    python -m scripts.benchmark draw docs/benchmark/8x8/*.json               # a picture and a table of rows

Run this script from the root of the repository. `make` skips finished work. After Ctrl-C, repeat the command.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Look, Series, has_bands, look
from othello_lab.experiment.show.plots import figure_of, save_both
from othello_lab.experiment.show.tables import Column, Table, as_markdown
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.experiment.workers.versions import processor, versions

SAMPLES = 5000  # the number of bootstrap samples
# The label for the intervals of `interquartile_mean`.
STRATIFIED = "95 % interval (stratified bootstrap: the seeds drawn anew for each opponent)"
ROOT: Final = Path(__file__).resolve().parent.parent
OTHELLO: Final = (sys.executable, "-m", "othello_lab")
GAMES_A_MINUTE: Final = {4: 1500, 6: 900, 8: 445}  # in `othello run` on one core, by board size
CURVE: Final = (0.1, 0.2, 0.5)  # fractions of the training at which policies are also evaluated
NEAR: Final = 0.03  # maximum deviation of a saved policy from a fraction in CURVE
# The keys of a row that, with the opponents, define the games.
GAMES: Final = ("size", "seed", "openings", "openings_digest", "repeat")
SCORE: Final = "interquartile mean of the scores"


@dataclass(frozen=True)
class Plan:
    """The settings of a benchmark, and the folder of its results."""

    folder: Path
    size: int
    minutes: float
    cores: int
    seeds: int
    openings: str  # The value of `--openings` for `othello evaluate`. An empty string means all openings.

    def check_folder(self) -> None:
        """Raise SystemExit if the folder has results of a plan that differs in more than the seeds."""
        record, own = self.folder / "plan.json", [self.size, self.minutes, self.cores, self.openings]
        if record.exists() and json.loads(record.read_text()) != own:
            raise SystemExit(
                f"{self.folder} has results of other minutes, cores or games: name another --folder"
            )
        record.write_text(json.dumps(own))


@dataclass(frozen=True)
class Learner:
    """A learner of the benchmark, with one row in the table."""

    train: str  # The arguments of `othello` or the program in examples/ that trains a seed, for `str.format`.
    player: str = "{}"  # The player's registry text, with {} for the path of a saved policy.
    needs: str | None = None  # A required module of another library, or None.
    runs: str = ""  # The learner whose runs are evaluated, by default this learner.

    def command(self, plan: Plan, seed: int, path: Path) -> Sequence[str]:
        """Return the command that trains a seed and saves the result at `path`."""
        games = max(10, round(plan.minutes * GAMES_A_MINUTE[plan.size] * min(plan.cores, 2)))
        first, *more = self.train.format(games=games, minutes=plan.minutes, cores=plan.cores).split()
        words = [*more, f"--size={plan.size}", f"--seed={seed}"]
        if first.endswith(".py"):
            return [sys.executable, str(ROOT / "examples" / first), *words, f"--output={path}.zip"]
        # Few evaluation games save time.
        run = f"--name={path.name}", f"--runs-dir={path.parent}", "--eval-games=2", "--final-games=0"
        return [*OTHELLO, first, *words, *run, "--keep-policies"]


_SELFPLAY: Final = "selfplay --learner={0} --minutes={{minutes}} --jobs={{cores}}"
_SB3: Final = "sb3_agents.py --learner {0} --minutes={{minutes}}"
LEARNERS: Final[Mapping[str, Learner]] = {
    "dqn-run": Learner("run --episodes={games}"),
    **{name: Learner(_SELFPLAY.format(name)) for name in ("dqn", "ntuple", "td", "mcq", "alphazero", "ppo")},
    "ppo-one-opponent": Learner(f"{_SELFPLAY.format('ppo')} --opponents=corner-greedy=0.99"),
    "alphazero-policy": Learner(
        _SELFPLAY.format("alphazero"), "mcts:simulations=0,endgame=0,eval=trained:{}", runs="alphazero"
    ),
    "maskable-ppo": Learner(_SB3.format("ppo"), "sb3:{}.zip", "sb3_contrib"),
    "sb3-dqn": Learner(_SB3.format("dqn"), "sb3:{}.zip", "sb3_contrib"),
    "single-file-dqn": Learner("single_file_dqn.py --minutes={minutes}", "mlp:{}.zip", "gymnasium"),
}


def measure(name: str, plan: Plan) -> Iterator[Path]:
    """Run the missing training and evaluation of a learner, and yield the path of each row."""
    learner = LEARNERS[name]
    if learner.needs and find_spec(learner.needs) is None:
        print(f"left out: {name}, whose library {learner.needs} is not installed", flush=True)
        return
    paths = [plan.folder / f"{learner.runs or name}-{seed}" for seed in range(plan.seeds)]
    seconds = [_trained(learner, plan, seed, path) for seed, path in enumerate(paths)]
    minutes = fmean(seconds) / 60
    for share in CURVE:
        kept = [policy for path in paths if (policy := _policy(path, share))]
        if len(kept) == plan.seeds:
            yield _judged(plan, f"{name}@{share}", learner.player, kept, share * minutes)
    last = [_policy(path, 1.0) or path for path in paths]
    yield _judged(plan, name, learner.player, last, minutes)


def _trained(learner: Learner, plan: Plan, seed: int, path: Path) -> float:
    """Train a seed, unless a result is stored. Return the training time in seconds."""
    end = path.with_suffix(".seconds")
    if not end.exists():
        shutil.rmtree(path, ignore_errors=True)
        begin = time.monotonic()
        _call(learner.command(plan, seed, path), path.with_suffix(".log"), plan.cores)
        end.write_text(f"{time.monotonic() - begin:.1f}\n")
    return float(end.read_text())


def _policy(run: Path, share: float) -> Path | None:
    """Return the policy that a run saved after about `share` of its games, or None."""
    kept = {int(path.stem.rpartition("-")[2]): path for path in run.glob("checkpoints/policy-*.safetensors")}
    if not kept:
        return None
    last = max(kept)
    games = min(kept, key=lambda games: abs(games / last - share))
    return kept[games] if abs(games / last - share) <= NEAR else None


def _judged(plan: Plan, name: str, player: str, paths: Sequence[Path], minutes: float) -> Path:
    """Return the file of a learner's row. If the file does not exist, evaluate the seeds first."""
    row = plan.folder / "rows" / f"{name}.json"
    if not (row.exists() and len(json.loads(row.read_text())["agents"]) == plan.seeds):
        agents = [player.format(path) for path in paths]
        judge(row, agents, plan.size, plan.openings, minutes, plan.cores)
    return row


def judge(row: Path, agents: Sequence[str], size: int, openings: str, minutes: float, cores: int) -> None:
    """Evaluate agents (the seeds of one learner) with `othello evaluate`, and write a row."""
    results, log = row.with_suffix(".evaluation.json"), row.with_suffix(".log")
    games = f"--size={size}", *([f"--openings={openings}"] if openings else []), f"--jobs={cores}"
    _call([*OTHELLO, "evaluate", *agents, *games, "--json"], log, cores, results)
    found = json.loads(results.read_text())
    results.unlink()
    first = found[: len(found) // len(agents)]  # the first agent against each opponent
    content = {
        "benchmark": 1,
        "minutes": float(f"{minutes:.4g}"),
        "cores": cores,
        "machine": processor(),
        "versions": versions(),
        "agents": [each["agent"] for each in found[:: len(first)]],
        **{key: first[0][key] for key in GAMES},
        "opponents": {each["opponent"]: each["b"] for each in first},
        "scores": {
            each["opponent"]: [one["score"] for one in found[place :: len(first)]]
            for place, each in enumerate(first)
        },
    }
    row.write_text(json.dumps(content, indent=1) + "\n")


def interquartile_mean(scores: NDArray[np.float64], seed: int = 0) -> Estimate:
    """Return the interquartile mean of the scores, [seeds, opponents], with a bootstrap interval.

    The interval for one seed is infinite. Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep
    reinforcement learning at the edge of the statistical precipice", NeurIPS 2021, sections 4.1 and 4.3, with
    seeds for the paper's runs and opponents for its tasks.
    """
    found = float(middle_mean(scores.ravel()))
    if len(scores) == 1:
        return Estimate(found, Interval(-inf, inf))
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(scores), size=(SAMPLES, *scores.shape))  # [samples, seeds, opponents]
    samples = np.take_along_axis(scores[None], drawn, axis=1)
    low, high = np.percentile(middle_mean(samples.reshape(SAMPLES, -1)), (2.5, 97.5))
    return Estimate(found, Interval(float(low), float(high)))


def middle_mean(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the interquartile mean over the last axis. Each dropped quarter is rounded down."""
    cut, count = scores.shape[-1] // 4, scores.shape[-1]
    middle: NDArray[np.float64] = np.sort(scores, axis=-1)[..., cut : count - cut].mean(axis=-1)
    return middle


@dataclass(frozen=True)
class Row:
    """The scores of the seeds of one learner."""

    name: str
    minutes: float
    cores: int | None
    games: Mapping[str, Any]  # The game settings and opponents, which must be equal in compared rows.
    scores: NDArray[np.float64]  # The scores, 0 to 1, [seeds, opponents].

    @cached_property
    def iqm(self) -> Estimate:
        """The interquartile mean over seeds and opponents."""
        return interquartile_mean(self.scores)


def read_row(path: Path) -> Row:
    """Return the row of a file. The file name before `@` is the learner's name."""
    table = json.loads(path.read_text("utf-8"))
    games = {key: table[key] for key in (*GAMES, "opponents")}
    scores = np.array([table["scores"][name] for name in table["opponents"]], np.float64).T
    if scores.ndim != 2 or not ((scores >= 0) & (scores <= 1)).all():
        raise SystemExit(f"{path}: scores must be lists of one length, of numbers from 0 to 1")
    name = path.stem.partition("@")[0]
    return Row(name, float(table["minutes"] or 0), table["cores"], games, scores)


def draw(paths: Sequence[Path], picture: Path) -> str:
    """Draw the rows, and return a Markdown table with the best learner first."""
    rows = [read_row(path) for path in paths]
    for row in rows:
        if row.games != rows[0].games:
            raise SystemExit(f"{rows[0].name} and {row.name} were judged in different games")
    curves: dict[str, list[Row]] = {row.name: [] for row in rows}
    for row in sorted(rows, key=lambda row: row.minutes):
        curves[row.name].append(row)
    ends = sorted((curve[-1] for curve in curves.values()), key=lambda row: -row.iqm.value)
    looks = {row.name: look(place) for place, row in enumerate(ends)}
    charts = [_ends(ends, looks)]
    if long := [curve for curve in curves.values() if len(curve) > 1]:
        charts.insert(0, _curves(long, looks))
    size = 6.0, max(3.6, 1.5 + 0.4 * len(ends))
    save_both(figure_of("Benchmark", charts, 2, size, STRATIFIED), picture)
    return as_markdown(_table(ends))


def _table(rows: Sequence[Row]) -> Table:
    games, opponents = rows[0].games, list(rows[0].games["opponents"])
    played = 2 * games["openings"] * games["repeat"]
    title = f"Benchmark on {games['size']}x{games['size']}"
    about = f"{played:,} games against each opponent; IQM: interquartile mean, {STRATIFIED}"
    columns: list[Column[Row]] = [
        Column("learner", lambda row: row.name),
        Column("minutes", lambda row: row.minutes, "{:.3g}".format),
        Column("cores", lambda row: row.cores, "{}".format),
        Column("seeds", lambda row: len(row.scores), "{}".format),
        Column("IQM", lambda row: row.iqm.value, "{:.3f}".format),
        Column(
            "95 %",
            lambda row: row.iqm.interval if len(row.scores) > 1 else None,
            "{0.low:.3f}-{0.high:.3f}".format,
        ),
        *(Column(name, partial(_mean, place), "{:.3f}".format) for place, name in enumerate(opponents)),
    ]
    return Table.of(title, columns, rows, about)


def _mean(place: int, row: Row) -> float:
    return float(row.scores[:, place].mean())


def _curves(curves: Sequence[Sequence[Row]], looks: Mapping[str, Look]) -> Chart:
    band, series = has_bands(curves), []
    for rows in curves:
        ends = zip(*(row.iqm.interval for row in rows), strict=True) if band else ()
        minutes, values = [row.minutes for row in rows], [row.iqm.value for row in rows]
        series.append(Series("", minutes, values, looks[rows[0].name], *ends))
    about = "colours as beside; good: up, early"
    return Chart("While they learned", about, "minutes of training", SCORE, series, 0, 1)


def _ends(rows: Sequence[Row], looks: Mapping[str, Look]) -> Chart:
    series = [
        Series("", [line], [mean], looks[row.name], [low], [high], kind="points")
        for line, row in enumerate(rows)
        for mean, (low, high) in [row.iqm]
    ]
    names = [wrapped(row.name, most=2) for row in rows]
    return Chart("At the end", "good: right", "", SCORE, series, 0, 1, names=names, horizontal=True)


def _call(words: Sequence[str], log: Path, cores: int, output: Path | None = None) -> None:
    """Run a command, with stdout in `output` or `log` and stderr in `log`. Raises CalledProcessError."""
    print(time.strftime("%H:%M"), log, flush=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": str(cores)}
    with log.open("w", encoding="utf-8") as errors, (output or log).open("a", encoding="utf-8") as file:
        file.truncate(0)
        done = subprocess.run(words, stdout=file, stderr=errors, env=environment, check=False)  # noqa: S603  a command of ours
    done.check_returncode()


def make(plan: Plan, names: Sequence[str]) -> None:
    """Train and evaluate learners, and write the table, rows and picture into a folder."""
    folder = plan.folder
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    plan.check_folder()
    rows, failed = list[Path](), list[str]()
    for name in names or LEARNERS:
        try:
            rows += measure(name, plan)
        except subprocess.CalledProcessError as error:
            print(f"{name}: status {error.returncode}, see the log above", flush=True)
            failed.append(name)
    if not rows:
        raise SystemExit("no page: every learner failed")
    (folder / "benchmark.md").write_text(draw(rows, folder / "benchmark.png") + "\n", "utf-8")
    print(folder / "benchmark.md")
    if failed:
        raise SystemExit(f"failed, and not on the page: {', '.join(failed)}")


def main() -> None:
    """Make the benchmark, judge agents, or draw rows."""
    parser = argparse.ArgumentParser("benchmark", description="Compare learners after the same training.")
    parser.add_argument("command", choices=("make", "judge", "draw"))
    about = f"make: learners ({', '.join(LEARNERS)}); judge: ROW.json and agents; draw: files of rows"
    parser.add_argument("names", nargs="*", metavar="NAME", help=about)
    parser.add_argument("--size", type=int, default=8, choices=GAMES_A_MINUTE)
    parser.add_argument("--minutes", type=float, default=10, help="training minutes for each seed")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds")
    parser.add_argument("--openings", default="", help="openings for the evaluation (default: all)")
    parser.add_argument("--folder", type=Path, help="folder of the results (default: runs/benchmark-SIZE)")
    parser.add_argument("--output", type=Path, default=Path("benchmark.png"), help="picture (PNG and SVG)")
    options = parser.parse_args()
    names, size, minutes, cores = options.names, options.size, options.minutes, options.cores
    if options.command != "make" and not names:
        parser.error("name the file of a row")
    try:
        if options.command == "draw":
            print(draw([*map(Path, names)], options.output))
        elif options.command == "judge":
            judge(Path(names[0]), names[1:], size, options.openings, minutes, cores)
        elif unknown := {*names} - LEARNERS.keys():
            parser.error(f"there is no learner {', '.join(sorted(unknown))}")
        else:
            folder = (options.folder or Path("runs") / f"benchmark-{size}").resolve()
            make(Plan(folder, size, minutes, cores, options.seeds, options.openings), names)
    except KeyboardInterrupt:
        raise SystemExit("stopped: the same command goes on") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error}; its log is {Path(names[0]).with_suffix('.log')}") from None


if __name__ == "__main__":
    main()
