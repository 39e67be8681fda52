import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from tests.browser import WINDOWS, Scheme, needs_chromium, opened
from tests.experiment.lab import PATIENCE, posix
from tests.experiment.show.pages.reported import folder_of

pytestmark = [pytest.mark.slow, needs_chromium, posix]

HOSTILE = "<script>alert(1)</script>"
MILLISECONDS = 1000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    metrics = [
        {"episode": done, "time": 10.0 * done, "agent": {"updates": 1, "loss": 1 / done, "epsilon": 0.5}}
        for done in range(1, 300)
    ]
    rows = [f"{done},{HOSTILE},black,100,{done // 4},10,{90 - done // 4}\n" for done in (0, 100, 200)]
    path = tmp_path_factory.mktemp("runs") / "one"
    folder = folder_of(path, 300, metrics, rows, size=6, opponent="random", first="agent")
    begun = {"experiment": {"episodes": 5000}, "sessions": [{}], "task_spec": ""}
    folder.write_config({**folder.config(), **begun, "agent": {"text": "positional"}})
    return folder


@pytest.fixture(scope="module")
def address(folder: RunFolder) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "othello_lab", "watch", str(folder.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    try:
        yield next(word for word in process.stdout.readline().split() if word.startswith("http://127.0.0.1:"))
    finally:
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest) == (0, "")


def test_the_page_shows_the_run_and_asks_nobody_else(browser: Browser, address: str) -> None:
    with opened(browser, address) as run:
        page = run.page
        page.wait_for_selector("#board .square", timeout=PATIENCE * MILLISECONDS)
        assert page.inner_text("#title") == "positional as black against random on 6x6"
        assert " of 5,000 training games" in page.inner_text("#done")
        assert page.locator("#rates polyline").count() == 3
        assert page.locator("#rates .bar").count() == 3
        assert page.locator("#charts section").count() == 2
        assert page.locator("#results tr").count() == 1
        assert HOSTILE in page.inner_text("#results")
        assert page.locator("#board .square").count() == 36
        assert "positional" in page.inner_text("#black")
        page.wait_for_selector("#board text[class^=on-shade]", timeout=PATIENCE * MILLISECONDS)
        assert "points" in page.inner_text("#unit")
        assert not run.complaints
        assert all(url.startswith((address, "data:")) for url in run.requests)


def test_it_follows_the_run_unless_it_is_paused(browser: Browser, address: str, folder: RunFolder) -> None:
    with opened(browser, address) as run, folder:
        page = run.page
        page.wait_for_selector("#rates polyline", timeout=PATIENCE * MILLISECONDS)
        done = page.locator("#done")
        before = int(done.inner_text().split()[0])
        folder.add_episode(Episode(before + 1, Outcome.WIN, 1.0, 30))
        expect(done).to_contain_text(f"{before + 1} of", timeout=PATIENCE * MILLISECONDS)
        page.click("#pause")
        assert page.get_attribute("#pause", "aria-pressed") == "true"
        folder.add_episode(Episode(before + 2, Outcome.WIN, 1.0, 30))
        page.wait_for_timeout(1.5 * MILLISECONDS)
        assert done.inner_text().startswith(f"{before + 1} ")
        page.click("#pause")
        expect(done).to_contain_text(f"{before + 2} of", timeout=PATIENCE * MILLISECONDS)


def test_an_error_stands_there_until_the_state_is_read_again(browser: Browser, address: str) -> None:
    answers: list[tuple[Callable[[Route], None], str]] = [
        (lambda route: route.fulfill(json={"error": "no files"}), "no files"),
        (lambda route: route.abort(), "othello watch has ended"),
    ]
    with opened(browser, address) as run:
        phase, state = run.page.locator("#phase"), "**/state.json"
        run.page.wait_for_selector("#rates polyline", timeout=PATIENCE * MILLISECONDS)
        for answer, says in answers:
            run.page.route(state, answer)
            expect(phase).to_contain_text(says, timeout=PATIENCE * MILLISECONDS)
            run.page.unroute(state)
            expect(phase).not_to_contain_text(says, timeout=PATIENCE * MILLISECONDS)


def test_all_of_the_table_is_seen(browser: Browser, address: str) -> None:
    with opened(browser, address) as run:
        table = run.page.locator("#results-section .box")
        table.wait_for()
        for width in (390, 700, 1024, 1160, 1920):
            run.page.set_viewport_size({"width": width, "height": 900})
            assert table.evaluate("it => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_it_can_be_used_by_everybody(browser: Browser, address: str, width: int, scheme: Scheme) -> None:
    with opened(browser, address, width, scheme) as run:
        run.page.wait_for_selector("#board .square", timeout=PATIENCE * MILLISECONDS)
        run.page.click("#game summary")
        run.page.click("#pause")
        assert not run.is_too_wide
        assert not run.faults()
