"""A file that somebody else wrote starts no program, whatever command reads it, unless the person says so."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from traceback import walk_stack
from types import FrameType

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.openings import OpeningsText
from othello_lab.game.players import Player
from othello_lab.game.players.catalogue import PLAYERS
from othello_lab.game.registry import RegistryError
from tests.commands.strange import (
    COMMANDS,
    ENGINE,
    PROGRAM,
    TEXTS,
    call,
    elsewhere,
    started,
    strange_files,
    strange_run,
)

pytestmark = pytest.mark.usefixtures(elsewhere.__name__)


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


class LongEnoughError(BaseException):
    """The time is over in which a command would have started what it was not to."""


def preparing(frame: FrameType | None) -> bool:
    """Tell whether that frame imports or compiles: broken off, both leave half of their work behind."""
    names = (str(caller.f_globals.get("__name__", "")) for caller, _ in walk_stack(frame))
    return any(name.startswith(("numba.", "llvmlite.", "importlib.", "_frozen_importlib")) for name in names)


@contextmanager
def for_a_second() -> Iterator[None]:
    """Break off what takes longer: some commands wait for others, or begin to train."""

    def ring(_: int, frame: FrameType | None) -> None:
        if preparing(frame):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
        else:
            raise LongEnoughError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with suppress(LongEnoughError):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# The alarm may ring within a finaliser.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_starts_what_a_file_names(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def make(text: str, size: int) -> Player:
        assert "mark.py" not in text, "it is about to be started"
        raise RegistryError("nobody plays here")

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
    "words",
    [
        "match strange random",
        "match random runs/strange",
        "evaluate strange --opponent random",
        "evaluate random --opponent strange",
        "tournament random strange",
        "analyse strange",
        "analyse strange random",
        "draw f5d6 --values strange",
        "truth strange",
        "engine strange",
        "agent strange",
        "play strange",
        "play --plain --resume",
        "play random --plain --hint strange",
        "report strange --values strange",
        "run --agent strange",
        "run --resume strange",
        "experiment train --in-process --agent strange",
        "selfplay --from strange",
    ],
)
def test_what_a_run_or_a_kept_game_names_is_shown_and_refused(words: str) -> None:
    strange_files(ENGINE)
    result = call(*words.split())
    line = result.output.splitlines()[-1]
    assert (result.exit_code, started()) == (2, []), result.output
    assert PROGRAM in line
    assert "if you know them, add --yes" in line


def test_a_report_of_a_run_is_made_without_its_games() -> None:
    strange_files(ENGINE)
    result = call("report", "strange")
    assert (result.exit_code, started()) == (0, []), result.output
    assert "no games to step through" in result.output
    assert "if you know them, add --yes" in result.output


@pytest.mark.parametrize("text", TEXTS)
def test_each_kind_of_program_is_refused_unless_the_person_says_yes(text: str) -> None:
    strange_files(text)
    words = "match strange random --openings 1"
    assert (call(*words.split()).exit_code, started()) == (2, [])
    call(*words.split(), "--yes")
    assert started()


@pytest.mark.parametrize(
    "words", ["match strange random --openings 1", "analyse strange --games 2", "truth strange"]
)
def test_the_person_may_say_yes(words: str) -> None:
    strange_files(ENGINE)
    call(*words.split(), "--yes")
    assert started()


def test_a_person_who_has_agreed_plays_against_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    strange_run(ENGINE)
    monkeypatch.setattr("othello_lab.commands.permission._on_terminal", lambda: True)
    words = ["play", "strange", "--plain", "--colour", "white"]
    result = CliRunner().invoke(cli, words, input="y\nquit\n")
    assert started(), result.output
    assert "add --yes" not in result.output


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_at_a_terminal_the_person_is_asked(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    strange_files(ENGINE)
    monkeypatch.setattr("othello_lab.commands.permission._on_terminal", lambda: True)
    result = CliRunner().invoke(cli, ["match", "strange", "random", "--openings", "1"], input=answer)
    assert f"  agent: {ENGINE}" in result.output
    assert bool(started()) == (answer == "y\n")
