"""Draw the pictures of README and docs/.

    python -m scripts.draw_docs                    # all pictures
    python -m scripts.draw_docs td.png play.svg

Run this script from the root of the repository. The data of the pictures is created once, in runs/docs. The
data of ablation.png takes hours.
"""

import argparse
import asyncio
import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from othello_lab.console.controller import Controller
    from othello_lab.experiment.show.charts import Chart

ROOT: Final = Path(__file__).resolve().parent.parent
_SMALL_RUN: Final = "--size 4 --episodes 4 --eval-every 2 --eval-games 2 --final-games 2"
_SMALL_SWEEP: Final = """
seeds = [0]
[run]
size = 4
episodes = 4
eval-every = 2
eval-games = 2
final-games = 2
[run.agent]
name = "tabular"
[variants.default]
[variants.other]
agent.gamma = 0.9
"""
_TD: Final = "--opponent self --eval-opponent random --episodes 20000 --eval-every 1000 --seed 1"
_GAME: Final = "--load f5d6c3d3c4f4c5b3c2e3d2c6b4a3 --hint search:nodes=3000000"
_TWELVE: Final = (
    "random greedy corner-greedy weights:swh weights:bench positional mobility "
    "alphabeta:depth=2,eval=positional alphabeta:depth=4,eval=positional alphabeta:depth=4,eval=mobility "
    "dqn:pretrained ntuple:pretrained"
)


# The width of a character, which is half its height, and the distance from the top of a line to the baseline,
# in the SVG pictures of textual.
_CHARACTER, _BASELINE = 12.2, 20.0
_WIDE: Final = 1160  # pixels of the window of a run's page


@dataclass(frozen=True)
class Desk:
    """The folders for the data and for the pictures."""

    data: Path
    """The folder of runs, tables and databases, in which missing data is created."""
    output: Path
    small: bool = False
    """Whether to use very short runs and small boards, as tests do."""

    def run(self, name: str, options: str, needed: str = "evaluations.csv") -> Path:
        """Return the folder of a run. If the folder does not have the file `needed`, train the run first."""
        folder = self.data / name
        if not (folder / needed).exists():
            shutil.rmtree(folder, ignore_errors=True)
            small = _SMALL_RUN.split() if self.small else []
            where = ["--name", name, "--runs-dir", str(self.data)]
            othello("run", "--in-process", *options.split(), *small, *where)
        return folder


def othello(*words: str) -> None:
    """Run a command of the lab in this process."""
    from othello_lab.commands.cli import cli

    print("othello", *words, flush=True)
    cli.main(list(words), "othello", standalone_mode=False)


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
        plan = ROOT / "examples" / "sweeps" / "ablation.toml"
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
    who = "positional corner-greedy --size 4 --games 4"
    who = who if desk.small else "ntuple:pretrained corner-greedy --games 2000"
    with TemporaryDirectory() as folder:
        othello("analyse", *who.split(), "--noise", "0.1", "--plots", folder)
        shutil.copy(Path(folder) / "captures.png", desk.output / "chances.png")


def _tournament(desk: Desk) -> None:
    players = ["greedy", "random"] if desk.small else _TWELVE.split()
    how = ["--size", "4", "--openings", "2"] if desk.small else ["--jobs", "2"]
    database = str(desk.data / "twelve.sqlite")
    with TemporaryDirectory() as folder:
        othello("tournament", *players, *how, "--seed", "1", "--database", database, "--plots", folder)
        shutil.copy(Path(folder) / "scores.png", desk.output / "tournament.png")


def _benchmark(size: int, desk: Desk) -> None:
    from scripts.benchmark import draw as draw_benchmark

    rows = sorted((ROOT / f"docs/benchmark/{size}x{size}").glob("*.json"))
    rows = rows[:2] if desk.small else rows
    with TemporaryDirectory() as folder:
        drawn = Path(folder) / f"benchmark-{size}.png"
        draw_benchmark(rows, drawn)
        shutil.copy(drawn, desk.output)


def _play(desk: Desk) -> None:
    from othello_lab.commands.options import parsed
    from othello_lab.commands.play import command
    from othello_lab.commands.seating import Options, new_game

    game = "--size 4 --load b1c1 --hint mobility" if desk.small else _GAME
    with parsed(command, Options, ["--level=5", *game.split()]) as options:
        picture = _screenshot(new_game(options))
    (desk.output / "play.svg").write_text(picture, "utf-8")


def _screenshot(control: "Controller") -> str:
    """Return an SVG picture of the full screen with the values of the legal moves."""
    from othello_lab.console.screen.board_view import BLOCKS
    from othello_lab.console.screen.program import Program

    program = Program(control, pace=0)

    async def draw() -> str:
        async with program.run_test(size=(112, 35)) as pilot:
            control.hints.toggle()
            while control.hints.is_asked:
                await pilot.pause(0.05)
            await pilot.pause()
            return program.export_screenshot(title="othello play")

    try:
        picture = re.sub(r"@font-face \{.*?\}", "", asyncio.run(draw()), flags=re.DOTALL)
    finally:
        control.close()
    place = r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>'
    # Rectangles replace block characters, because fonts leave gaps between block characters.
    picture = re.sub(rf"{place}([{''.join(BLOCKS[1:])}]+)</text>", _as_rectangles, picture)
    return picture.replace("Fira Code, monospace", "monospace")


def _as_rectangles(text: re.Match[str]) -> str:
    from othello_lab.console.screen.board_view import BLOCKS, CORNERS

    style, left, top, blocks = text[1], float(text[2]), float(text[3]) - _BASELINE + 1.5, text[4]
    rectangles = []
    for x, block in zip(count(left, _CHARACTER), blocks, strict=False):
        for bit, (right, down) in enumerate(CORNERS):
            if BLOCKS.index(block) >> bit & 1:
                place = f'x="{x + right * _CHARACTER / 2:.2f}" y="{top + down * _CHARACTER:.2f}"'
                extent = f'width="{_CHARACTER / 2 + 0.1:.2f}" height="{_CHARACTER + 0.1:.2f}"'
                rectangles.append(f'<rect class="{style}" {place} {extent} shape-rendering="crispEdges"/>')
    return "".join(rectangles)


def _faults(desk: Desk) -> None:
    """Draw the results of `python examples/faults.py --csv` for two board sizes."""
    from othello_lab.experiment.show.plots import figure_of

    charts = [_fault_costs(size) for size in (6, 4)]
    foot = "Large: mean and 95 % interval (Student's t over the seeds). Small: each seed."
    figure_of("What a fault costs", charts, 1, (7.0, 3.4), foot).savefig(desk.output / "faults.png", dpi=110)


def _fault_costs(size: int) -> "Chart":
    from othello_lab.experiment.show.charts import Chart, Mark, Series, look, of_training
    from othello_lab.experiment.study.statistics.intervals import mean_of

    with (ROOT / "docs" / f"faults-{size}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    faults = [name for name in dict.fromkeys(row["fault"] for row in rows) if name != "none"]
    labels = {"start": "from the start", "openings": "from openings of up to 8 random plies"}
    series = []
    for place, (column, label) in enumerate(labels.items()):
        scores = {(row["fault"], row["seed"]): float(row[column]) for row in rows}
        seeds = [seed for fault, seed in scores if fault == "none"]
        costs = [[scores["none", seed] - scores[fault, seed] for seed in seeds] for fault in faults]
        at = [number + 0.3 * place - 0.15 for number in range(len(faults))]
        means = [mean_of(cost) for cost in costs]
        low, high = ([getattr(mean.interval, end) for mean in means] for end in ("low", "high"))
        values, points = [mean.value for mean in means], look(place)._replace(dashes="")
        series.append(Series(label, at, values, points, low, high, "points"))
        spread = [x for x in at for _ in seeds]
        series.append(Series("", spread, [cost for own in costs for cost in own], look(place), kind="dots"))
    about = "score without the fault less the score with it, seed by seed"
    zero = [Mark(0.0, "", of_training(1), upright=True)]
    return Chart(f"On {size}x{size}", about, "", "cost", series, names=faults, horizontal=True, marks=zero)


def _report(desk: Desk) -> None:
    size, player = ("4", "positional") if desk.small else ("6", "ntuple:pretrained")
    with TemporaryDirectory() as folder, _window(1000) as page:
        games, html = Path(folder) / "games.jsonl", Path(folder) / "report.html"
        othello("match", player, "positional", "--size", size, "--openings", "1", "--records", str(games))
        othello("report", str(games), "--values", player, "--output", str(html))
        page.goto(html.as_uri())
        for _ in range(2 * int(size)):
            page.click("#forward")
        page.locator("section:has(#viewer)").screenshot(path=desk.output / "report.png")


def _watch(desk: Desk) -> None:
    folder = desk.run("first", "--size 6 --episodes 300", "checkpoints/policy.safetensors")
    with _window(_WIDE) as page, _served("watch", str(folder)) as address:
        page.goto(address)
        page.locator("#rates polyline").first.wait_for()
        page.set_viewport_size({"width": _WIDE, "height": 1150})
        page.screenshot(path=desk.output / "watch.png")


def _page(desk: Desk) -> None:
    players, size = (("greedy", "random"), "4") if desk.small else (("level:6", "level:4"), "8")
    with TemporaryDirectory() as folder, _window(1100) as page:
        games = Path(folder) / "games.jsonl"
        othello("match", *players, "--size", size, "--openings", "1", "--records", str(games))
        with _served("play", "--web", "--load", str(games), state=folder) as address:
            page.goto(address)
            page.locator("#card").wait_for()
            page.keyboard.press("r")
            page.get_by_text("decisions, ").first.wait_for()
            for _ in range(1 if desk.small else 5):
                page.keyboard.press("m")  # the next mistake
                page.wait_for_timeout(500)
            page.screenshot(path=desk.output / "page.png")


@contextmanager
def _served(*words: str, state: str = "") -> Iterator[str]:
    """Run a command that serves a page, and yield its address. `state` is the folder for its files."""
    command = [sys.executable, "-m", "othello_lab", *words]
    environment = {**os.environ, **({"OTHELLO_STATE": state} if state else {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603  ours
        assert process.stdout  # noqa: S101  it is a pipe
        try:
            yield re.findall(r"http://[\d.:]+/", process.stdout.readline())[0]
        finally:
            process.terminate()


@contextmanager
def _window(width: int) -> Iterator["Page"]:
    """Open a page in a headless browser. `width` is in pixels."""
    from tests.browser import chromium, opened

    with chromium() as browser, opened(browser, "about:blank", width) as tab:
        yield tab.page


PICTURES: Final[dict[str, Callable[[Desk], None]]] = {
    "first.png": _first,
    "training.png": _training,
    "ntuple.png": _ntuple,
    "td.png": _td,
    "ablation.png": _ablation,
    "chances.png": _chances,
    "tournament.png": _tournament,
    "faults.png": _faults,
    "benchmark-8.png": partial(_benchmark, 8),
    "benchmark-6.png": partial(_benchmark, 6),
    "play.svg": _play,
    "report.png": _report,
    "watch.png": _watch,
    "page.png": _page,
}
"""The function that draws each picture of the documentation."""


def draw(names: Sequence[str], desk: Desk) -> None:
    """Draw pictures, and create missing data first."""
    desk.data.mkdir(parents=True, exist_ok=True)
    for name in names:
        PICTURES[name](desk)


def main() -> None:
    """Draw the named pictures, or all of them."""
    parser = argparse.ArgumentParser("draw_docs", description="Draw the pictures of README and docs/.")
    parser.add_argument("names", nargs="*", choices=PICTURES, metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--data", type=Path, default=Path("runs") / "docs", help="runs, tables and databases")
    parser.add_argument("--output", type=Path, default=ROOT / "docs", help="folder of the pictures")
    options = parser.parse_args()
    draw(options.names or [*PICTURES], Desk(options.data, options.output))


if __name__ == "__main__":
    main()
