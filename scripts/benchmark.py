"""The benchmark: every learner trained for the same time, judged in the same games, and its page.

    python -m scripts.benchmark                    # 8x8, ten minutes of two cores, five seeds: half a day
    python -m scripts.benchmark --size 6

From the root of the repository. What is done is not done again: after Ctrl-C the same command goes on, and
the run that was stopped begins anew. docs/benchmark.md says what is measured.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
OTHELLO: Final = (sys.executable, "-m", "othello_lab")
GAMES_A_MINUTE: Final = {4: 1500, 6: 900, 8: 445}
"""Of `othello run`, which counts games, on one core; it has work for two."""
CURVE: Final = (0.1, 0.2, 0.5)
"""Shares of the training at which policies are judged too, if one is within NEAR."""
NEAR: Final = 0.03


@dataclass(frozen=True)
class Plan:
    """What is measured, and where it is kept."""

    folder: Path
    size: int
    minutes: float
    cores: int
    seeds: int
    """How many."""
    openings: str
    """Of the evaluations, as `othello evaluate` takes it; "" for all."""

    def check_folder(self) -> None:
        """End if the folder has another plan's results; more or fewer seeds are the same plan."""
        record, own = self.folder / "plan.json", [self.size, self.minutes, self.cores, self.openings]
        if record.exists() and json.loads(record.read_text()) != own:
            raise SystemExit(
                f"{self.folder} has results of other minutes, cores or games: name another --folder"
            )
        record.write_text(json.dumps(own))


@dataclass(frozen=True)
class Learner:
    """A row of the benchmark."""

    train: Callable[[Plan, int, str], Sequence[str]]
    """Returns the command that trains a seed; it leaves what is learned in the folder, under that name."""
    player: str = "{}"
    """What plays it, by the path of a policy that a run kept, or of what an example has saved."""
    needs: str | None = None
    """A module of another library."""
    runs: str = ""
    """The learner whose runs these are, if not its own."""


def _run(plan: Plan, seed: int, name: str) -> Sequence[str]:
    games = max(10, round(plan.minutes * GAMES_A_MINUTE[plan.size] * min(plan.cores, 2)))
    return [*OTHELLO, "run", f"--episodes={games}", *_of_ours(plan, seed, name)]


def _selfplay(learner: str, plan: Plan, seed: int, name: str, *more: str) -> Sequence[str]:
    words = f"--learner={learner}", f"--minutes={plan.minutes}", f"--jobs={plan.cores}"
    return [*OTHELLO, "selfplay", *words, *more, *_of_ours(plan, seed, name)]


def _one_opponent(plan: Plan, seed: int, name: str) -> Sequence[str]:
    """Return the command of ppo with the opponent that the examples have."""
    return _selfplay("ppo", plan, seed, name, "--opponents=corner-greedy=0.99")


def _of_ours(plan: Plan, seed: int, name: str) -> Sequence[str]:
    """Return what all our runs are told: hardly any evaluation, which would take time of the training."""
    where = f"--size={plan.size}", f"--seed={seed}", f"--name={name}", f"--runs-dir={plan.folder}"
    return [*where, "--keep-policies", "--eval-games=2", "--final-games=0", "--no-yardstick"]


def _example(file: str, plan: Plan, seed: int, name: str) -> Sequence[str]:
    words = f"--minutes={plan.minutes}", f"--seed={seed}", f"--size={plan.size}"
    return [sys.executable, str(ROOT / "examples" / file), *words, f"--output={plan.folder / name}.zip"]


LEARNERS: Final[Mapping[str, Learner]] = {
    "dqn-run": Learner(_run),
    **{
        name: Learner(partial(_selfplay, name)) for name in ("dqn", "ntuple", "td", "mcq", "alphazero", "ppo")
    },
    "ppo-one-opponent": Learner(_one_opponent),
    "alphazero-policy": Learner(
        partial(_selfplay, "alphazero"), "mcts:simulations=0,endgame=0,eval=trained:{}", runs="alphazero"
    ),
    "maskable-ppo": Learner(partial(_example, "maskable_ppo.py"), "sb3:{}.zip", "sb3_contrib"),
    "sb3-dqn": Learner(partial(_example, "sb3_dqn.py"), "sb3:{}.zip", "stable_baselines3"),
    "single-file-dqn": Learner(partial(_example, "single_file_dqn.py"), "mlp:{}.zip", "gymnasium"),
    "torchrl-dqn": Learner(partial(_example, "torchrl_dqn.py"), "mlp:{}.zip", "torchrl"),
}


def measure(name: str, plan: Plan) -> Iterator[Path]:
    """Train and judge the seeds of a learner, unless that is done; yield its rows."""
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
    """Return the seconds that the training of a seed took; a file says so when it has come to its end."""
    end = path.with_suffix(".seconds")
    if not end.exists():
        shutil.rmtree(path, ignore_errors=True)
        begin = time.monotonic()
        _call(learner.train(plan, seed, path.name), path.with_suffix(".log"), plan.cores)
        end.write_text(f"{time.monotonic() - begin:.1f}\n")
    return float(end.read_text())


def _policy(run: Path, share: float) -> Path | None:
    """Return the policy that a run kept after about this share of its games; None without one."""
    kept = {int(path.stem.rpartition("-")[2]): path for path in run.glob("checkpoints/policy-*.safetensors")}
    if not kept:
        return None
    last = max(kept)
    games = min(kept, key=lambda games: abs(games / last - share))
    return kept[games] if abs(games / last - share) <= NEAR else None


def _judged(plan: Plan, name: str, player: str, paths: Sequence[Path], minutes: float) -> Path:
    """Return the row of what the seeds of one learner have learned."""
    row = plan.folder / "rows" / f"{name}.json"
    if not (row.exists() and len(json.loads(row.read_text())["agents"]) == plan.seeds):
        row.unlink(missing_ok=True)
        told = f"--benchmark={row}", f"--minutes={minutes:.4g}", f"--cores={plan.cores}"
        games = f"--size={plan.size}", *([f"--openings={plan.openings}"] if plan.openings else [])
        agents = [player.format(path) for path in paths]
        words = [*OTHELLO, "evaluate", *agents, *games, f"--jobs={plan.cores}", *told]
        _call(words, plan.folder / f"{name}.evaluation.log", plan.cores)
    return row


class _FailedError(Exception):
    """A command that failed; the text says which, and its last line."""


def _call(words: Sequence[str], log: Path, cores: int, stderr: int | None = subprocess.STDOUT) -> None:
    """Carry out a command, what it prints in a file; raise _FailedError."""
    print(time.strftime("%H:%M"), log, flush=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": str(cores)}
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(words, stdout=file, stderr=stderr, env=environment, check=False)  # noqa: S603  a command of ours
    if done.returncode:
        said = log.read_text("utf-8", "replace").strip().splitlines() or [""]
        raise _FailedError(f"{log} ends with status {done.returncode}: {said[-1]}")


def main() -> None:
    """Measure what was asked for and make its page: `benchmark.md`, the picture and the table as CSV."""
    parser = argparse.ArgumentParser("benchmark", description="Train and judge every learner for one table.")
    parser.add_argument("names", nargs="*", choices=[[], *LEARNERS], metavar="NAME", help=", ".join(LEARNERS))
    parser.add_argument("--size", type=int, default=8, choices=GAMES_A_MINUTE)
    parser.add_argument("--minutes", type=float, default=10, help="of training of each seed")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    parser.add_argument("--openings", default="", help="of the evaluations, if not all")
    parser.add_argument("--rows", nargs="*", type=Path, default=[], help="files of other people's agents")
    parser.add_argument("--folder", type=Path, help="where all is kept; else runs/benchmark-SIZE")
    said = parser.parse_args()
    folder = (said.folder or Path("runs") / f"benchmark-{said.size}").resolve()
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    plan = Plan(folder, said.size, said.minutes, said.cores, said.seeds, said.openings)
    plan.check_folder()
    try:
        failed = _make(plan, said.names or list(LEARNERS), said.rows)
    except KeyboardInterrupt:
        raise SystemExit("stopped: the same command goes on") from None
    except _FailedError as error:
        raise SystemExit(f"no page: {error}") from None
    if failed:
        raise SystemExit(f"failed, and not on the page: {', '.join(failed)}")


def _make(plan: Plan, names: Sequence[str], rows: Sequence[Path]) -> list[str]:
    """Measure learners and make the page of those that came to their end; return the others."""
    found, failed = [*rows], list[str]()
    for name in names:
        try:
            found += list(measure(name, plan))
        except _FailedError as error:
            print(error, flush=True)
            failed.append(name)
    page = *OTHELLO, "experiment", "benchmark", "--markdown", f"--output={plan.folder / 'benchmark.png'}"
    _call([*page, *map(str, found)], plan.folder / "benchmark.md", plan.cores, stderr=None)
    return failed


if __name__ == "__main__":
    main()
