import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.test_imports import ROOT

# Python imports this code at its start. The code writes at exit which modules the process has loaded.
SITE = """
import atexit, json, os, sys

def loaded():
    return {name: getattr(module, "__file__", None) or "" for name, module in list(sys.modules.items())}

def write():
    role = next((role for role in ("environment", "agent") if f"othello_lab.{role}" in sys.argv[0]), "run")
    with open(os.path.join(os.environ["LOADED"], role), "w") as file:
        json.dump(loaded(), file)

atexit.register(write)
"""
RUN = """
import json, os, sys, sitecustomize
from rlglue.glue import Glue

start = Glue.RL_start

def first_start(glue):
    if not os.path.exists(path := os.path.join(os.environ["LOADED"], "before the first game")):
        with open(path, "w") as file:
            json.dump(sitecustomize.loaded(), file)
    return start(glue)

Glue.RL_start = first_start
from othello_lab.commands.cli import cli
cli.main([*sys.argv[1:]])
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "sitecustomize.py").write_text(SITE)
    variables = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "LOADED": str(folder)}
    words = "run --agent dqn --size 8 --episodes 3 --eval-every 0 --final-games 0 --name one"
    command = [sys.executable, "-c", RUN, *words.split(), "--runs-dir", str(folder / "runs")]
    subprocess.run(command, env=variables, check=True, timeout=200, stdout=subprocess.DEVNULL)
    roles = ("environment", "agent", "run", "before the first game")
    return {role: json.loads((folder / role).read_text()) for role in roles}


def ours(modules: dict[str, str]) -> list[Path]:
    """Return our loaded files, except the file with which `othello run` starts a child."""
    files = {Path(os.path.realpath(file)) for file in modules.values() if os.path.isabs(file)}
    own = [file for file in files if file.is_relative_to(ROOT) and ".venv" not in file.parts]
    return [file for file in own if file.name != "child.py"]


def lines(files: Iterable[Path]) -> int:
    return sum(file.read_bytes().count(b"\n") for file in files)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "most_files", "most_lines"),
    [("environment", 42, 5_000), ("agent", 56, 6_500), ("run", 70, 9_000)],
)
def test_a_process_loads_few_files(
    loaded: dict[str, dict[str, str]], role: str, most_files: int, most_lines: int
) -> None:
    files = ours(loaded[role])
    assert 30 < len(files) <= most_files
    assert 3_000 < lines(files) <= most_lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "not_loaded"),
    [
        (
            "environment",
            "othello_lab.game.search othello_lab.game.solver othello_lab.game.records torch matplotlib",
        ),
        ("environment", "othello_lab.experiment.run othello_lab.agent"),
        (
            "agent",
            "othello_lab.experiment.run othello_lab.agent.selfplay othello_lab.game.records matplotlib",
        ),
        ("before the first game", "numba torch matplotlib othello_lab.game.catalogue"),
        ("before the first game", "othello_lab.agent.learning_agent othello_lab.environment.othello"),
        ("run", "torch"),
    ],
)
def test_a_process_does_not_load_what_it_does_not_need(
    loaded: dict[str, dict[str, str]], role: str, not_loaded: str
) -> None:
    parts = [
        name
        for name in loaded[role]
        for unwanted in not_loaded.split()
        if f"{name}.".startswith(f"{unwanted}.")
    ]
    assert not parts


PAGE = (ROOT / "docs/trio.md").read_text("utf-8")
ROWS: list[Any] = re.findall(r"^\| (\[.*?) \| (\d+) \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("files", "output"), ROWS)
def test_the_page_about_the_trio_knows_how_long_its_files_are(files: str, output: str) -> None:
    paths = [ROOT / "docs" / path for path in re.findall(r"\]\((.*?)\)", files)]
    assert lines(paths) == pytest.approx(int(output), rel=0.1)


def test_the_page_about_the_trio_is_read_in_an_hour() -> None:
    assert len(PAGE.split()) <= 1_200
    assert len(ROWS) > 15
