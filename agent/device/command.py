"""The command `python -m agent.device`: one piece of a training, and what it prints."""

import argparse
import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from agent.device import state
from agent.device.check import check
from agent.device.evaluation import OPPONENTS
from agent.device.options import given, parser, recipe_of
from agent.device.recipe import Recipe
from agent.device.torch_device import read_device
from agent.device.training import Row, Training

CURVE = "curve.csv"
_COUNTS = ("minutes", "plies", "updates", "plies_per_second", "loss")
_HEAD = [*_COUNTS, *(f"{name}_{colour}" for name in OPPONENTS for colour in ("black", "white"))]


def main(words: Sequence[str]) -> int:
    """Train as the words say; return the exit code. What is wrong is said in one line."""
    arguments = parser().parse_args(words)
    try:
        _do(arguments)
    except (ValueError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped: --resume --out {arguments.out} goes on from the last save", file=sys.stderr)
        return 130
    return 0


def _do(arguments: argparse.Namespace) -> None:
    if not arguments.check:
        _train(arguments)
        return
    device = read_device(arguments.device)
    print(f"{check(device):,} positions of random games: {device} and the processor agree bit for bit")


def _train(arguments: argparse.Namespace) -> None:
    if arguments.out is None:
        raise ValueError("--out DIR: say where the files go")
    if arguments.minutes <= 0 or arguments.points < 1 or arguments.eval_games < 2:
        raise ValueError("--minutes, --points and --eval-games are at least above 0, 1 and 2")
    device, folder = read_device(arguments.device), arguments.out
    recipe = _recipe(arguments, device)
    training = Training(recipe, device, folder, arguments.speed)
    if arguments.resume:
        training.resume()
    _cut_back(folder / CURVE, training.progress.plies)
    print(f"{recipe.size}x{recipe.size}, {recipe.games:,} games at once on {device}", flush=True)
    done = training.run(arguments.minutes, arguments.points, arguments.eval_games, _reporter(folder / CURVE))
    print(f"how: {done}; time: {training.rounds.profile()}")
    print(f"{folder / 'policy.safetensors'} plays; --resume --out {folder} goes on")


def _recipe(arguments: argparse.Namespace, device: torch.device) -> Recipe:
    """Return the recipe of a new training, or of the one in the folder; raises ValueError."""
    options, folder = given(arguments), arguments.out
    if arguments.resume:
        if options:
            wrong = next(iter(options)).replace("_", "-")
            raise ValueError(f"--{wrong}: a resumed training goes on as it was begun")
        return state.load_progress(folder)[0]
    if state.newest(folder) is not None:
        raise ValueError(f"{folder} holds a training: add --resume, or take another folder")
    folder.mkdir(parents=True, exist_ok=True)
    return recipe_of(options, device)


def _cut_back(path: Path, plies: int) -> None:
    """Leave only the rows of the curve that are no later than the state; begin it where there is none."""
    rows = []
    if path.exists() and plies:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if int(row["plies"]) <= plies]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _HEAD, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _reporter(path: Path) -> Callable[[Row], None]:
    def report(row: Row) -> None:
        progress = row.progress
        counts = [f"{progress.minutes:.2f}", progress.plies, progress.updates, f"{row.speed:.0f}"]
        shares = [f"{share:.4f}" for score in row.scores for share in (score.black, score.white)]
        with path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([*counts, f"{row.loss:.5f}", *shares])
        scores = "  ".join(f"{score.opponent} {score.both:.3f}" for score in row.scores)
        print(
            f"{progress.minutes:.2f} min  {progress.plies:,} plies  {row.speed:,.0f} a second  "
            f"loss {row.loss:.4f}  {scores}",
            flush=True,
        )

    return report
