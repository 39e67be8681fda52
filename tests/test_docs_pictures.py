"""The pictures of README and docs/: one program draws them all, here from next to nothing."""

import gzip
import re
from pathlib import Path

import pytest

from scripts.desk import Desk
from scripts.draw_docs import PICTURES, draw
from scripts.measured import ARCHIVE, pack, unpack
from tests.browser import needs_chromium

ROOT = Path(__file__).parent.parent
PAGES = ("report.png", "watch.png", "page.png")
"""Of a browser."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("measured"), tmp_path_factory.mktemp("docs"), small=True)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_chromium] * (name in PAGES)) for name in PICTURES]
)
def test_it_is_drawn(desk: Desk, name: str) -> None:
    if name == "faults.png":
        pytest.importorskip("gymnasium")
    draw([name], desk)
    begin = b"<svg" if name.endswith(".svg") else b"\x89PNG"
    assert begin in (desk.output / name).read_bytes()[:200]


def test_an_analysis_is_drawn_from_the_two_tables_that_are_kept(tmp_path: Path) -> None:
    unpack(tmp_path / "kept")
    draw(["chances.png"], Desk(tmp_path / "kept", tmp_path))
    assert (tmp_path / "chances.png").exists()


def test_there_is_no_picture_that_the_program_does_not_draw() -> None:
    in_docs = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")}
    assert in_docs == PICTURES.keys()
    pages = (ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    assert {Path(name).name for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)} == in_docs


def test_what_was_measured_is_kept_as_text_that_says_nothing_of_the_machine(tmp_path: Path) -> None:
    unpack(tmp_path / "data")
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".jsonl", ".csv"}
    assert not [path for path in files if re.search(r'"/|"sessions"', path.read_text("utf-8"))]
    pack(tmp_path / "data", tmp_path / "again.tar.gz")
    again, before = (gzip.decompress(path.read_bytes()) for path in (tmp_path / "again.tar.gz", ARCHIVE))
    assert again == before
