"""Options, players and sweeps of a file start no program, unless --allow-programs is given."""

import json
from pathlib import Path

import click
import pytest
from click.types import BoolParamType, FloatParamType, IntParamType

from othello_lab.commands.config_file import long_name
from othello_lab.commands.programs import ProgramText
from tests.commands.strange import (
    COMMANDS,
    ENGINE,
    PROGRAM,
    STARTED,
    TEXTS,
    call,
    elsewhere,
    for_a_second,
    started,
)

pytestmark = pytest.mark.usefixtures(elsewhere.__name__)


NUMBERS = (BoolParamType, FloatParamType, IntParamType, click.Choice, click.Path)
TAKEN = [
    pytest.param(words, parameter, text, id=f"{' '.join(words)} {parameter.name} {text[:6]}")
    for words, command in COMMANDS.items()
    if any(each.name == "config" for each in command.params)
    for parameter in command.params
    if parameter.expose_value and not isinstance(parameter.type, NUMBERS)
    for text in (TEXTS[-1], *[PROGRAM] * isinstance(parameter.type, ProgramText))
]
"""Each command that takes --config with each text that a file may give to it."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("words", "parameter", "text"), TAKEN)
def test_options_of_a_file_start_nothing(
    words: tuple[str, ...], parameter: click.Parameter, text: str
) -> None:
    many = parameter.multiple or parameter.nargs == -1
    key = json.dumps(long_name(parameter))
    Path("strange.toml").write_text(f"{key} = {json.dumps([text] if many else text)}\n")
    with for_a_second():
        result = call(*words, "--config", "strange.toml")
        assert result.exit_code != 0, result.output
    assert not started()


@pytest.mark.parametrize(
    "line", ["name = 'strange:Foo-v0'", f"name = 'CartPole-v1'\nset = ['opponent={ENGINE}']"]
)
def test_an_environment_of_a_file_imports_and_starts_nothing(line: str) -> None:
    Path("strange.py").write_text("raise AssertionError('carried out')")
    Path("strange.toml").write_text(line + "\n")
    result = call("gymnasium", "--config", "strange.toml")
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert "strange.toml names the program '" in result.output
    assert "add --allow-programs if you trust it" in result.output


def test_allow_programs_imports_a_module_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path.cwd())
    Path("strange.py").write_text("raise AssertionError('carried out')")
    Path("strange.toml").write_text("name = 'strange:Foo-v0'\n")
    result = call("gymnasium", "--config", "strange.toml", "--allow-programs")
    assert "carried out" in str(result.exception)


def test_an_environment_of_a_file_with_a_plain_name_is_made() -> None:
    Path("plain.toml").write_text("name = 'Unknown/Foo-v0'\n")
    assert "Invalid value for ID" in call("gymnasium", "--config", "plain.toml").output


@pytest.mark.parametrize("before", [True, False])
def test_allow_programs_may_stand_on_either_side_of_the_file(before: bool) -> None:
    Path("strange.toml").write_text(f"opponent = {json.dumps(ENGINE)}\nsize = 7\n")
    words = ["--config", "strange.toml"]
    words = ["--allow-programs", *words] if before else [*words, "--allow-programs"]
    result = call("environment", *words)
    assert "add --allow-programs" not in result.output  # the next complaint is shown
    assert "size" in result.output


@pytest.mark.parametrize("text", TEXTS, ids=["agent", "engine", "within"])
@pytest.mark.parametrize("option", ["agent", "opponent", "eval-opponent"])
def test_a_sweep_starts_nothing_that_its_file_names(option: str, text: str) -> None:
    value = json.dumps([text] if option == "eval-opponent" else text)
    Path("strange.toml").write_text(f"size = 6\nepisodes = 2\n[variants.one]\n{option} = {value}\n")
    words = ["experiment", "sweep", "strange.toml", "--seeds", "0"]
    result = call(*words)
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert "strange.toml names the program '" in result.output
    call(*words, "--allow-programs")
    assert started()


def test_an_environment_of_a_file_is_a_program_also_where_it_reads_like_a_player() -> None:
    program = Path("random:x/mark.py")
    program.parent.mkdir()
    program.touch(0o700)
    Path("strange.toml").write_text(f"environment = {json.dumps(str(program))}\n")
    result = call("run", "--config", "strange.toml")
    assert (result.exit_code, STARTED) == (2, []), result.output
    assert f"strange.toml names the program '{program}'" in result.output


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
