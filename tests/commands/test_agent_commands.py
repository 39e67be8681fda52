import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from tests.commands.test_evaluate import AGENT

pytestmark = pytest.mark.slow
TABULAR = Path(__file__).parents[2] / "examples" / "tabular_agent.py"
LEARNS = shlex.join([sys.executable, str(TABULAR)])
RUN = "--size 4 --episodes 30 --eval-every 10 --eval-games 4 --final-games 0"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))


def call(*words: str, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(cli, words, input=typed)
    assert result.exit_code == code, result.output
    return result.output


def train(name: str, *words: str) -> bytes:
    call("run", *RUN.split(), "--agent", LEARNS, "--name", name, *words)
    return Path(f"runs/{name}/checkpoints/{name}-episode-00000030.json").read_bytes()


def episodes(name: str) -> bytes:
    return Path(f"runs/{name}/episodes.csv").read_bytes()


@pytest.mark.parametrize(
    ("words", "typed", "shows"),
    [
        ("match {} random --size 4 --openings 1", "", "agent:{}"),
        ("tournament {} random --size 4 --openings 1", "", "agent:{}"),
        ("evaluate {} --opponent random --size 4 --openings 1", "", "{} on 4x4"),
        ("evaluate random --opponent {} --size 4 --openings 1", "", "{}"),
        ("play {} --size 4 --plain --colour white", "quit\n", "black ({})"),
        ("play random --size 4 --plain --colour white", "opponent {}\nnew\nquit\n", "play '{}'"),
        ("run --agent {} --size 4 --episodes 2 --eval-every 0 --final-games 0", "", "{} as black"),
    ],
)
def test_a_command_is_an_agent_wherever_a_player_is_named(words: str, typed: str, shows: str) -> None:
    Path("mine.py").write_text(AGENT, "utf-8")
    mine = "python mine.py"
    shown = call(*(word.format(mine) for word in words.split()), typed=typed.format(mine))
    assert shows.format(mine) in shown


def test_a_command_of_a_file_starts_nothing() -> None:
    Path("mine.py").write_text("raise AssertionError('started')", "utf-8")
    Path("class.toml").write_text("players = ['random', 'python mine.py']\nsize = 4\n")
    shown = call("tournament", "--config", "class.toml", code=2)
    assert "class.toml names the program 'python mine.py': a file may not start programs" in shown


def test_the_seed_of_a_run_seeds_a_program_whose_checkpoint_is_evaluated_and_resumed() -> None:
    whole, other = train("whole", "--seed", "3"), train("other", "--seed", "4")
    assert json.loads(whole) != json.loads(other)
    assert episodes("whole") != episodes("other")
    call("run", *RUN.split(), "--agent", LEARNS, "--name", "parts", "--episodes", "20", "--seed", "3")
    refused = call("run", "--resume", "parts", "--episodes", "30", code=2)
    assert f"runs/parts/config.json names the program {LEARNS!r}" in refused
    call("run", "--resume", "parts", "--episodes", "30", "--allow-programs")
    checkpoint = Path("runs/parts/checkpoints/parts-episode-00000030.json")
    assert (checkpoint.read_bytes(), episodes("parts")) == (whole, episodes("whole"))
    against = "--opponent", "positional", "--size", "4", "--openings", "2", "--json", "--allow-programs"
    (found,) = json.loads(call("evaluate", "parts", *against))
    assert found["forfeits"] == {"a": {}, "b": {}}
    played = call("play", "parts", "--plain", "--colour", "white", "--allow-programs", typed="quit\n")
    assert re.search("See it again or play on: .* --allow-programs", played)
    checkpoint.unlink()
    shown = call("match", "parts", "positional", "--size", "4", "--openings", "1", "--allow-programs")
    assert "has not loaded the checkpoint parts-episode-00000030: error: load" in shown
