import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.play import command


@pytest.fixture(autouse=True)
def _no_unfinished_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))


def play(*arguments: str, typed: str = "quit\n") -> str:
    result = CliRunner().invoke(command, arguments, input=typed, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_without_a_name_the_strongest_level_plays() -> None:
    output = play("--size", "4", "--colour", "white")
    assert output.startswith("Against level 10, the strongest; --level 1 is the weakest.\nYou have ")
    assert "level 10 (black) plays " in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "mine"), [("agent", "white"), ("opponent", "black"), ("alternate", "black")]
)
def test_a_run_plays_the_colour_that_it_was_trained_with(here: Path, first: str, mine: str) -> None:
    train = (
        f"run --in-process --agent tabular --size 4 --episodes 2 --final-games 0 --name one --first {first}"
    )
    assert CliRunner().invoke(cli, train.split()).exit_code == 0
    assert f"You have {'○' if mine == 'white' else '●'} ({mine})" in play("one")
    assert "You have ● (black)" in play("one", "--colour", "black")


def test_a_level_plays_and_its_seed_decides_the_game() -> None:
    options = "--size=4", "--colour=white", "--seed=5"
    first = play("--level", "2", *options)
    assert first == play("--level", "2", *options) == play("level:2", *options)
    assert "level 2 (black) plays " in first
    assert "Against" not in first


PLAIN = """
import sys
from contextlib import suppress
from othello_lab.commands.cli import cli
from othello_lab.commands.play import command
with suppress(SystemExit):
    command(["greedy", "--size=4", "--plain", "--hint=greedy"], standalone_mode=False)
assert "textual" not in sys.modules
"""


@pytest.mark.slow
def test_plain_mode_loads_no_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN], input="quit\n", text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "desktop", "opened"), [("", ":0", True), ("--no-open", ":0", False), ("", "", False)]
)
def test_the_page_opens_alone(
    monkeypatch: pytest.MonkeyPatch, options: str, desktop: str, opened: bool
) -> None:
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    monkeypatch.setattr(
        "othello_lab.experiment.show.site.serve", lambda site, port, say: say("http://127.0.0.1:1/")
    )
    monkeypatch.setenv("DISPLAY", desktop)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert CliRunner().invoke(command, ["--web", *options.split()]).exit_code == 0
    assert addresses == ["http://127.0.0.1:1/"] * opened
