import re
import tomllib
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from othello_lab.commands.cli import COMMANDS
from tests.test_imports import EXCEPTIONS, ROOT, TABLE, name_of

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS: dict[str, Any] = PROJECT["tool"]["setuptools"]
NOT_DATA = (".py", ".pyc", ".nbi", ".nbc")


def is_shipped(path: Path) -> bool:
    """Return whether a package that contains a file has a pattern for the file, so that the wheel has it."""
    patterns = SETUPTOOLS["package-data"]
    return any(
        fnmatch(path.relative_to(parent).as_posix(), pattern)
        for parent in path.parents[:-1]
        for pattern in [*patterns["*"], *patterns.get(name_of(parent), ())]
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


def plain(name: str) -> str:
    """Return the name of a distribution in the form in which every index compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_package_that_is_imported_is_declared() -> None:
    declared = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    names = {plain(re.split(r"[<>=\[]", requirement)[0]) for each in declared for requirement in each}
    beside = {"pandas"}  # optional, and no extra brings it
    found = packages_distributions()
    imported = {module for row in TABLE.values() for module in row.others} - beside
    imported |= {module for _, module in EXCEPTIONS} - TABLE.keys() - {"llvmlite"}  # which is numba's
    assert {
        module for module in imported if not names & {plain(d) for d in found.get(module, [module])}
    } == set()


def test_the_page_of_the_package_leads_nowhere_that_an_index_does_not_have() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    page = run_path(str(ROOT / "setup.py"))["page"](readme)
    relative = r"\]\((?!https?://|#)"
    assert re.search(relative, readme)
    assert not re.search(relative, page)
    assert PROJECT["project"]["dynamic"] == ["readme"]


@pytest.mark.parametrize("method", ["alphazero", "dqn", "ntuple"])
def test_players_says_for_which_boards_a_network_ships(method: str) -> None:
    boards = sorted(path.stem for path in (ROOT / "agent" / method / "pretrained").glob("*.safetensors"))
    page = " ".join((ROOT / "docs" / "players.md").read_text("utf-8").split())
    found = re.search(
        rf"`{method}:pretrained`(?: is)? an? [^`]+? network[^`]*?, for ((?:\d+x\d+|, | and )+)", page
    )
    assert found
    assert re.findall(r"\d+x\d+", found[1]) == boards


def test_every_command_is_tried_with_the_wheel_alone() -> None:
    script = (ROOT / "scripts" / "test-wheel").read_text("utf-8")
    tried = set(re.findall(r"\btry(?:_page|_without \w+)? (\w+)", script))
    every = {name for commands in COMMANDS.values() for name in commands}
    assert every - tried == {"agent", "environment", "glue"}, "but those that `run` starts itself"
