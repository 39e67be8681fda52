"""Draw the pictures of README and docs/.

    python -m scripts.draw_docs                    # all pictures
    python -m scripts.draw_docs td.png play.svg

Run this script from the root of the repository. The script creates the data of the pictures once, in
runs/docs. The data of ablation.png takes hours.
"""

import argparse
import asyncio
import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from othello_lab.experiment.show.charts import Chart

ROOT: Final = Path(__file__).resolve().parent.parent
DATA = Path("runs") / "docs"  # The folder of runs, tables and databases. Missing data is created there.
OUTPUT = ROOT / "docs"
# The arguments of the commands that make the data. Tests use very short runs and small boards.
ARGUMENTS = {
    "run": "",
    "sweep": str(ROOT / "examples" / "sweeps" / "ablation.toml"),
    "chances": "ntuple:pretrained corner-greedy --games 2000",
    "tournament": "random greedy corner-greedy weights:swh weights:bench positional mobility "
    "alphabeta:depth=2,eval=positional alphabeta:depth=4,eval=positional alphabeta:depth=4,eval=mobility "
    "dqn:pretrained ntuple:pretrained --jobs 2",
    "play": "--load f5d6c3d3c4f4c5b3c2e3d2c6b4a3 --hint search:nodes=3000000",
    "report": "ntuple:pretrained positional --size 6",
    "page": "level:6 level:4",
}
_FIRST: Final = "--size 6 --episodes 300"
_LEARNER: Final = "--agent {} --episodes 1500 --eval-games 100"
_TD: Final = (
    "--opponent self --eval-opponent random --episodes 20000 --eval-every 1000 --seed 1 --eval-games 1000 "
    "--final-games 2000 --agent td,lam={},units=tanh,hidden=60"
)
# In textual's SVG pictures: character width (half the height), and distance from line top to baseline.
_CHARACTER, _BASELINE = 12.2, 20.0
_WIDE: Final = 1160  # width in pixels of a window with a game beside the curves


def othello(arguments: str, *more: object) -> None:
    """Run a command of the lab in this process."""
    from othello_lab.commands.cli import cli

    words = [*arguments.split(), *map(str, more)]
    print("othello", *words, flush=True)
    cli.main(words, "othello", standalone_mode=False)


def _trained(name: str, options: str, needed: str = "evaluations.csv") -> Path:
    """Return the folder of a run. If the file `needed` is missing, train the run first."""
    folder = DATA / name
    if not (folder / needed).exists():
        shutil.rmtree(folder, ignore_errors=True)
        othello(f"run --in-process {options} {ARGUMENTS['run']}", "--name", name, "--runs-dir", DATA)
    return folder


def _of_run(name: str, options: str, picture: Path) -> None:
    from othello_lab.experiment.run.run_folder import RunFolder
    from othello_lab.experiment.show.run_picture import figure_of

    figure_of(RunFolder(_trained(name, options))).savefig(picture, dpi=110)


def _of_runs(options: Mapping[str, str], picture: Path) -> None:
    runs = " ".join(str(_trained(name, text)) for name, text in options.items())
    _copied(picture, picture.name, f"experiment compare {runs} --output {{folder}}/{picture.name}")


def _ablation(picture: Path) -> None:
    if not (DATA / "ablation").exists():
        othello("experiment sweep", ARGUMENTS["sweep"], "--runs-dir", DATA)
    compare = f"experiment compare --sweep ablation --runs-dir {DATA}"
    _copied(picture, picture.name, f"{compare} --output {{folder}}/{picture.name}")


def _chances(picture: Path) -> None:
    _copied(picture, "captures.png", f"analyse {ARGUMENTS['chances']} --noise 0.1 --plots {{folder}}")


def _tournament(picture: Path) -> None:
    arguments = f"{ARGUMENTS['tournament']} --seed 1 --database {DATA / 'twelve.sqlite'}"
    _copied(picture, "scores.png", f"tournament {arguments} --plots {{folder}}")


def _copied(picture: Path, name: str, arguments: str) -> None:
    """Run a command that draws several pictures into {folder}, and copy the picture `name`."""
    with TemporaryDirectory() as folder:
        othello(arguments.format(folder=folder))
        shutil.copy(Path(folder) / name, picture)


def _benchmark(size: int, picture: Path) -> None:
    from scripts.benchmark import draw as draw_benchmark

    with TemporaryDirectory() as folder:
        drawn = Path(folder) / picture.name
        draw_benchmark(sorted((ROOT / f"docs/benchmark/{size}x{size}").glob("*.json")), drawn)
        shutil.copy(drawn, picture)


def _play(picture: Path) -> None:
    """Draw an SVG picture of the full-screen program with the values of the legal moves."""
    from othello_lab.commands.options import parsed
    from othello_lab.commands.play import Options, command, new_game
    from othello_lab.console.screen.board_view import BLOCKS
    from othello_lab.console.screen.program import Program

    with parsed(command, Options, ["--level=5", *ARGUMENTS["play"].split()]) as options:
        control = new_game(options)
    program = Program(control, pace=0)

    async def draw() -> str:
        async with program.run_test(size=(112, 35)) as pilot:
            control.hints.toggle()
            while control.hints.is_asked:
                await pilot.pause(0.05)
            await pilot.pause()
            return program.export_screenshot(title="othello play")

    try:
        text = re.sub(r"@font-face \{.*?\}", "", asyncio.run(draw()), flags=re.DOTALL)
    finally:
        control.close()
    place = r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>'
    # Replace block characters by rectangles, because fonts leave gaps between block characters.
    text = re.sub(rf"{place}([{''.join(BLOCKS[1:])}]+)</text>", _as_rectangles, text)
    picture.write_text(text.replace("Fira Code, monospace", "monospace"), "utf-8")


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


def _faults(picture: Path) -> None:
    """Draw the results of `python examples/faults.py --csv` for two board sizes."""
    from othello_lab.experiment.show.plots import figure_of

    charts = [_fault_costs(size) for size in (6, 4)]
    foot = "Large: mean and 95 % interval (Student's t over the seeds). Small: each seed."
    figure_of("What a fault costs", charts, 1, (7.0, 3.4), foot).savefig(picture, dpi=110)


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


def _report(picture: Path) -> None:
    with TemporaryDirectory() as folder, _window(1000) as page:
        games, html = Path(folder) / "games.jsonl", Path(folder) / "report.html"
        othello(f"match {ARGUMENTS['report']} --openings 1 --records", games)
        othello("report", games, "--values", ARGUMENTS["report"].split()[0], "--output", html)
        page.goto(html.as_uri())
        for _ in range(12):
            page.click("#forward")
        page.locator("section:has(#viewer)").screenshot(path=picture)


def _watch(picture: Path) -> None:
    folder = _trained("first", _FIRST, "checkpoints/policy.safetensors")
    with _window(_WIDE) as page, _served("watch", str(folder)) as address:
        page.goto(address)
        page.locator("#board circle:not(.legal)").nth(4).wait_for()  # wait for the first move
        page.locator("#board [class^=on-shade]").first.wait_for()
        page.set_viewport_size({"width": _WIDE, "height": 1150})
        page.screenshot(path=picture)


def _page(picture: Path) -> None:
    with TemporaryDirectory() as folder, _window(1100) as page:
        games = Path(folder) / "games.jsonl"
        othello(f"match {ARGUMENTS['page']} --openings 1 --records", games)
        with _served("play", "--web", "--load", str(games), state=folder) as address:
            page.goto(address)
            page.locator("#card").wait_for()
            page.keyboard.press("r")
            page.get_by_text("decisions, ").first.wait_for()
            for _ in range(5):
                page.keyboard.press("m")  # the next mistake
                page.wait_for_timeout(200)
            page.screenshot(path=picture)


@contextmanager
def _served(*words: str, state: str = "") -> Iterator[str]:
    """Run a command that serves a page, and yield the address. `state` is the folder for saved games."""
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
    """Open a page in a headless browser, `width` pixels wide."""
    from tests.browser import chromium, opened

    with chromium() as browser, opened(browser, "about:blank", width) as tab:
        yield tab.page


# The drawing function of each picture.
PICTURES: Final[dict[str, Callable[[Path], None]]] = {
    "first.png": partial(_of_run, "first", _FIRST),
    "training.png": partial(_of_run, "training", ""),
    "ntuple.png": partial(_of_runs, {name: _LEARNER.format(name) for name in ("ntuple", "dqn")}),
    "td.png": partial(_of_runs, {f"td-{lam}": _TD.format(lam) for lam in ("0", "0.7", "1")}),
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


def draw(names: Sequence[str]) -> None:
    """Create missing data, then draw the pictures."""
    DATA.mkdir(parents=True, exist_ok=True)
    for name in names:
        PICTURES[name](OUTPUT / name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser("draw_docs", description="Draw the pictures of README and docs/.")
    parser.add_argument("names", nargs="*", choices=PICTURES, metavar="NAME", help=", ".join(PICTURES))
    draw(parser.parse_args().names or [*PICTURES])
