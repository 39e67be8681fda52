"""`othello play` where it is no game in this terminal: a picture, a browser, a pipe."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.play import command


def test_a_screenshot_shows_the_game_with_its_hints_and_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "play.svg"
    options = ["greedy", "--size=4", "--transcript=b1c1", "--hint=mobility", f"--screenshot={path}"]
    done = CliRunner().invoke(command, options, standalone_mode=False)
    assert done.exception is None
    picture = path.read_text("utf-8")
    assert ">best</text>" in picture.replace("&#160;", "")
    assert "@font-face" not in picture
    assert "cdnjs" not in picture
    assert not any(block in picture for block in "▗▖▝▘█")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--port=8000"], "add --web"),
        (["--web", "--plain"], "leave out --plain"),
        (["no-such-player", "--web"], "no-such-player"),
        (["greedy", "--size=5", "--web"], "must be even"),
    ],
)
def test_what_cannot_be_served_is_told_before_a_browser_comes(options: list[str], complaint: str) -> None:
    done = CliRunner().invoke(command, options)
    assert done.exit_code == 2
    assert complaint in done.output


PLAIN = """
import sys
from contextlib import suppress
from othello_lab.commands.play import command
with suppress(SystemExit):
    command(["greedy", "--size=4", "--plain"], standalone_mode=False)
assert "textual" not in sys.modules
"""


def test_plain_mode_loads_no_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN], input="quit\n", text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
