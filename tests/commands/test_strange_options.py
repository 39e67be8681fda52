"""Options, players and sweeps of a file start no program, unless the person says so."""

import json
from pathlib import Path

import click
import pytest

from othello_lab.commands.config_file import long_name
from tests.commands.strange import COMMANDS, ENGINE, PROGRAM, STARTED, TEXTS, call, elsewhere, started

pytestmark = pytest.mark.usefixtures(elsewhere.__name__)


def taking_options_from_files() -> list[tuple[tuple[str, ...], str]]:
    """Return each command that takes --config, with each text that it would take from the file."""
    return [
        (words, str(parameter.name))
        for words, command in COMMANDS.items()
        if any(each.name == "config" for each in command.params)
        for parameter in command.params
        if parameter.expose_value and not isinstance(parameter.type, click.Choice | click.Path)
    ]


@pytest.mark.parametrize(("words", "name"), taking_options_from_files())
@pytest.mark.parametrize("text", [*TEXTS, PROGRAM], ids=["agent", "engine", "within", "command"])
def test_options_of_a_file_start_nothing(words: tuple[str, ...], name: str, text: str) -> None:
    (parameter,) = (each for each in COMMANDS[words].params if each.name == name)
    many = parameter.multiple or parameter.nargs == -1
    key = json.dumps(long_name(parameter))
    Path("strange.toml").write_text(f"{key} = {json.dumps([text] if many else text)}\n")
    if text == PROGRAM and name not in ("agent", "agents", "environment"):
        return  # no command line is expected there: this would be a name, a host, ...
    result = call(*words, "--config", "strange.toml")
    assert (result.exit_code, started()) == (2, []), result.output


@pytest.mark.parametrize(
    "line", ["name = 'strange:Foo-v0'", f"name = 'CartPole-v1'\nset = ['opponent={ENGINE}']"]
)
def test_an_environment_of_a_file_imports_and_starts_nothing(line: str) -> None:
    Path("strange.py").write_text("raise AssertionError('carried out')")
    Path("strange.toml").write_text(line + "\n")
    result = call("gymnasium", "--config", "strange.toml")
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert "if you know them, add --yes" in result.output


def test_an_environment_of_a_file_with_a_plain_name_is_made_unasked() -> None:
    Path("plain.toml").write_text("name = 'Unknown/Foo-v0'\n")
    assert "Invalid value for ID" in call("gymnasium", "--config", "plain.toml").output


@pytest.mark.parametrize("before", [True, False])
def test_yes_may_stand_on_either_side_of_the_file(before: bool) -> None:
    Path("strange.toml").write_text(f"opponent = {json.dumps(ENGINE)}\nsize = 7\n")
    words = ["--yes", "--config", "strange.toml"] if before else ["--config", "strange.toml", "--yes"]
    result = call("environment", *words)
    assert "add --yes" not in result.output  # it goes on to the next complaint
    assert "size" in result.output


@pytest.mark.parametrize("text", TEXTS, ids=["agent", "engine", "within"])
def test_players_of_a_tournament_in_a_file_are_shown_and_refused(text: str) -> None:
    Path("strange.toml").write_text(f"players = ['random', {json.dumps(text)}]\n")
    result = call("tournament", "strange.toml")
    assert (result.exit_code, started()) == (2, [])
    assert "if you know them, add --yes" in result.output


@pytest.mark.parametrize("text", TEXTS, ids=["agent", "engine", "within"])
@pytest.mark.parametrize("option", ["agent", "opponent", "eval-opponent"])
def test_a_sweep_starts_nothing_that_its_file_names(option: str, text: str) -> None:
    value = json.dumps([text] if option == "eval-opponent" else text)
    Path("strange.toml").write_text(f"size = 6\nepisodes = 2\n[variants.one]\n{option} = {value}\n")
    result = call("experiment", "sweep", "strange.toml", "--seeds", "0")
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert "if you know them, add --yes" in result.output


def test_an_environment_of_a_file_is_a_program_also_where_it_reads_like_a_player() -> None:
    program = Path("random:x/mark.py")
    program.parent.mkdir()
    program.touch(0o700)
    Path("strange.toml").write_text(f"environment = {json.dumps(str(program))}\n")
    result = call("run", "--config", "strange.toml")
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert f"environment command: {program}" in result.output
    assert "add --yes" in result.output


@pytest.mark.parametrize(
    ("words", "line"),
    [(("run",), "environment = 5"), (("evaluate",), "agents = [5]"), (("evaluate",), "agents = 'greedy'")],
)
def test_a_command_line_of_a_file_is_a_text(words: tuple[str, ...], line: str) -> None:
    Path("strange.toml").write_text(line + "\n")
    result = call(*words, "--config", "strange.toml")
    assert result.exit_code == 2
    assert "is not a text" in result.stderr or "is no list" in result.stderr


def test_two_files_of_options_are_taken_together() -> None:
    Path("players.toml").write_text("players = ['random', 'greedy']\nopenings = 2\n")
    Path("options.toml").write_text("size = 4\n")
    result = call("tournament", "players.toml", "--config", "options.toml")
    assert result.exit_code == 0, result.output
    assert "tournaments/4x4.sqlite: 4 games" in result.stderr
