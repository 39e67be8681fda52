"""Where compiled code is kept."""

import os
from pathlib import Path

import pytest

from othello_lab.game.kernels.jit import cache_place


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


def test_beside_the_package(tmp_path: Path) -> None:
    assert cache_place(tmp_path) == tmp_path / "__pycache__"


def test_in_the_users_folder_where_the_package_is_another_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_place(Path("/usr/lib/game")) == tmp_path / ".cache" / "othello-lab"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert cache_place(Path("/usr/lib/game")) == Path("/elsewhere/othello-lab")


def test_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/named")
    assert cache_place(tmp_path) == Path("/named")
