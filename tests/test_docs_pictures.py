"""The pictures of README and docs/: one program draws them all, here from small data."""

import re
from pathlib import Path

import pytest

from scripts.draw_docs import PICTURES, Desk, draw
from tests.browser import needs_chromium

ROOT = Path(__file__).parent.parent
PAGES = ("report.png", "watch.png", "page.png")
"""Taken in a browser."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("docs"), small=True)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_chromium] * (name in PAGES)) for name in PICTURES]
)
def test_it_is_drawn(desk: Desk, name: str) -> None:
    draw([name], desk)
    begin = b"<svg" if name.endswith(".svg") else b"\x89PNG"
    assert begin in (desk.output / name).read_bytes()[:200]


def test_there_is_no_picture_that_the_program_does_not_draw() -> None:
    in_docs = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")}
    assert in_docs == PICTURES.keys()
    pages = (ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    assert {Path(name).name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)} == in_docs
