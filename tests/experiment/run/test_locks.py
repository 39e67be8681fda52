"""One process a folder: of two runs, resumes or sweeps the second is refused; a kill leaves no lock."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.experiment import command as experiment
from othello_lab.experiment.compare.sweep.folder import SweepFolder
from othello_lab.experiment.compare.sweep.variants import Job, Variant
from othello_lab.experiment.run import lifecycle
from othello_lab.experiment.run.lock import InUseError, held
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from tests.experiment.lab import SMALL, Lab

LONG = ["train", "--in-process", *SMALL, "--agent", "random", "--episodes", "1000000", "--name", "one"]
SWEEP = "seeds = [0]\nsize = 4\nepisodes = 5\nfinal-games = 2\nagent = 'greedy'\n[variants.one]\n"
HOLD = "import sys, time; from othello_lab.experiment.run.lock import held; from pathlib import Path\n"
HOLD += "with held(Path(sys.argv[1])): print('here', flush=True); time.sleep(600)"


def test_a_run_is_resumed_by_nobody_else_while_it_lasts_and_by_anybody_once_it_was_killed(lab: Lab) -> None:
    first = lab.start("experiment", *LONG)
    lab.await_episodes("one", 25)
    before = (lab.run_folder("one") / "config.json").read_bytes()
    status, out = lab.finished(lab.start("othello", "run", "--resume", "one"))
    assert status == 1
    line = out.splitlines()[-1]
    assert line.startswith(f"Error: runs/one is in use by process {first.pid} (")
    assert "--name one" in line
    assert "Traceback" not in out
    assert (lab.run_folder("one") / "config.json").read_bytes() == before
    assert lab.finished(lab.start("experiment", "plot", "one"))[0] == 0  # which only reads

    first.kill()
    first.wait()
    with held(lab.run_folder("one")):
        pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline()
        with pytest.raises(InUseError, match=f"in use by process {other.pid} "), held(tmp_path):
            pass
        other.kill()
    with held(tmp_path):
        pass


def sweep(tmp_path: Path) -> tuple[int, str]:
    (tmp_path / "tiny.toml").write_text(SWEEP)
    result = CliRunner().invoke(
        experiment, ["sweep", str(tmp_path / "tiny.toml"), "--runs-dir", str(tmp_path)]
    )
    return result.exit_code, result.output


def test_a_sweep_is_carried_out_by_one_process(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    with held(tmp_path / "tiny"):
        status, out = sweep(tmp_path)
    assert status == 1
    assert f"Error: {tmp_path / 'tiny'} is in use by process " in out
    assert not list((tmp_path / "tiny").glob("*.json"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"variants": {"one": {"si', "sweep.json cannot be read: "),
        ('{"variants": 3}', "sweep.json is not a sweep's; remove it"),
        ("[" * 100_000, "sweep.json cannot be read: it is nested too deeply; remove it"),
    ],
)
def test_a_spoilt_record_of_a_sweep_is_told_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "sweep.json").write_text(text)
    status, out = sweep(tmp_path)
    assert status == 2
    assert says in out.splitlines()[-1]


def test_half_a_line_of_what_is_finished_is_dropped(tmp_path: Path) -> None:
    for name in ("one-0", "one-1"):
        lifecycle.create(tmp_path / "tiny", name, {})
    finished = tmp_path / "tiny" / "finished.jsonl"
    finished.write_text('{"run": "one-0", "seconds": 2.5}\n[]\n{"run": "one-1", "sec')
    folder = SweepFolder(tmp_path / "tiny")
    assert folder.finished() == {"one-0": 2.5}
    folder.add_finished(Job(Variant("one", {}), 1), 3.14)
    assert folder.finished() == {"one-0": 2.5, "one-1": 3.1}
    assert all(json.loads(line) for line in finished.read_text().splitlines())


@pytest.mark.parametrize("moment", ["write_config", "rename"])
def test_a_kill_while_the_folder_is_made_leaves_its_name_free(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves what is there as it is: nothing of ours runs after it."""

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("othello_lab.experiment.run.lifecycle.shutil.rmtree", lambda *_, **__: None)
        patch.setattr(RunFolder if moment == "write_config" else Path, moment, kill)
        with pytest.raises(Killed):
            lifecycle.create(tmp_path, "one", {"run": "one"})
    with pytest.raises(RunFolderError, match="there is no run"):
        RunFolder.open(tmp_path, "one")
    lifecycle.create(tmp_path, "one", {"run": "one"})
    assert RunFolder.open(tmp_path, "one").config() == {"run": "one"}
    with pytest.raises(RunFolderError, match="exists already"):
        lifecycle.create(tmp_path, "one", {})


@pytest.mark.parametrize(
    ("left", "stays"),
    [
        ((), False),
        (("checkpoints/start.safetensors",), False),
        (("checkpoints/start.safetensors", "checkpoints/episode-00000010.safetensors"), True),
        (("logs/agent.log",), True),
    ],
)
def test_a_new_run_that_never_began_leaves_its_name_free_and_one_that_was_there_stays(
    tmp_path: Path, left: tuple[str, ...], stays: bool
) -> None:
    def hold(folder: RunFolder) -> None:
        with pytest.raises(RunFolderError, match="refused"), lifecycle.held(folder):
            raise RunFolderError("refused")

    new = lifecycle.create(tmp_path, "one", {"run": "one"})
    for name in left:
        (new.path / name).parent.mkdir(exist_ok=True)
        (new.path / name).touch()
    hold(RunFolder.open(tmp_path, "one"))
    assert all((new.path / name).exists() for name in ("config.json", "logs", *left))
    hold(new)
    assert [(new.path / name).exists() for name in ("config.json", *left)] == [stays] * (1 + len(left))
    assert new.path.exists() == stays
