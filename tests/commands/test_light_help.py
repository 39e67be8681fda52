"""What `--help` does without: it answers at once."""

import subprocess
import sys
from pathlib import Path

from tests.commands.test_cli import paths

ROOT = Path(__file__).parent.parent.parent
HELP = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from runpy import run_module
for module, *arguments in map(str.split, sys.argv[1:]):
    sys.argv = [module, *arguments, "--help"]
    with redirect_stdout(StringIO()) as shown:
        try:
            run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            assert not end.code, (module, arguments)
    assert "Usage:" in shown.getvalue(), (module, arguments)
    assert not {"numba", "torch"} & set(sys.modules), (module, arguments)
"""
PARTS = ("agent", "console", "environment", "experiment")
DOORS = (*(f"othello_lab.{part}" for part in PARTS), "rlglue")
"""What `python -m` takes besides othello."""


def test_help_comes_without_the_heavy_libraries() -> None:
    commands = [*DOORS, *(f"othello_lab {' '.join(path)}" for path in paths())]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HELP, *commands],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
