import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

import pytest
from matplotlib.figure import Figure
from werkzeug.serving import make_server

from othello_lab.experiment.compare.sweep import Sweep, command_of
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.pages.watch import Demonstration, RunPage
from othello_lab.experiment.study.analysis import pictures
from othello_lab.experiment.study.analysis.analysis import Analysis
from scripts import benchmark, draw_docs
from scripts.draw_docs import PICTURES, draw, othello
from tests.browser import WINDOWS, chromium, needs_chromium, opened

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SHOWN = ("index.html", "players.html", "commands.html", "source/game/board.py.html")
SERVED, ALL_FIGURES = draw_docs._served, pictures.figures
IN_A_BROWSER = ("report.png", "watch.png", "page.png")
# `mkdocs build --strict` without colours in the pages of source, which take half of the time.
BUILD = """
import logging, sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
logging.basicConfig(level=logging.WARNING)
config = load_config(strict=True, site_dir=sys.argv[1])
config.hooks["scripts/site_pages.py"].LANGUAGES[".py"] = "text"
config.plugins.on_startup(command="build", dirty=False)
build(config)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@contextmanager
def serving(server: HTTPServer) -> Iterator[str]:
    with server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def served(folder: Path) -> AbstractContextManager[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    return serving(ThreadingHTTPServer(("127.0.0.1", 0), handler))


@contextmanager
def watched(*words: str, state: str = "") -> Iterator[str]:
    """Serve the page of `othello watch` in this process, with quick games. Serve other pages as usual."""
    if words[0] != "watch":
        with SERVED(*words, state=state) as address:
            yield address
        return
    folder = RunFolder(Path(words[1]))
    with Demonstration(folder, pause=0.3) as game:
        page = make_server("127.0.0.1", 0, RunPage(folder, game).site, threaded=True)
        with serving(page) as address:
            yield address


def test_the_site_begins_with_the_readme_and_shows_source_that_is_spoken_of(site: Path) -> None:
    assert "<h1" in (site / "index.html").read_text("utf-8")
    assert "commands.html#othello-watch" in (site / "search" / "search_index.json").read_text("utf-8")
    assert "source/game/board.py.html" in (site / "code.html").read_text("utf-8")
    assert "legal_moves" in (site / "source" / "game" / "board.py.html").read_text("utf-8")


@needs_chromium
def test_pages_fit_ask_nobody_else_and_are_searched(site: Path) -> None:
    with chromium() as browser, served(site) as address:
        for page, (width, scheme) in product(SHOWN, WINDOWS):
            with opened(browser, address + page, width, scheme) as window:
                assert not window.is_too_wide, page
                assert not window.complaints, page
                assert {url for url in window.requests if not url.startswith(address)} == set(), page
        with opened(browser, address + "index.html") as window:
            window.page.keyboard.press("/")
            window.page.keyboard.type("corner-greedy")
            window.page.locator(".md-search-result__item").first.wait_for()
            assert not [url for url in window.requests if not url.startswith(address)]


def sweep_in_process(sweep: Sweep, folder: Path, *_: object) -> int:
    for job in sweep.jobs():
        othello("", *command_of(job, folder))
    return 0


def chances_alone(analysis: Analysis, turn: int) -> list[tuple[str, Callable[[], Figure]]]:
    return [each for each in ALL_FIGURES(analysis, turn) if each[0] == "captures"]


SWEEP = """
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
SMALL = {
    "run": "--size 4 --episodes 4 --eval-every 2 --eval-games 2 --final-games 2",
    "chances": "positional corner-greedy --size 4 --games 4",
    "tournament": "greedy random --size 4 --openings 2",
    "play": "--size 4 --load b1c1 --hint mobility",
    "report": "positional positional --size 4",
    "page": "greedy random --size 4",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    data = tmp_path_factory.mktemp("data")
    (data / "ablation.toml").write_text(SWEEP)
    with pytest.MonkeyPatch.context() as patch:
        # The picture in each run's folder is not a picture of docs/.
        patch.setattr("othello_lab.experiment.run.launch.plot_of", lambda plan, report: None)
        patch.setattr(pictures, "figures", chances_alone)
        patch.setattr(benchmark, "SAMPLES", 50)
        patch.setattr(draw_docs, "_served", watched)
        patch.setattr("othello_lab.experiment.compare.sweep.run_sweep", sweep_in_process)
        patch.setattr("othello_lab.commands.sweep.compare", lambda runs, picture: None)
        patch.setattr(draw_docs, "ARGUMENTS", {**SMALL, "sweep": str(data / "ablation.toml")})
        patch.setattr(draw_docs, "DATA", data)
        patch.setattr(draw_docs, "OUTPUT", tmp_path_factory.mktemp("docs"))
        yield draw_docs.OUTPUT


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_chromium] * (name in IN_A_BROWSER)) for name in PICTURES]
)
def test_a_picture_is_drawn(output: Path, name: str) -> None:
    draw([name])
    begin = b"<svg" if name.endswith(".svg") else b"\x89PNG"
    assert begin in (output / name).read_bytes()[:200]


def test_there_is_no_picture_that_the_program_does_not_draw() -> None:
    in_docs = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")}
    assert in_docs == PICTURES.keys()
    pages = (ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    assert {Path(name).name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)} == in_docs
