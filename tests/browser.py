import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 120_000  # The longest wait in milliseconds. An idle machine needs only a moment.
Scheme = Literal["light", "dark"]
WINDOWS: tuple[tuple[int, Scheme], ...] = ((1280, "light"), (390, "dark"))

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    def __init__(self, page: Page, url: str) -> None:
        self.page, self.complaints, self.requests = page, list[str](), list[str]()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url)

    @property
    def is_too_wide(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def faults(self) -> list[str]:
        """Return the faults that the accessibility checker axe-core finds."""
        found = Axe().run(self.page).response["violations"]
        return [f"{fault['impact']}: {fault['help']}" for fault in found]


@contextmanager
def opened(browser: Browser, url: str, width: int = 1280, scheme: Scheme = "light") -> Iterator[Opened]:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield Opened(context.new_page(), url)
    context.close()
