import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.plan import new_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.game.safe_files import read_bytes
from tests.experiment.lab import posix
from tests.experiment.parts import small

pytestmark = posix


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(20 * 2**30)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


TRAPS = {"sparse": sparse, "endless": endless, "pipe": os.mkfifo}
RUN = "runs/one"
READERS = {
    f"{RUN}/config.json": ("experiment compare one", "watch one", "run --resume one"),
    f"{RUN}/episodes.csv": ("experiment compare one", "report one --games 0"),
    f"{RUN}/evaluations.csv": ("experiment compare one",),
    f"{RUN}/metrics.jsonl": ("experiment compare one",),
    f"{RUN}/checkpoints/policy.safetensors": (f"match {RUN}/checkpoints/policy.safetensors greedy",),
    "options.toml": ("run --config options.toml", "experiment sweep options.toml"),
    **{f"games{suffix}": (f"games games{suffix}",) for suffix in (".ggf", ".wtb", ".txt", ".pgn", ".jsonl")},
    "t.sqlite": ("report t.sqlite",),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_plan(Path("runs"), "one", small(10), 0, AgentPart("random"), EnvironmentPart(4))
    Path(RUN, "checkpoints").mkdir()
    return tmp_path


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_a_trap_is_one_line(name: str, trap: Callable[[Path], None], folder: Path) -> None:
    Path(name).unlink(missing_ok=True)
    trap(Path(name))
    for command in READERS[name]:
        result = CliRunner().invoke(cli, command.split())
        assert isinstance(result.exception, SystemExit), (command, result.exception)
        assert result.exit_code in (1, 2), (command, result.output)
        assert "Traceback" not in result.output
        assert result.output.splitlines()[-1].startswith("Error: "), result.output


def test_a_reader_names_the_file_and_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "large"
    sparse(path)
    with pytest.raises(OSError, match="the file is too large: at most 16 MB are read"):
        read_bytes(path)
    os.truncate(path, 5)
    assert read_bytes(path) == bytes(5)
    with pytest.raises(IsADirectoryError):
        read_bytes(tmp_path)
