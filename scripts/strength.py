"""Strength over processor time of the learners of self-play on 6x6: measured, and as a picture."""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from othello_lab import match
from othello_lab.experiment.show.charts import Chart, Series, look
from othello_lab.experiment.show.plots import figure_of

_OPPONENTS: Final = ("alphabeta:depth=4,eval=positional", "alphabeta:depth=4,eval=mobility")
_POOL: Final = "random=0.05,corner-greedy=0.05,positional=0.1,mobility=0.1,random-weights=0.1"


class Learner(NamedTuple):
    """A learner in training, and the players that come of it."""

    words: str
    """Of the command line."""
    games: int
    every: int
    """Games from one policy that is kept to the next."""
    players: dict[str, str]
    """What a policy plays as, by its name in the picture: registry texts with the file in place of {}."""


LEARNERS: Final = {
    "alphazero": Learner(
        f"alphazero,precision=bfloat16,memory=300000 --jobs 2 --opponents {_POOL} --seed 1",
        500_000,
        100_000,
        {
            "alphazero, 32 simulations": "mcts:simulations=32,eval=trained:{}",
            "alphazero, no search": "mcts:simulations=0,eval=trained:{}",
        },
    ),
    "ntuple": Learner("ntuple --seed 1", 6_000_000, 1_000_000, {"ntuple, one ply": "trained:{}"}),
    "dqn": Learner("dqn --seed 1", 300_000, 50_000, {"dqn, no search": "trained:{}"}),
}
_SMALL: Final = {"ntuple": Learner("ntuple", 1024, 1024, {"ntuple, one ply": "trained:{}"})}


def measure(table: Path, small: bool) -> None:
    """Train every learner, and write a row for each player of each policy that it kept.

    The processor time of a policy is its share, by its games, of what the run took in all its processes.
    """
    rows: list[tuple[str, int, str, str]] = []
    for name, learner in (_SMALL if small else LEARNERS).items():
        with TemporaryDirectory() as data:
            folder, seconds = _train(Path(data), name, learner)
            rows += _rows(folder, learner, seconds, small)
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("player", "games", "minutes", "score"), *rows])


def _train(data: Path, name: str, learner: Learner) -> tuple[Path, float]:
    """Return the folder of a run, and the processor seconds that it took."""
    length = (
        f"--games {learner.games} --save-every {learner.every} --keep-policies --eval-every 0 --final-games 0"
    )
    command = (
        f"selfplay --size 6 --no-yardstick {length} --name {name} --runs-dir {data} --learner {learner.words}"
    )
    print("othello", command, flush=True)
    before = os.times()
    subprocess.run([sys.executable, "-m", "othello_lab", *command.split()], check=True)  # noqa: S603  ours
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return data / name, spent


def _rows(folder: Path, learner: Learner, seconds: float, small: bool) -> Iterator[tuple[str, int, str, str]]:
    """Yield a row for each player of each policy that a run has kept."""
    for policy, games in _policies(folder, learner):
        minutes = f"{seconds * games / learner.games / 60:.2f}"
        for label, text in learner.players.items():
            yield label, games, minutes, f"{_score(text.format(policy), small):.4f}"


def _policies(folder: Path, learner: Learner) -> Iterator[tuple[Path, int]]:
    for path in sorted((folder / "checkpoints").glob("policy-*.safetensors")):
        games = int(path.stem.partition("-")[2])
        if games <= learner.games + learner.every // 2:
            yield path, games


def _score(player: str, small: bool) -> float:
    """Return the mean score of a player against the two searches of four plies."""
    openings = 2 if small else 59
    return mean(match(player, opponent, size=6, openings=openings).score.value for opponent in _OPPONENTS)


def draw(table: Path, picture: Path) -> None:
    """Draw a curve for each player."""
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    series = []
    for place, label in enumerate(dict.fromkeys(row["player"] for row in rows)):
        own = [row for row in rows if row["player"] == label]
        minutes, scores = ([float(row[column]) for row in own] for column in ("minutes", "score"))
        series.append(Series(label, minutes, scores, look(place)))
    chart = Chart(
        "Strength over time on 6x6",
        "mean score against positional and mobility, each searched four plies deep",
        "minutes of one processor spent on training",
        "score",
        series,
        high=1.0,
        percent=True,
    )
    figure_of("", [chart], 1, (7.5, 4.2)).savefig(picture, dpi=110)
