"""README and docs/ as a site."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser import WINDOWS, Scheme, chromium, needs_chromium, opened

ROOT = Path(__file__).parent.parent


class Silent(SimpleHTTPRequestHandler):
    """Says nothing of what it serves."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name that it has there
        """Say nothing."""


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
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder))) as server:
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
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_pages_fit_and_ask_nobody_else(site: Path, width: int, scheme: Scheme) -> None:
    with chromium() as browser, served(site) as address:
        for page in ("index.html", "players.html", "source/game/board.py.html"):
            with opened(browser, address + page, width, scheme) as window:
                assert not window.is_too_wide, page
                assert not window.complaints, page
                assert {url for url in window.requests if not url.startswith(address)} == set(), page


@needs_chromium
def test_a_word_is_found(site: Path) -> None:
    with chromium() as browser, served(site) as address, opened(browser, address + "index.html") as window:
        window.page.keyboard.press("/")
        window.page.keyboard.type("corner-greedy")
        window.page.locator(".md-search-result__item").first.wait_for()
        assert not [url for url in window.requests if not url.startswith(address)]
