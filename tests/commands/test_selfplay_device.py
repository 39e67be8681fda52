"""`othello selfplay --device`: a run folder as any, whose games torch plays and learns from."""

import json
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from othello_lab.commands.cli import cli

FEW = (
    "--size 4 --games 300 --games-at-once 50 --eval-every 100 --eval-games 4 --final-games 4 "
    "--opponents random=0.3,past=0.2 --no-yardstick"
)
LEARNERS = {
    "compiled": "--learner dqn,hidden=16,epochs=1",
    "torch": "--learner dqn,hidden=16,batch=50,replay=2000 --device cpu",
}


def call(line: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, line.split(), input="quit\n")
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module", autouse=True)
def _runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by compiled code, and one by torch, in one folder."""
    folder = tmp_path_factory.mktemp("both") / "runs"
    for name, learner in LEARNERS.items():
        call(f"selfplay {FEW} {learner} --name {name} --runs-dir {folder}")
    return folder


@pytest.fixture(autouse=True)
def _here(_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_runs.parent)


def test_both_leave_the_same_files() -> None:
    def files(name: str) -> set[str]:
        found = {path.name for path in Path("runs", name).rglob("*")} - {"report.html"}
        return {each for each in found if "tfevents" not in each and "episode" not in each}

    assert files("compiled") == files("torch")
    assert json.loads(Path("runs/torch/config.json").read_text())["selfplay"]["device"] == "cpu"


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("evaluate {} --openings 2", "even with|loses to|beats"),
        ("match {} random --openings 2", "trained:runs/{}/checkpoints/policy"),
        ("report {}", "runs/{}/report.html"),
        ("watch {}", "{}"),
        ("experiment compare {}", "{}"),
        ("play {} --plain", "({})"),
    ],
)
def test_every_command_takes_both(name: str, command: str, said: str) -> None:
    output = call(command.format(name))
    assert any(each.format(name) in output for each in said.split("|"))


def test_both_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for name in LEARNERS:
        assert "training games in" in call(f"selfplay --resume {name} --games 400")
        rows = [line.split(",") for line in Path("runs", name, "rounds.csv").read_text().splitlines()[1:]]
        counted = sum(int(row[3]) for row in rows)
        assert (
            counted
            == int(rows[-1][0])
            == json.loads(Path("runs", name, "config.json").read_text())["experiment"]["episodes"]
        )
        assert 400 <= counted <= 450
    assert "--device: this run has its games played by compiled code" in call(
        "selfplay --resume compiled --games 500 --device cpu", code=2
    )
    assert "--jobs: this is no option for games on a device" in call(
        "selfplay --resume torch --jobs 2", code=2
    )
    assert "cuda: torch sees no CUDA device here" in call("selfplay --resume torch --device cuda", code=2)


def test_a_network_alone_may_be_on_a_device() -> None:
    line = f"selfplay {FEW} --learner alphazero,width=16,simulations=2"
    for name, more in (("there", "--device cpu"), ("here", "")):
        call(f"{line} --name {name} {more}")
    found = [
        Path("runs", name, "checkpoints", "policy.safetensors").read_bytes() for name in ("there", "here")
    ]
    assert found[0] == found[1]
    call("selfplay --resume there --games 350 --device cpu")


def test_at_the_end_it_says_where_the_time_went() -> None:
    said = call(f"selfplay {FEW} {LEARNERS['torch']} --plies 600 --name short".replace("--games 300 ", ""))
    assert said.splitlines()[-1].startswith("Time: network ")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--learner td --device cpu", "--learner: td computes on the processor: leave --device out"),
        ("--learner dqn --device cpu --jobs 2", "--jobs: this is no option for games on a device"),
        ("--learner dqn --device cpu --size 10", "--size: boards on a device are 4x4, 6x6 or 8x8"),
        (
            "--learner dqn --device cpu --opponents greedy=0.1",
            "--opponents: 'greedy' does not play on a device",
        ),
        ("--learner dqn --device gpu", "--device: 'gpu' is no device: expected auto, cpu, cuda or cuda:N"),
        ("--learner dqn --device cuda:3", "--device: cuda:3: the last CUDA device here is cuda:0"),
    ],
)
def test_what_cannot_be_there_is_said_in_a_line(
    line: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    assert complaint in call(f"selfplay {line} --name wrong", code=2).splitlines()[-1]
    assert not Path("runs/wrong").exists()


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
def test_a_folder_of_before_it_made_run_folders_is_told(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("runs/big")
    folder.mkdir(parents=True)
    (folder / "curve.csv").touch()
    result = CliRunner().invoke(cli, command.split())
    said = result.stderr.splitlines()[-1]
    assert result.exit_code == 2
    assert "runs/big is a training of an older `othello selfplay --device` and no run folder: " in said
    assert "play or evaluate trained:runs/big/policy.safetensors" in said
