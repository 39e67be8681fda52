"""The words of `scripts/setup` while it installs, and when that fails; with a Python that only pretends."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.experiment.lab import posix

ROOT = Path(__file__).parent.parent
PYTHON = """#!/usr/bin/env bash
case "$*" in
    "-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip install "*)
        echo "WARNING: Location 'file:///index/torch/' is ignored: it is neither a file nor a directory." >&2
        [ -z "$BROKEN" ] || { echo "ERROR: No matching distribution found for $BROKEN" >&2; exit 1; } ;;
    "-m othello_lab.game.warm_up") echo "compiling" >&2 ;;
    *"import torch"*) exit 1 ;;
esac
"""
"""Makes an environment of itself, installs with a remark, or not at all."""

pytestmark = posix


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository in which nothing is installed."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "othello_lab").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    (tmp_path / "game").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "game/board.py"):
        (tmp_path / name).touch()
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def set_up(checkout: Path, *then: str, broken: str = "") -> tuple[int, list[str]]:
    environment = {**os.environ, "PYTHON": str(checkout / "python"), "BROKEN": broken}
    script: list[str | Path] = [checkout / "scripts" / "setup", *then]
    ended = subprocess.run(script, capture_output=True, text=True, env=environment, check=False)
    assert ended.stdout == ""
    return ended.returncode, ended.stderr.splitlines()


def test_it_says_what_it_takes_and_what_comes_next_and_nothing_in_between(checkout: Path) -> None:
    status, said = set_up(checkout)
    assert status == 0
    begun, ended = said
    assert "minutes" in begun
    assert "GB of disk" in begun
    assert ended.startswith("setup: done; next: source .venv/bin/activate")
    assert set_up(checkout) == (0, []), "there is nothing left to do"


def test_another_script_says_what_comes_next(checkout: Path) -> None:
    assert set_up(checkout, "othello run")[1][-1] == "setup: done; next: othello run"


def test_rules_that_have_changed_are_compiled_anew(checkout: Path) -> None:
    set_up(checkout)
    (checkout / "game" / "board.py").write_text("changed")
    _, (begun, ended) = set_up(checkout)
    assert begun == "setup: compiling the rules, which have changed: about a minute"
    assert ended.startswith("setup: done")


def test_a_failed_installation_shows_the_error_without_remarks_and_is_tried_again(checkout: Path) -> None:
    status, said = set_up(checkout, broken="torch")
    assert status == 1
    assert said[1] == "ERROR: No matching distribution found for torch"
    assert said[2].startswith("setup: this failed: .venv/bin/python -m pip install")
    assert len(said) == 3
    assert set_up(checkout)[0] == 0
