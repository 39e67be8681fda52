import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from click.types import BoolParamType, FloatParamType, IntParamType

from othello_lab.commands.cli import cli
from othello_lab.commands.options import ProgramText, long_name
from othello_lab.game.catalogue import PLAYERS
from othello_lab.game.players.player import Player
from othello_lab.game.program_trust import UntrustedError
from othello_lab.game.registry import RegistryError
from tests.cases import cases
from tests.commands.strange import (
    COMMANDS,
    ENGINE,
    PROGRAM,
    STARTED,
    TEXTS,
    LongEnoughError,
    call,
    elsewhere,
    for_a_moment,
    started,
    strange_files,
)

pytestmark = [pytest.mark.usefixtures(elsewhere.__name__), pytest.mark.slow]
REFUSED = f"names the program '{ENGINE}': a file may not start programs; add --allow-programs if you trust it"


def reads(parameter: click.Parameter) -> bool:
    names, kinds = ("openings", "resume", "sweep"), (click.Path, click.File)
    names_something = parameter._custom_shell_complete is not None or parameter.name in names
    return isinstance(parameter, click.Argument) or isinstance(parameter.type, kinds) or names_something


def words_for(command: click.Command, parameter: click.Parameter, value: str) -> list[str]:
    """Return a command line with this value, and with harmless values for other required arguments."""
    words = []
    for other in command.params:
        if other is parameter:
            flag = isinstance(other, click.Option) and other.is_flag
            words += (
                [value] if isinstance(other, click.Argument) else [other.opts[0], *([] if flag else [value])]
            )
        elif isinstance(other, click.Argument) and other.required:
            words.append("random" if "POSITION" not in other.make_metavar(click.Context(command)) else "f5d6")
    return words


# The alarm may ring within a finaliser.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_starts_what_a_file_names(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    real = PLAYERS.make

    def make(text: str, size: int) -> Player:
        if "mark.py" not in text:
            raise RegistryError("nobody plays here")
        with pytest.raises(UntrustedError) as refused:
            real(text, size)
        raise refused.value

    monkeypatch.setattr(PLAYERS, "make", make)
    command = COMMANDS[words]
    for value in strange_files(TEXTS[-1]):
        for parameter in filter(reads, command.params):
            with for_a_moment():
                result = call(*words, *words_for(command, parameter, value))
                assert not started(), f"{parameter.name}={value}: {result.output}"
                if not isinstance(result.exception, SystemExit | LongEnoughError | None):
                    raise result.exception


@pytest.mark.parametrize(("words", "file"), cases("programs_of_files_refused"))
def test_the_error_names_the_file_the_text_and_the_option(words: str, file: str) -> None:
    strange_files(ENGINE)
    result = call(*words.split())
    assert (result.exit_code, started()) == (2, []), result.output
    assert f"{file} {REFUSED}" in result.output.splitlines()[-1]


def test_a_report_of_a_run_is_made_without_its_games() -> None:
    strange_files(ENGINE)
    result = call("report", "strange")
    assert (result.exit_code, started()) == (0, []), result.output
    assert "no games to step through" in result.output
    assert REFUSED in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "typed", "text"),
    [
        *(("match strange random --openings 1", "", text) for text in TEXTS),
        ("analyse strange --games 2", "", ENGINE),
        ("truth strange", "", ENGINE),
        ("play strange --plain --colour white", "quit\n", ENGINE),
        ("play --plain --resume", "hint\nquit\n", ENGINE),
        ("tournament --config strange.toml --openings 1", "", ENGINE),
        ("run --in-process --config options.toml", "", ENGINE),
    ],
)
def test_allow_programs_starts_them(words: str, typed: str, text: str) -> None:
    strange_files(text)
    CliRunner().invoke(cli, words.split(), input=typed)
    assert not started()
    CliRunner().invoke(cli, [*words.split(), "--allow-programs"], input=typed)
    assert started()


@pytest.mark.parametrize("text", TEXTS, ids=["agent", "engine", "within"])
def test_what_is_typed_starts(text: str) -> None:
    call("match", text, "random", "--size", "6", "--openings", "1")
    assert started()


def test_what_is_typed_at_the_board_starts_and_what_a_run_names_does_not() -> None:
    strange_files(ENGINE)
    words = ["play", "random", "--plain", "--size", "6", "--colour", "white"]
    result = CliRunner().invoke(cli, words, input="opponent strange\nquit\n")
    assert REFUSED in " ".join(result.output.split()), result.output
    assert not started()
    CliRunner().invoke(cli, words, input=f"opponent {ENGINE}\nnew\nquit\n")
    assert started()


def test_a_typed_program_is_trusted_to_the_letter_only() -> None:
    strange_files(f"{ENGINE},cwd=runs")
    result = call("match", ENGINE, "strange")
    assert (result.exit_code, started()) == (2, []), result.output


NUMBERS = (BoolParamType, FloatParamType, IntParamType, click.Choice, click.Path)
# Each command that takes --config, with each text that a file may set for the command.
TAKEN = [
    pytest.param(words, parameter, text, id=f"{' '.join(words)} {parameter.name} {text[:6]}")
    for words, command in COMMANDS.items()
    if any(each.name == "config" for each in command.params)
    for parameter in command.params
    if parameter.expose_value and not isinstance(parameter.type, NUMBERS)
    for text in (TEXTS[-1], *[PROGRAM] * isinstance(parameter.type, ProgramText))
]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("words", "parameter", "text"), TAKEN)
def test_options_of_a_file_start_nothing(
    words: tuple[str, ...], parameter: click.Parameter, text: str
) -> None:
    many = parameter.multiple or parameter.nargs == -1
    key = json.dumps(long_name(parameter))
    Path("strange.toml").write_text(f"{key} = {json.dumps([text] if many else text)}\n")
    with for_a_moment():
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


def test_allow_programs_may_stand_on_either_side_of_the_file() -> None:
    Path("strange.toml").write_text(f"opponent = {json.dumps(ENGINE)}\nsize = 7\n")
    file, allow = ["--config", "strange.toml"], ["--allow-programs"]
    for words in (allow + file, file + allow):
        result = call("environment", *words)
        assert "add --allow-programs" not in result.output  # the next complaint is shown
        assert "size" in result.output


@pytest.mark.parametrize(
    ("option", "text"), [*zip(["agent", "opponent", "eval-opponent"], TEXTS, strict=True)]
)
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
    ("word", "line", "error"),
    [
        ("run", "environment = 5", "there is no program '5'"),
        ("evaluate", "agents = [5]", "there is no player, run or checkpoint '5'"),
        ("evaluate", "agents = 'greedy'", "agents: expected a list in square brackets"),
    ],
)
def test_a_value_of_a_file_is_read_as_if_it_was_typed(word: str, line: str, error: str) -> None:
    Path("strange.toml").write_text(line + "\n")
    result = call(word, "--config", "strange.toml")
    assert (result.exit_code, error in result.stderr) == (2, True), result.stderr
