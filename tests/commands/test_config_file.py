import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.agent import command as agent
from othello_lab.commands.cli import cli
from othello_lab.commands.environment import command as environment
from tests.calling import caller
from tests.cases import cases

FILE = """
size = 4
opponent = "random"
first = "alternate"
reward = "1,0,-1"
episodes = 6
eval_every = 3
eval-games = 2
final-games = 3
eval-opponent = ["greedy", "positional"]
seed = 3

[agent]
name = "alphabeta"
depth = 2
eval = { name = "weights", argument = "swh", fade = 1 }
"""
SAME = (
    "--size 4 --opponent random --first alternate --reward 1,0,-1 --episodes 6 --eval-every 3 --eval-games 2 "
    "--final-games 3 --eval-opponent greedy --eval-opponent positional --seed 3 "
    "--agent alphabeta,depth=2,eval=[weights:swh,fade=1]"
)

pytestmark = pytest.mark.usefixtures("here")
train = caller(cli, "run", "--in-process")


def config(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(Path("runs", name, "config.json").read_text())
    assert value.pop("run") == name
    del value["sessions"]  # when and where it ran
    return value


def last_line(result: Result) -> str:
    assert result.exit_code == 2, result.output
    line = result.output.splitlines()[-1]
    assert line.startswith("Error: ")
    return line


@pytest.mark.slow
def test_a_file_and_the_same_command_line_give_the_same_run() -> None:
    Path("a.toml").write_text(FILE)
    assert train("--config", "a.toml", "--name", "file").exit_code == 0
    assert train(*SAME.split(), "--name", "line").exit_code == 0
    assert config("file") == config("line")
    assert config("file")["environment"]["first"] == "alternate"
    assert Path("runs/file/episodes.csv").read_bytes() == Path("runs/line/episodes.csv").read_bytes()


@pytest.mark.slow
def test_the_command_line_wins_over_the_file() -> None:
    Path("a.toml").write_text(FILE)
    arguments = ["--config", "a.toml", "--episodes", "2", "--agent", "greedy", "--eval-opponent", "random"]
    assert train(*arguments, "--name", "one").exit_code == 0
    recorded = config("one")
    assert recorded["experiment"]["episodes"] == 2
    assert recorded["experiment"]["eval_opponent"] == ["random"]
    assert recorded["agent"] == {"text": "greedy"}
    assert recorded["seed"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        *cases("config_files_refused"),
        pytest.param("a = " + "[" * 100_000, "a.toml is no TOML file: it is nested too deeply", id="nested"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_a_line(text: str, says: str) -> None:
    Path("a.toml").write_text(text)
    assert says in last_line(train("--config", "a.toml"))
    assert not Path("runs").exists()


@pytest.mark.parametrize("path", ["missing.toml", "."])
def test_a_file_that_cannot_be_read_is_named(path: str) -> None:
    assert f"{path} cannot be read: " in last_line(train("--config", path))


@pytest.mark.parametrize("command", [agent, environment])
def test_a_file_wins_over_the_environment(command: click.Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLGLUE_PORT", "2")
    Path("a.toml").write_text("port = 1\nconnect-timeout = 0.01")
    result = CliRunner().invoke(command, ["--config", "a.toml"])
    assert "no server at 127.0.0.1:1 within" in result.output


def test_the_agents_own_command_takes_the_same_table() -> None:
    Path("a.toml").write_text("[agent]\nname = 'greedy'\nspeed = 7")
    assert "agent in a.toml: greedy has no option 'speed'" in last_line(
        CliRunner().invoke(agent, ["--config", "a.toml"])
    )
    wrong = CliRunner().invoke(agent, ["nobody", "--config", "a.toml"])
    assert "AGENT: there is no player, run or checkpoint 'nobody'" in last_line(wrong)
