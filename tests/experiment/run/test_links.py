import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.plan import new_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.game.safe_files import check_no_links, replace
from tests.experiment.lab import posix
from tests.experiment.parts import small

pytestmark = posix
FOLDERS = ("plots", "logs", "checkpoints", "tensorboard")
FILES = (
    *("logs/agent.log", "logs/run.log", "plots/training.png", "metrics.jsonl"),
    *("checkpoints/policy.safetensors", ".lock", ".holder"),
)
# Every command that writes into the folder of a run or a sweep, and what may be a link there.
WRITERS = {
    "run --resume one": (*FOLDERS, *FILES),
    "run --in-process --resume one": (*FOLDERS, *FILES),
    "selfplay --resume own --games 80": (*FOLDERS, *FILES),
    "experiment sweep own.toml": ("logs", "logs/a-0.log", ".holder"),
    "experiment compare --sweep own": ("comparison.png", "comparison.svg"),
    "report own --games 0": ("report.html",),
}

SWEEP = {"size": 4, "games": 40, "learner": "td"}


@pytest.fixture(scope="module")
def selfplay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run, which is also the folder of a sweep with this run."""
    folder = tmp_path_factory.mktemp("runs") / "own"
    words = "selfplay --size 4 --games 40 --games-at-once 20 --eval-every 0 --name own --runs-dir"
    result = CliRunner().invoke(cli, [*words.split(), str(folder.parent)])
    assert result.exit_code == 0, result.output
    shutil.copytree(folder, folder / "a-0")
    (folder / "a-0" / "rounds.csv").unlink()  # the sweep goes on with this run
    (folder / "sweep.json").write_text(json.dumps({"variants": {"a": SWEEP}}))
    return folder


@pytest.fixture
def victims(selfplay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(selfplay, "runs/own")
    new_plan(Path("runs"), "one", small(10), 0, AgentPart("random"), EnvironmentPart(4))
    Path("own.toml").write_text("seeds = [0]\nsize = 4\ngames = 40\nlearner = 'td'\n[variants.a]\n")
    victims = tmp_path / "victims"
    victims.mkdir()
    (victims / "victim").write_text("keep me")
    return victims


def check_unchanged(victims: Path) -> None:
    assert [path.name for path in victims.iterdir()] == ["victim"]
    assert (victims / "victim").read_text() == "keep me"


@pytest.mark.slow
@pytest.mark.parametrize("command", WRITERS)
def test_no_command_writes_through_a_link_in_a_run_folder(command: str, victims: Path) -> None:
    run = Path("runs", "one" if " one" in command else "own")
    for name in WRITERS[command]:
        path = run / name
        aside = path.with_name("aside")
        if was_there := path.exists():
            path.rename(aside)
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(victims if name in FOLDERS else victims / "victim")
        result = CliRunner().invoke(cli, command.split())
        assert result.exception is None or isinstance(result.exception, SystemExit), name
        assert "Traceback" not in result.output
        check_unchanged(victims)
        path.unlink(missing_ok=True)
        if was_there:
            aside.rename(path)


def test_a_link_in_a_folder_is_told_in_a_line(victims: Path) -> None:
    path = Path("runs/one/logs/agent.log")
    path.symlink_to(victims / "victim")
    result = CliRunner().invoke(cli, ["run", "--resume", "one"])
    assert result.exit_code == 1
    why = "this is a link: remove it before writing here"
    assert result.output.splitlines()[-1] == f"Error: {path}: {why}"


@pytest.mark.parametrize("name", ["link", "l[i]*n?k"])
def test_a_file_replaces_links_and_what_kills_left(name: str, victims: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f".{name}other.1.tmp").touch()
    for link in (folder / name, folder / f".{name}.tmp", folder / f".{name}.1234.tmp"):
        link.symlink_to(victims / "victim")
    replace(folder / name, b"new")
    assert {path.name for path in folder.iterdir()} == {name, f".{name}other.1.tmp"}
    assert not (folder / name).is_symlink()
    assert (folder / name).read_bytes() == b"new"
    check_unchanged(victims)


def test_nobody_knows_the_name_of_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list[str]()
    monkeypatch.setattr(Path, "replace", lambda path, target: names.append(path.name))
    for _ in range(2):
        replace(tmp_path / "file", b"new")
    assert names[0] != names[1]
    assert [path.name for path in tmp_path.iterdir()] == names[1:]


def test_only_files_and_folders_pass(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").touch()
    check_no_links(tmp_path)
    (tmp_path / "a" / "b" / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match="this is a link"):
        check_no_links(tmp_path)
