"""`othello selfplay --device cuda`: what it makes of its options for the games on a device."""

import re
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from agent.device import command as device_command
from othello.cli import cli


@pytest.fixture
def passed_on(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A machine with a CUDA device, and the words that its command is called with."""
    found: list[list[str]] = []

    def main(words: list[str]) -> int:
        found.append(words)
        return 0

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(device_command, "main", main)
    return found


def call(line: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["selfplay", *line.split()])
    return result.exit_code, result.output


def test_what_is_said_is_passed_on(passed_on: list[list[str]]) -> None:
    line = "--learner dqn,hidden=[64,64],double=false --device cuda --size 6 --minutes 9 --games-at-once 512"
    status, output = call(f"{line} --name big --runs-dir runs")
    assert status == 0
    no_run, go_on = output.splitlines()
    assert no_run == "runs/big is no run folder: play or evaluate trained:runs/big/policy.safetensors"
    assert go_on.endswith("othello selfplay --resume big --device cuda")
    said = "--out runs/big --device cuda --games 512 --minutes 9.0 --size 6 --hidden 64,64 --double false"
    assert passed_on == [said.split()]
    assert call("--resume big --device cuda:0 --runs-dir runs --minutes 3")[0] == 0
    assert passed_on[1] == ["--out", "runs/big", "--device", "cuda:0", "--minutes", "3.0", "--resume"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--learner td --device cuda", "td computes on the processor: leave --device out"),
        ("--learner dqn,frames=4 --device cuda", "dqn on a device has no option 'frames'"),
        ("--learner dqn --device cuda --jobs 2", "--jobs: this is no option for games on a device"),
        ("--learner dqn --device cuda:3", "--device: cuda:3: the last CUDA device here is cuda:0"),
    ],
)
def test_what_cannot_be_there_is_said_in_a_line(
    passed_on: list[list[str]], line: str, complaint: str
) -> None:
    code, output = call(line)
    assert code == 2
    assert complaint in output.splitlines()[-1]
    assert passed_on == []


def test_a_small_training_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, but for the device."""
    monkeypatch.setattr("othello.selfplay_device.is_elsewhere", lambda device: True)
    monkeypatch.setattr("othello.selfplay.is_elsewhere", lambda device: True)
    line = "--learner dqn,hidden=8,replay=2000,batch=8 --device cpu --size 4 --games-at-once 20"
    code, output = call(f"{line} --plies 40 --name a --runs-dir {tmp_path}")
    assert code == 0, output
    assert (tmp_path / "a" / "policy.safetensors").exists()
    assert re.fullmatch("Verdict: (beats|is even with|loses to) .*", output.splitlines()[-1])


def test_it_ends_with_a_verdict_on_its_newest_evaluation(passed_on: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "curve.csv").write_text(
        "minutes,loss,random_black,random_white,greedy_black,greedy_white\n0,1,0.1,0.1,0.1,0.1\n9,1,0.9,1,0.5,0.4\n"
    )
    output = call(f"--learner dqn --device cuda --name big --runs-dir {tmp_path}")[1]
    assert output.splitlines()[-1] == "Verdict: beats random, loses to greedy"


@pytest.mark.parametrize(
    "command",
    [
        "evaluate big",
        "watch big",
        "report big",
        "play big --plain",
        "match runs/big random",
        "tournament big random",
        "experiment compare big",
        "experiment plot runs/big",
        "run --resume big",
        "selfplay --resume big",
    ],
)
def test_its_folder_is_named_by_commands_that_need_a_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("runs/big")
    folder.mkdir(parents=True)
    (folder / "curve.csv").touch()
    result = CliRunner().invoke(cli, command.split())
    said = result.stderr.splitlines()[-1]
    assert result.exit_code == 2
    assert "runs/big is a training of `othello selfplay --device` and no run folder: " in said
    assert "trained:runs/big/policy.safetensors" in said


def test_help_and_page_say_that_it_leaves_only_the_network() -> None:
    said = call("--help")[1]
    page = (Path(__file__).parents[2] / "docs" / "gpu.md").read_text("utf-8")
    for text in (said, page):
        assert "holds only the network" in " ".join(text.split())
