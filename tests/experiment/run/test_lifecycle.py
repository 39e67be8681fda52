import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.cli import cli
from othello_lab.commands.report import command as report
from othello_lab.commands.selfplay import command as selfplay
from othello_lab.experiment.run import plan
from othello_lab.experiment.run.lock import InUseError, held
from othello_lab.experiment.run.monitor import Events
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from rlglue.types import Action, Observation
from tests.experiment.parts import small

SWEEP = "seeds = [0]\nsize = 4\nepisodes = 5\nfinal-games = 2\nagent = 'greedy'\n[variants.one]\n"
HOLD = "import sys, time; from othello_lab.experiment.run.lock import held; from pathlib import Path\n"
HOLD += "with held(Path(sys.argv[1])): print('here', flush=True); time.sleep(600)"
FULL = Path("/dev/full")
RESUME = ["run", "--in-process", "--resume", "one"]


def fill(patch: pytest.MonkeyPatch, name: str) -> None:
    """Write files with this prefix to a full disk. A link would not do, because a reader never ends."""
    original = Path.open

    def opened(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:  # noqa: ANN401  as Path.open
        if path.name.startswith(name) and mode[0] in "awx":
            return original(FULL, mode.replace("x", "w"), *more, **named)
        return original(path, mode, *more, **named)

    patch.setattr(Path, "open", opened)


needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    monkeypatch.chdir(tmp_path)
    config = small(30, eval_every=15, final_games=0)
    return plan.new_plan(Path("runs"), "one", config, 0, AgentPart("random"), EnvironmentPart(4)).folder


def resume(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [*RESUME, *words])
    lines = result.output.splitlines()
    assert "Traceback" not in result.output
    return result.exit_code, lines[-1] if lines else "", result.output


def test_a_run_in_use_is_read_but_not_resumed(run: RunFolder) -> None:
    assert resume("--episodes", "10")[0] == 0
    before = run.record.read_bytes()
    with held(run.path):
        status, line, _ = resume()
        assert status == 1
        assert line.startswith(f"Error: runs/one is in use by process {os.getpid()} (")
        assert run.record.read_bytes() == before
        assert CliRunner().invoke(report, ["one", "--games", "0"]).exit_code == 0


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
        cli, ["experiment", "sweep", str(tmp_path / "tiny.toml"), "--runs-dir", str(tmp_path)]
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


@pytest.mark.parametrize("moment", ["write_config", "rename"])
def test_a_kill_at_the_start_leaves_the_name_free(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves the folder as it is, because no code of ours runs after it."""

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("othello_lab.experiment.run.plan.shutil.rmtree", lambda *_, **__: None)
        patch.setattr(RunFolder if moment == "write_config" else Path, moment, kill)
        with pytest.raises(Killed):
            plan.create(tmp_path, "one", {"run": "one"})
    with pytest.raises(RunFolderError, match="there is no run"):
        RunFolder.open(tmp_path, "one")
    plan.create(tmp_path, "one", {"run": "one"})
    assert RunFolder.open(tmp_path, "one").config() == {"run": "one"}
    with pytest.raises(RunFolderError, match="exists already"):
        plan.create(tmp_path, "one", {})


@pytest.mark.parametrize(
    ("left", "stays"),
    [
        ((), False),
        (("checkpoints/start.safetensors",), False),
        (("checkpoints/start.safetensors", "checkpoints/episode-00000010.safetensors"), True),
        (("logs/agent.log",), True),
    ],
)
def test_a_run_that_never_began_frees_its_name(tmp_path: Path, left: tuple[str, ...], stays: bool) -> None:
    def hold(folder: RunFolder, is_new: bool = False) -> None:
        with pytest.raises(RunFolderError, match="refused"), plan.held(folder, is_new):
            raise RunFolderError("refused")

    new = plan.create(tmp_path, "one", {"run": "one"})
    for name in left:
        (new.path / name).parent.mkdir(exist_ok=True)
        (new.path / name).touch()
    hold(RunFolder.open(tmp_path, "one"))
    assert all((new.path / name).exists() for name in ("config.json", "logs", *left))
    hold(new, is_new=True)
    assert [(new.path / name).exists() for name in ("config.json", *left)] == [stays] * (1 + len(left))
    assert new.path.exists() == stays


@needs_full
@pytest.mark.parametrize(
    ("full", "named"),
    [
        ("episodes.csv", "episodes.csv"),
        ("evaluations.csv", "evaluations.csv"),
        ("metrics.jsonl", "metrics.jsonl"),
        (".checkpoints.jsonl.", "checkpoints.jsonl"),
    ],
)
def test_a_full_disk_is_told_and_the_run_goes_on_later(run: RunFolder, full: str, named: str) -> None:
    assert resume("--episodes", "10")[0] == 0
    with pytest.MonkeyPatch.context() as patch:
        fill(patch, full)
        status, line, _ = resume("--episodes", "30")
    assert status == 1
    safe = "No space left on device; the run is safe up to game 10; go on with: "
    assert line.startswith(f"Error: {run.path / named}: {safe}")
    assert line.endswith("run --in-process --resume one")

    status, line, out = resume("--episodes", "30")
    assert status == 0, out
    assert [episode.index for episode in run.episodes()] == list(range(1, 31))


@needs_full
def test_a_disk_that_is_full_at_once_lets_the_run_begin_later(run: RunFolder) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fill(patch, ".config.json")
        status, line, _ = resume()
    assert status == 1
    assert line.startswith(f"Error: {run.record}: No space left on device; the run had not begun: mend that")
    assert resume()[0] == 0


@needs_full
def test_a_full_disk_when_a_past_self_is_kept_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_lab.agent.selfplay.training.FIRST_PAST", 50)
    fill(monkeypatch, ".past-")
    words = "--size 4 --games 80 --games-at-once 40 --eval-every 0 --opponents past=0.2 --name one"
    result = CliRunner().invoke(selfplay, words.split())
    assert result.exit_code == 1
    line = result.output.splitlines()[-1]
    assert "past-00000050.safetensors could not be written: No space left on device; nothing of the" in line
    assert line.endswith("selfplay --resume one")


@pytest.mark.slow
@needs_full
@pytest.mark.drawn
def test_a_full_disk_costs_the_plot_only(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(monkeypatch, ".training.png")
    status, _, out = resume()
    assert status == 0
    assert "no plot: " in out
    assert "No space left on device; see the curves with: " in out
    assert "report runs/one" in out


@needs_full
def test_events_that_cannot_be_written_name_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(monkeypatch, "events.out")
    with pytest.raises(OSError, match=r"No space left on device: '.*events\.out\.tfevents"):
        Events(tmp_path)


def test_a_folder_that_is_removed_ends_the_run(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    start, games = PlayerAgent.agent_start, iter(range(1000))

    def remove_at_17(agent: PlayerAgent, observation: Observation) -> Action:
        if next(games) == 17:
            shutil.rmtree(run.path)
        return start(agent, observation)

    monkeypatch.setattr(PlayerAgent, "agent_start", remove_at_17)
    status, line, _ = resume()
    assert status == 1
    assert line == "Error: runs/one has gone while the run went on, and its results with it: start a new run"
    assert not run.path.exists()
