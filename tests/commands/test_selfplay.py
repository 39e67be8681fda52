import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from tests.agent.table import TABLE, announce

FEW = (
    "--size 4 --games 300 --games-at-once 100 --eval-every 200 --eval-games 4 --final-games 4 "
    "--learner table,rate=0.2 --opponents random=0.3,past=0.2"
)


pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, monkeypatch)


def call(line: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, line.split())
    assert result.exit_code == code, result.output
    return result.output


def checkpoints(name: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path("runs", name, "checkpoints").iterdir()}


def test_what_it_trains_plays_goes_on_and_begins_another_run() -> None:
    answers = call(f"selfplay {FEW} --name one")
    assert "table,rate=0.2 against itself and others on 4x4" in answers
    assert "300 training games in" in answers
    assert "--resume one --games 600" in answers
    assert "othello play one" in answers.replace("./", "")
    assert call("match one random --openings 2").startswith("one ")

    call("selfplay --resume one --games 400")
    call(f"selfplay {FEW.replace('300', '400')} --name two")
    same = ["episode-00000400.safetensors", "policy.safetensors"]
    for name in same:
        assert checkpoints("one")[name] == checkpoints("two")[name], name
    assert Path("runs/one/rounds.csv").read_bytes() == Path("runs/two/rounds.csv").read_bytes()

    agent = LearningAgent(TABLE, {"rate": "0.2"}, 1, 4, Path("runs/one/checkpoints"))
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4)).env_init())
    assert agent.agent_message("load episode-00000400").startswith("message understood")
    assert agent.games == 400
    train = "run --in-process --agent table,rate=0.2 --size 4 --episodes 20 --eval-every 0"
    call(f"{train} --final-games 0 --name three")
    call(f"selfplay {FEW} --from three --name four --games 100")
    call(f"selfplay {FEW} --from runs/one/checkpoints/policy.safetensors --name five --games 100")
    start = Path("runs/five/checkpoints/start.safetensors").read_bytes()
    assert start == checkpoints("one")["policy.safetensors"]
    assert checkpoints("five")["policy.safetensors"] != start


def test_a_sweep_has_runs_of_it() -> None:
    options = "size = 4, games = 20, games-at-once = 10, final-games = 4, eval-every = 0"
    shared = options.replace(", ", "\n") + '\nlearner = "table"\n'
    Path("few.toml").write_text(f"seeds = [3]\n{shared}[variants.a]\n[variants.b]\nlearner = 'tables'\n")
    assert "few.toml, variant b: " in call("experiment sweep few.toml", code=2)


@pytest.mark.drawn
def test_a_run_of_some_time_ends_with_everything() -> None:
    answers = call(f"selfplay {FEW.replace('--games 300 ', '')} --minutes 0.005 --name timed")
    games = json.loads(Path("runs/timed/config.json").read_text())["experiment"]["episodes"]
    assert f"{games:,} training games in 0:0" in answers
    assert "policy.safetensors" in checkpoints("timed")
    assert Path("runs/timed/plots/training.png").stat().st_size > 10_000


def test_a_resumed_run_keeps_what_was_recorded() -> None:
    call(f"selfplay {FEW} --games 100 --name one")
    may_change = "only --games, --minutes, --jobs, --ray may change"
    assert may_change in call("selfplay --resume one --seed 3", code=2)
    assert "go on with othello selfplay --resume" in call("run --resume one", code=2)
