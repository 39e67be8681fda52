"""README and docs/ as a site; and their pictures, which one program draws, here from small data."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from scripts import benchmark
from scripts.draw_docs import PICTURES, Desk, draw
from tests.browser import WINDOWS, chromium, needs_chromium, opened

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SHOWN = ("index.html", "players.html", "source/game/board.py.html")
IN_A_BROWSER = ("report.png", "watch.png", "page.png")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@contextmanager
def served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_site_begins_with_the_readme_and_shows_source_that_is_spoken_of(site: Path) -> None:
    assert "<h1" in (site / "index.html").read_text("utf-8")
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


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with pytest.MonkeyPatch.context() as patch:
        # The picture in each run's folder is another than those of docs/.
        patch.setattr("othello_lab.experiment.run.training.launch.plot_run", lambda folder: None)
        patch.setattr(benchmark, "SAMPLES", 50)
        yield Desk(tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("docs"), small=True)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_chromium] * (name in IN_A_BROWSER)) for name in PICTURES]
)
def test_a_picture_is_drawn(desk: Desk, name: str) -> None:
    draw([name], desk)
    begin = b"<svg" if name.endswith(".svg") else b"\x89PNG"
    assert begin in (desk.output / name).read_bytes()[:200]


def test_there_is_no_picture_that_the_program_does_not_draw() -> None:
    in_docs = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")}
    assert in_docs == PICTURES.keys()
    pages = (ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    assert {Path(name).name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)} == in_docs
