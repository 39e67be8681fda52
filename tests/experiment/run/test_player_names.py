import json
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.run import agent_part_of
from othello_lab.experiment.run.player_names import Named, board_for, called, find
from othello_lab.experiment.run.record import AgentPart
from othello_lab.game.short_names import short_name
from tests.cases import cases

RUNS = Path("runs")
pytestmark = pytest.mark.usefixtures("here")


def make_run(name: str, *checkpoints: str, **config: object) -> Path:
    """Make a run on 6x6 with empty checkpoints, the oldest first, and return their folder."""
    path = RUNS / name
    (path / "checkpoints").mkdir(parents=True)
    record = {"agent": {"text": "dqn"}, "environment": {"size": 6}, **config}
    (path / "config.json").write_text(json.dumps(record))
    saved = enumerate(word for word in checkpoints if word != "policy")
    lines = (json.dumps({"episode": number, "name": word}) + "\n" for number, word in saved)
    (path / "checkpoints.jsonl").write_text("".join(lines))
    for word in checkpoints:
        (path / "checkpoints" / f"{word}.safetensors").touch()
    return path / "checkpoints"


def named(text: str) -> Named:
    return find(text, RUNS, lambda path: 6)


@pytest.mark.parametrize("text", ["dqn:a/final.safetensors", "search:depth=4,eval=dqn:a/final.safetensors"])
def test_the_board_is_that_of_the_checkpoint_in_a_text(text: str) -> None:
    assert named(text).size == 6
    assert named(text).name == text.replace("a/final.safetensors", "final")


def test_a_text_of_the_registry_is_itself_and_the_path_of_a_checkpoint_a_network() -> None:
    assert named("search:depth=4") == Named("search:depth=4", None, "search:depth=4")
    Path("a,b").mkdir()
    Path("a,b/net").touch()
    assert named("a,b/net") == Named("trained:[a,b/net]", 6, "net")
    assert named("best.safetensors") == Named("trained:best.safetensors", 6, "best")


@pytest.mark.parametrize("text", ["one", "runs/one", "runs/one/"])
def test_a_run_is_its_policy_by_name_or_by_folder(text: str) -> None:
    folder = make_run("one", "episode-5", "policy")
    assert named(text) == Named(f"trained:{folder}/policy.safetensors", 6, "one")


def test_a_run_named_like_a_learner_is_found_and_one_named_like_a_player_by_its_folder() -> None:
    found = {name: make_run(name, "policy") for name in ("ntuple", "greedy")}
    assert named("ntuple") == Named(f"trained:{found['ntuple']}/policy.safetensors", 6, "ntuple")
    assert named("greedy").text == "greedy"
    assert named("runs/greedy") == Named(f"trained:{found['greedy']}/policy.safetensors", 6, "greedy")


def test_a_run_without_a_policy_is_its_newest_checkpoint_or_its_player_or_nothing() -> None:
    folder = make_run("stopped", "episode-5", "episode-9")
    assert named("stopped").text == f"trained:{folder}/episode-9.safetensors"
    make_run("player", agent={"text": "alphabeta:depth=2"})
    assert named("player") == Named("alphabeta:depth=2", 6, "player")
    make_run("foreign", agent={"command": "python mine.py"}, environment=None)
    with pytest.raises(ValueError, match="the run runs/foreign has no checkpoint to play with"):
        named("foreign")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "corner-gredy",
            "^there is no player, run or checkpoint 'corner-gredy', and there is no program 'corner-gredy'; "
            "did you mean corner-greedy",
        ),
        ("thursdey", "; did you mean thursday"),
        ("nobody", "; there are: random, greedy, "),
    ],
)
def test_a_name_that_is_none_is_answered_with_those_that_are(text: str, why: str) -> None:
    make_run("thursday")
    with pytest.raises(ValueError, match=why):
        named(text)


def complete(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setenv("_OTHELLO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["othello", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    result = CliRunner().invoke(cli, prog_name="othello")
    return [line.partition(",")[2] for line in result.output.splitlines()]


def test_names_are_completed_and_a_missing_run_is_answered_with_a_near_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_run("greed-1")
    assert complete(monkeypatch, "pl") == ["play", "players"]
    assert complete(monkeypatch, "play", "greed") == ["greedy", "greed-1"]
    assert complete(monkeypatch, "run", "--opponent", "greed") == ["greedy"]
    assert complete(monkeypatch, "run", "--resume", "gr") == ["greed-1"]
    assert complete(monkeypatch, "experiment", "compare", "--runs-dir", "nowhere", "gr") == ["gr"]
    assert complete(monkeypatch, "run", "--eval-g") == ["--eval-games"]
    result = CliRunner().invoke(cli, ["experiment", "compare", "greed1"])
    assert "expected a folder with a config.json; did you mean greed-1?" in result.output


@pytest.mark.parametrize(("text", "short"), cases("short_names"))
def test_a_player_has_a_short_name(text: str, short: str) -> None:
    assert short_name(text) == short


def test_players_are_called_by_short_names_where_these_tell_them_apart() -> None:
    found = [Named("trained:a/policy", 6, "policy"), Named("trained:b/policy", 6, "policy")]
    assert [*called([*found, Named("greedy", None, "greedy")])] == [found[0].text, found[1].text, "greedy"]


@pytest.mark.parametrize(
    ("sizes", "answers", "size"), [([], None, 8), ([None, 6, 4], None, 6), ([6], 10, 10)]
)
def test_the_board_is_that_said_or_the_only(sizes: list[int | None], answers: int | None, size: int) -> None:
    assert board_for([Named("greedy", each, "greedy") for each in sizes], answers) == size
    with pytest.raises(ValueError, match="7"):
        board_for([], 7)


@pytest.mark.slow
def test_what_a_run_ends_with_is_played_against_matched_and_the_agent_of_another_run() -> None:
    def call(line: str, typed: str = "") -> str:
        result = CliRunner().invoke(cli, line.split(), input=typed)
        assert result.exit_code == 0, result.output
        return result.output

    learn = "--agent dqn,hidden=[8],warm_up=1 --episodes 2 --eval-every 0 --final-games 0"
    call(f"run --in-process --size 4 {learn} --name one")
    shown = call("play one --colour black", "b1\nquit\n")
    assert "white (one)" in shown
    assert " d \n" in shown  # the last of four columns
    assert call("play runs/one/checkpoints/policy.safetensors", "quit\n").count(" 4 ")
    assert call("match one random --openings 1").startswith("one ")
    failed = CliRunner().invoke(cli, ["play", "one", "--size", "8"])
    assert "use the same --size" in failed.output
    counts = "--size 4 --episodes 2 --eval-every 0 --final-games 0"
    assert "one as black" in call(f"run --in-process {counts} --agent one --name second")
    agent = json.loads(Path("runs/second/config.json").read_text())["agent"]
    assert agent["text"].startswith("trained:runs/one/checkpoints/")


@pytest.mark.parametrize("text", ["one", "runs/one/checkpoints/policy.safetensors"])
def test_a_run_is_an_agent_wherever_one_is_asked_for(text: str) -> None:
    folder = make_run("one", "policy")
    with click.Context(click.Command("run")), pytest.MonkeyPatch.context() as patch:
        patch.setattr("othello_lab.agent.trained.board_size", lambda path: 6)
        assert agent_part_of(text, RUNS) == AgentPart(f"trained:{folder}/policy.safetensors")


def test_learners_players_and_command_lines_are_agents_too() -> None:
    for text in ("dqn,frames=1", "tabular", "greedy"):
        assert agent_part_of(text, RUNS) == AgentPart(text)
    command = f"{sys.executable} my_agent.py"
    assert agent_part_of(command, RUNS) == AgentPart(command=command)
