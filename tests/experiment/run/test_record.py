import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.run import command as run
from othello_lab.experiment.run.plan import new_plan, resumed_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, derive
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError, RunState, state_of
from othello_lab.experiment.workers import versions
from othello_lab.experiment.workers.trio import environment_command
from tests.experiment.parts import small

TEXT = AgentPart("random")
OWN = EnvironmentPart(4, "random")
MARKS = "from pathlib import Path; Path('marked').touch(); raise SystemExit('no such thing')"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)
    Path("mark.py").write_text(MARKS)


def recorded(agent: AgentPart = TEXT, environment: EnvironmentPart = OWN, **config: Any) -> RunFolder:  # noqa: ANN401
    counts = small(final_games=0, **config)
    return new_plan(Path("runs"), "one", counts, 0, agent, environment).folder


def resume(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(run, ["--resume", "one", *arguments])
    return result.exit_code, result.output


MARK = f"{sys.executable} mark.py"


@pytest.mark.parametrize(
    ("agent", "environment", "opponents"),
    [
        (AgentPart(command=MARK), OWN, ()),
        (TEXT, EnvironmentPart(command=MARK), ()),
        (AgentPart(f"engine:{MARK}"), OWN, ()),
        (TEXT, EnvironmentPart(4, f"engine:{MARK}"), ()),
        (TEXT, OWN, ["random", f"engine:{MARK}"]),
    ],
)
def test_resume_starts_nothing(agent: AgentPart, environment: EnvironmentPart, opponents: list[str]) -> None:
    recorded(agent, environment, eval_opponent=opponents)
    status, out = resume()
    assert status == 2
    last = out.splitlines()[-1]
    assert "runs/one/config.json names the program '" in last
    assert f"{MARK}': a file may not start programs; add --allow-programs if you trust it" in last
    assert not Path("marked").exists()


@pytest.mark.parametrize("words", [["run"], ["run", "--in-process"]])
def test_an_opponent_that_is_no_text_of_a_player_is_told_in_a_line(words: list[str]) -> None:
    recorded(eval_opponent=["x]"])
    result = CliRunner().invoke(cli, [*words, "--resume", "one"])
    assert result.exit_code == 2
    last = result.output.splitlines()[-1]
    assert last.startswith(
        "Error: runs/one/config.json is not a run's: the square brackets in 'x]' do not match"
    )


@pytest.mark.slow
def test_allow_programs_starts_them_and_one_that_ends_at_once_is_named() -> None:
    recorded(AgentPart(command=MARK))
    status, out = resume("--allow-programs")
    assert status == 1
    last = out.splitlines()[-1]
    assert "mark.py) ended with exit status 1; its log" in last
    assert last.endswith("ends: no such thing")
    assert Path("marked").exists()
    folder = RunFolder.open(Path("runs"), "one")
    assert state_of(folder, folder.read_record()) is RunState.FAILED
    assert folder.config()["sessions"][-1]["error"] in last


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--allow-programs"]])
def test_child_processes_of_a_resumed_run_obey(monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    recorded(TEXT, EnvironmentPart(4, f"engine:{MARK}"), episodes=2, eval_every=0)
    monkeypatch.setattr("othello_lab.commands.run._check_programs", lambda *_: None)
    status, out = resume(*options)
    assert status == (0 if options else 2), out
    refused = f"a file names the program 'engine:{MARK}': a file may not start programs"
    assert (refused in out) == (not options)
    assert Path("marked").exists() == bool(options)


def test_a_control_character_of_a_file_does_not_reach_the_terminal() -> None:
    recorded(AgentPart(command=MARK + " '\033[2J'"))
    assert "\033" not in resume()[1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"environment": {"size": 4, "config": "evil.toml"}}, "environment has size, config"),
        ({"environment": {"opponent=engine:sh": "x"}}, "environment has"),
        ({"environment": {"command": "sh", "size": 4}}, "environment has"),
        ({"agent": {"text": "--config=evil.toml"}}, "'--config=evil.toml' is no agent"),
        ({"agent": {"text": "random", "command": "sh"}}, "expected a text or a command"),
        ({"agent": ["sh"]}, "agent"),
        ({"seeds": {"environment": "--config=x", "agent": 1, "evaluation": 1}}, "seeds.environment"),
        ({"experiment": {"eval_opponent": [["sh"]]}}, "experiment.eval_opponent"),
    ],
)
def test_what_no_run_writes_goes_on_to_no_command_line(change: dict[str, object], says: str) -> None:
    folder = recorded()
    folder.write_config({**folder.config(), **change})
    with pytest.raises(RunFolderError, match=r"config\.json (is not a run's|cannot be read): ") as error:
        resumed_plan(Path("runs"), "one", None)
    assert says in str(error.value)


def test_all_options_of_an_environment_come_back() -> None:
    given = {"--size": "6", "--first": "random", "--random-opening": "3", "--reward": "1,0.25,-1"}
    words = [word for option in given.items() for word in option]
    result = CliRunner().invoke(cli, ["run", "--in-process", *QUICK, *words])
    assert result.exit_code == 0, result.output
    plan = resumed_plan(Path("runs"), "one", 5)
    own = environment_command(plan.environment, plan.seeds).arguments
    assert {f"{option}={value}" for option, value in given.items()} <= set(own)


QUICK = ["--agent", "random", "--episodes", "4", "--eval-every", "0", "--final-games", "0", "--name", "one"]


def test_a_run_records_where_it_was_carried_out_and_each_session_how_long_it_took() -> None:
    words = ["run", "--in-process", "--size", "4", *QUICK, "--episodes", "200"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    words = ["run", "--in-process", "--resume", "one", "--episodes", "400"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    sessions = RunFolder.open(Path("runs"), "one").config()["sessions"]
    assert len(sessions) == 2
    for session in sessions:
        assert session["seconds"] > 0
        assert session["processor"]
        assert session["platform"]
        assert session["command_line"]
        assert session["threads"]["agent"] == 1
        assert session["versions"]["numpy"]
        assert session["begun"].startswith("20")
    assert sessions[0]["begun"] < sessions[1]["begun"]


def test_the_commit_is_that_of_this_program_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = versions.commit()
    assert found is None or len(found.removesuffix("-dirty")) == 40
    monkeypatch.setattr(versions, "OURS", tmp_path)
    assert versions.commit() is None


def test_seeds_are_those_of_before() -> None:
    folder = recorded()
    assert resumed_plan(Path("runs"), "one", None).seeds == derive(0)
    assert json.loads(folder.record.read_text())["seed"] == 0
