"""A full disk, and a run folder that somebody removes: one line that says what is safe and how to go on."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.experiment import command as experiment
from othello_lab.commands.selfplay import command as selfplay
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.monitor import Events
from othello_lab.experiment.run.training.plan import new_plan
from rlglue.types import Action, Observation
from tests.experiment.parts import small

FULL = Path("/dev/full")
RESUME = ["train", "--in-process", "--resume", "one"]


def fill(patch: pytest.MonkeyPatch, name: str) -> None:
    """Have files whose names begin so written to a full disk. Not by a link: who reads it never ends."""
    original = Path.open

    def opened(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:  # noqa: ANN401  as Path.open
        return original(
            FULL if path.name.startswith(name) and mode[0] in "aw" else path, mode, *more, **named
        )

    patch.setattr(Path, "open", opened)


needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    """A run that has not begun: a resume begins it. It saves after 10, 20 and 30 games."""
    monkeypatch.chdir(tmp_path)
    config = small(30, eval_every=15, final_games=0)
    return new_plan(Path("runs"), "one", config, 0, AgentPart("random"), EnvironmentPart(4)).folder


def resume(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(experiment, [*RESUME, *words])
    lines = result.output.splitlines()
    assert "Traceback" not in result.output
    return result.exit_code, lines[-1] if lines else "", result.output


@needs_full
@pytest.mark.parametrize(
    ("full", "named"),
    [
        ("episodes.csv", "episodes.csv"),
        ("evaluations.csv", "evaluations.csv"),
        ("metrics.jsonl", "metrics.jsonl"),
        (".checkpoints.jsonl.tmp", "checkpoints.jsonl"),
    ],
)
def test_a_full_disk_names_the_file_and_what_is_safe_and_the_run_goes_on_later(
    run: RunFolder, full: str, named: str
) -> None:
    assert resume("--episodes", "10")[0] == 0
    with pytest.MonkeyPatch.context() as patch:
        fill(patch, full)
        status, line, _ = resume("--episodes", "30")
    assert status == 1
    said = (
        f"Error: {run.path / named}: No space left on device; the run is safe up to game 10: mend that, then"
    )
    assert line.startswith(said)
    assert line.endswith("experiment train --in-process --resume one")

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
def test_a_disk_that_is_full_when_a_past_self_is_kept_tells_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("othello_lab.agent.selfplay.training.FIRST_PAST", 50)
    fill(monkeypatch, ".past-")
    words = "--size 4 --games 80 --games-at-once 40 --eval-every 0 --opponents past=0.2 --name one"
    result = CliRunner().invoke(selfplay, words.split())
    assert result.exit_code == 1
    line = result.output.splitlines()[-1]
    assert "past-00000050.safetensors could not be written: No space left on device; nothing of the" in line
    assert line.endswith("selfplay --resume one")


@needs_full
def test_a_full_disk_costs_the_plot_only(run: RunFolder) -> None:
    run.plots.mkdir()
    (run.plots / "training.png").symlink_to(FULL)
    status, _, out = resume()
    assert status == 0
    assert "no plot: " in out
    assert "No space left on device; draw it later with: " in out
    assert "experiment plot runs/one" in out


@needs_full
def test_events_that_cannot_be_written_name_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch, "events.out")
    with pytest.raises(OSError, match=r"No space left on device: '.*events\.out\.tfevents"):
        Events(tmp_path)


def test_a_folder_that_is_removed_ends_the_run_and_is_not_made_again(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize("words", [["plot", "one"], ["compare", "one"], RESUME])
def test_a_deeply_nested_config_is_told_in_a_line(run: RunFolder, words: list[str]) -> None:
    run.record.write_text('{"a":' * 50_000)
    result = CliRunner().invoke(experiment, words)
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].startswith(
        "Error: runs/one/config.json cannot be read: it is nested too deeply; put it back"
    )
