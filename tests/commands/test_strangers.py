"""A file starts no program, whatever command reads it, unless --allow-programs is given."""

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.openings import OpeningsText
from othello_lab.game.launching import UntrustedError
from othello_lab.game.players import Player
from othello_lab.game.players.catalogue import PLAYERS
from othello_lab.game.registry import RegistryError
from tests.commands.strange import (
    COMMANDS,
    ENGINE,
    TEXTS,
    LongEnoughError,
    call,
    elsewhere,
    for_a_second,
    started,
    strange_files,
)

pytestmark = pytest.mark.usefixtures(elsewhere.__name__)
REFUSED = f"names the program '{ENGINE}': a file may not start programs; add --allow-programs if you trust it"


def reads(parameter: click.Parameter) -> bool:
    """Tell whether a parameter takes the name of a file, a run or a player."""
    kinds = (click.Path, click.File, OpeningsText)
    names_something = parameter._custom_shell_complete is not None or parameter.name in ("resume", "sweep")
    return isinstance(parameter, click.Argument) or isinstance(parameter.type, kinds) or names_something


def words_for(command: click.Command, parameter: click.Parameter, value: str) -> list[str]:
    """Return a command line with that value; other arguments that are needed are harmless."""
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
            with for_a_second():
                result = call(*words, *words_for(command, parameter, value))
                assert not started(), f"{parameter.name}={value}: {result.output}"
                if not isinstance(result.exception, SystemExit | LongEnoughError | None):
                    raise result.exception


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("match strange random", "runs/strange/config.json"),
        ("match random runs/strange", "runs/strange/config.json"),
        ("evaluate strange --opponent random", "runs/strange/config.json"),
        ("evaluate random --opponent strange", "runs/strange/config.json"),
        ("tournament random strange", "runs/strange/config.json"),
        ("tournament strange.toml", "strange.toml"),
        ("tournament --config strange.toml", "strange.toml"),
        ("analyse strange", "runs/strange/config.json"),
        ("analyse strange random", "runs/strange/config.json"),
        ("draw f5d6 --values strange", "runs/strange/config.json"),
        ("truth strange", "runs/strange/config.json"),
        ("engine strange", "runs/strange/config.json"),
        ("agent strange", "runs/strange/config.json"),
        ("selfplay --from strange", "runs/strange/config.json"),
        ("play strange", "runs/strange/config.json"),
        ("play --plain --resume", "state/games/strange.json"),
        ("play random --plain --hint strange", "runs/strange/config.json"),
        ("report strange.jsonl --values strange", "runs/strange/config.json"),
        ("run --agent strange", "runs/strange/config.json"),
        ("run --resume strange", "runs/strange/config.json"),
        ("experiment train --in-process --agent strange", "runs/strange/config.json"),
    ],
)
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


@pytest.mark.parametrize("text", TEXTS, ids=["agent", "engine", "within"])
@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("match strange random --openings 1", ""),
        ("analyse strange --games 2", ""),
        ("truth strange", ""),
        ("play strange --plain --colour white", "quit\n"),
        ("play --plain --resume", "hint\nquit\n"),
        ("tournament strange.toml --openings 1", ""),
        ("experiment train --in-process --config options.toml", ""),
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
