"""The pictures of README and docs/: what is measured for each of them, and how they are drawn.

    python -m scripts.draw_docs                    # all that needs no measuring
    python -m scripts.draw_docs td.png             # this one, measured first if need be

From the root of the repository. What was measured, but for databases and policies, is kept in
scripts/measured.tar.gz: so they are drawn anew within minutes when a plot has changed, with the same numbers.
What is measured now is put there too.
"""

import argparse
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from scripts import browser_pictures, fault_costs, strength
from scripts.desk import Desk, othello
from scripts.measured import pack, unpack

ROOT: Final = Path(__file__).resolve().parent.parent
_SMALL_SWEEP: Final = """
seeds = [0]
[run]
size = 4
episodes = 10
final-games = 4
[run.agent]
name = "tabular"
[variants.default]
[variants.other]
agent.gamma = 0.9
"""
_TD: Final = "--opponent self --eval-opponent random --episodes 20000 --eval-every 1000 --seed 1"
_GAME: Final = "--transcript f5d6c3d3c4f4c5b3c2e3d2c6b4a3 --hint search:nodes=3000000"
_TWELVE: Final = (
    "random greedy corner-greedy weights:swh weights:bench positional mobility "
    "alphabeta:depth=2,eval=positional alphabeta:depth=4,eval=positional alphabeta:depth=4,eval=mobility "
    "dqn:pretrained ntuple:pretrained"
)


def _first(desk: Desk) -> None:
    _draw_run(desk.run("first", "--size 6 --episodes 300"), desk.output / "first.png")


def _training(desk: Desk) -> None:
    _draw_run(desk.run("training", ""), desk.output / "training.png")


def _draw_run(folder: Path, picture: Path) -> None:
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.run_picture import figure_of

    figure_of(RunFolder(folder)).savefig(picture, dpi=110)


def _ntuple(desk: Desk) -> None:
    runs = [desk.run(name, f"--agent {name} --episodes 1500 --eval-games 100") for name in ("ntuple", "dqn")]
    _compare(desk, "ntuple", *map(str, runs))


def _td(desk: Desk) -> None:
    games = "--eval-games 1000 --final-games 2000"
    runs = [
        desk.run(f"td-{lam}", f"{_TD} {games} --agent td,lam={lam},units=tanh,hidden=60")
        for lam in ("0", "0.7", "1")
    ]
    _compare(desk, "td", *map(str, runs))


def _ablation(desk: Desk) -> None:
    if not (desk.data / "ablation").exists():
        plan = ROOT / "sweeps" / "ablation.toml"
        if desk.small:
            plan = desk.data / plan.name
            plan.write_text(_SMALL_SWEEP)
        othello("experiment", "sweep", str(plan), "--runs-dir", str(desk.data))
    _compare(desk, "ablation", "--sweep", "ablation")


def _compare(desk: Desk, name: str, *what: str) -> None:
    with TemporaryDirectory() as folder:
        made = Path(folder) / f"{name}.png"
        othello("experiment", "compare", *what, "--runs-dir", str(desk.data), "--output", str(made))
        shutil.copy(made, desk.output)


def _chances(desk: Desk) -> None:
    from othello_lab.experiment.show.plots import save
    from othello_lab.experiment.study.analysis.draw import chances
    from othello_lab.experiment.study.analysis.findings import read

    tables = desk.data / "chances"
    if not tables.exists():
        who = "positional corner-greedy --size 4 --games 20"
        who = who if desk.small else "ntuple:pretrained corner-greedy --games 2000"
        othello("analyse", *who.split(), "--noise", "0.1", "--csv", str(tables))
    save(chances(read(tables, ("captures", "delays"))), desk.output / "chances.png")


def _tournament(desk: Desk) -> None:
    players = ["greedy", "random"] if desk.small else _TWELVE.split()
    how = ["--size", "4", "--openings", "2"] if desk.small else ["--jobs", "2"]
    database = str(desk.data / "twelve.sqlite")
    with TemporaryDirectory() as folder:
        othello("tournament", *players, *how, "--seed", "1", "--database", database, "--plots", folder)
        shutil.copy(Path(folder) / "scores.png", desk.output / "tournament.png")


def _strength(desk: Desk) -> None:
    table = desk.data / "strength.csv"
    if not table.exists():
        strength.measure(table, desk.small)
    strength.draw(table, desk.output / "strength.png")


def _benchmark(size: int, desk: Desk) -> None:
    """Draw the rows of a size that are published, beside which the command writes two files more."""
    rows = sorted((ROOT / f"docs/benchmark/{size}x{size}").glob("*.json"))
    with TemporaryDirectory() as folder:
        drawn = Path(folder) / f"benchmark-{size}.png"
        othello("experiment", "benchmark", *map(str, rows), "--output", str(drawn))
        shutil.copy(drawn, desk.output)


def _play(desk: Desk) -> None:
    game = "--size 4 --transcript b1c1 --hint mobility" if desk.small else _GAME
    othello("play", "--level", "5", *game.split(), "--screenshot", str(desk.output / "play.svg"))


class Picture(NamedTuple):
    """One of the documentation."""

    draw: Callable[[Desk], None]
    needs: tuple[str, ...]
    """What must have been measured; if it was not, a minute for `first`, hours for `strength`."""


PICTURES: Final = {
    "first.png": Picture(_first, ("first",)),
    "training.png": Picture(_training, ("training",)),
    "ntuple.png": Picture(_ntuple, ("ntuple", "dqn")),
    "td.png": Picture(_td, ("td-0", "td-0.7", "td-1")),
    "ablation.png": Picture(_ablation, ("ablation",)),
    "chances.png": Picture(_chances, ("chances",)),
    "tournament.png": Picture(_tournament, ("twelve.sqlite",)),
    "strength.png": Picture(_strength, ("strength.csv",)),
    "faults.png": Picture(
        lambda desk: fault_costs.draw(desk.data, desk.output / "faults.png", desk.small),
        ("faults-6.csv", "faults-4.csv"),
    ),
    "benchmark-8.png": Picture(partial(_benchmark, 8), ()),
    "benchmark-6.png": Picture(partial(_benchmark, 6), ()),
    "play.svg": Picture(_play, ()),
    "report.png": Picture(browser_pictures.report, ()),
    "watch.png": Picture(browser_pictures.watch, ("first/checkpoints/policy.safetensors",)),
    "page.png": Picture(browser_pictures.page, ()),
}


def draw(names: Sequence[str], desk: Desk) -> None:
    """Draw pictures, measuring what is not measured yet."""
    desk.data.mkdir(parents=True, exist_ok=True)
    for name in names:
        PICTURES[name].draw(desk)


def main() -> None:
    """Draw what was asked for, or all that needs no measuring."""
    parser = argparse.ArgumentParser("draw_docs", description="Draw the pictures of README and docs/.")
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES], metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--data", type=Path, default=Path("runs") / "docs", help="what was measured")
    parser.add_argument("--output", type=Path, default=ROOT / "docs", help="where pictures go")
    wishes = parser.parse_args()
    desk = Desk(wishes.data, wishes.output)
    unpack(desk.data)
    known = [name for name, it in PICTURES.items() if all((desk.data / each).exists() for each in it.needs)]
    draw(wishes.names or known, desk)
    pack(desk.data)
    if not wishes.names and (others := [name for name in PICTURES if name not in known]):
        print("left as they are, since not measured:", *others, "(name one to measure and draw it)")


if __name__ == "__main__":
    main()
