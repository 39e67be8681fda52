"""What is shipped: nothing that the packages need stays behind."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from othello.cli import COMMANDS
from tests.test_imports import ROOT, TABLE

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS: dict[str, Any] = PROJECT["tool"]["setuptools"]
NOT_DATA = (".py", ".pyc", ".nbi", ".nbc")
"""Code, and what is compiled of it."""


def is_shipped(path: Path) -> bool:
    """Whether a pattern of a package that is above the file takes it into the wheel."""
    patterns = SETUPTOOLS["package-data"]
    return any(
        fnmatch(path.relative_to(parent).as_posix(), pattern)
        for parent in path.parents
        for pattern in [*patterns["*"], *patterns.get(".".join(parent.parts), ())]
    )


@pytest.mark.parametrize("package", TABLE)
def test_every_file_beside_the_code_is_in_the_wheel(package: str) -> None:
    files = [path.relative_to(ROOT) for path in (ROOT / package).rglob("*.*") if path.is_file()]
    data = [path for path in files if path.suffix not in NOT_DATA]
    assert [str(path) for path in data if not is_shipped(path)] == []


@pytest.mark.parametrize("key", ["version", "license"])
def test_the_citation_says_what_the_package_says(key: str) -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(rf"^{key}: (.*)$", text, re.MULTILINE) == [PROJECT["project"][key]]


def test_the_newest_section_of_the_changes_is_that_of_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.findall(r"^## (\S+),", text, re.MULTILINE)[0]
    assert newest == PROJECT["project"]["version"]


def test_all_has_every_extra_but_the_tools() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras["all"] == [f"othello-lab[{','.join(sorted(extras.keys() - {'all', 'dev'}))}]"]


def test_every_command_is_tried_with_the_wheel_alone() -> None:
    script = (ROOT / "scripts" / "test-wheel").read_text("utf-8")
    tried = set(re.findall(r"\btry(?:_without \w+)? (\w+)", script))
    every = {name for commands in COMMANDS.values() for name in commands}
    assert every - tried == {"agent", "environment", "glue"}, "but those that `run` starts itself"
