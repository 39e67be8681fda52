import os
import subprocess
import sys
from pathlib import Path

import pytest

from othello_lab.game.kernels.jit import cache_place


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_place(tmp_path) == tmp_path / "__pycache__"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_place(Path("/usr/lib/game")) == tmp_path / ".cache" / "othello-lab"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert cache_place(Path("/usr/lib/game")) == Path("/elsewhere/othello-lab")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/named")
    assert cache_place(tmp_path) == Path("/named")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["games f5d6", "match random greedy"])
def test_without_compiled_code_there_is_one_line(command: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "othello_lab", *command.split()],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    why = "NUMBA_DISABLE_JIT is set, but the rules exist only as compiled code: unset it"
    assert (result.returncode, result.stderr) == (1, f"Error: {why}\n")
