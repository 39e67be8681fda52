import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_lab.game import program_trust
from othello_lab.game.catalogue import make
from othello_lab.game.program_trust import UntrustedError, check_may_start, command_line, note, trust
from othello_lab.game.registry import nested

ENGINE = f"engine:{sys.executable} -c pass"
NESTED = f"noisy:[{ENGINE},time=5],share=0.5"
FILE = Path("runs/theirs/config.json")


@pytest.fixture(autouse=True)
def _own_rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin with the open rule, and leave no notes for other tests."""
    monkeypatch.setattr(program_trust, "_rules", [program_trust._Rule()])
    yield
    assert program_trust.VARIABLE not in os.environ


def test_a_program_starts_what_it_names_and_nothing_that_was_read_from_a_file() -> None:
    make(NESTED, 8)
    note(FILE, {"agent": {"text": NESTED}})
    with pytest.raises(UntrustedError, match=r"theirs/config\.json names the program 'engine:.*time=5'"):
        make(NESTED, 8)
    make("engine:ls", 8)
    trust(nested(NESTED))
    make(NESTED, 8)


def test_a_command_starts_what_was_typed_to_the_letter() -> None:
    with command_line(allow_programs=False):
        trust(nested(NESTED))
        trust(["python x.py"], is_command=True)
        make(NESTED, 8)
        make(f"{ENGINE},time=5", 8)
        check_may_start("python x.py", is_command=True)
        for text in (ENGINE, f"{ENGINE},time=5,cwd=/", "engine:ls", "agent:ls"):
            with pytest.raises(UntrustedError, match=r"a file names the program .* add --allow-programs"):
                make(text, 8)
        for command in ("python", "python x.py y", NESTED):
            with pytest.raises(UntrustedError):
                check_may_start(command, is_command=True)
        with pytest.raises(UntrustedError):
            check_may_start("python x.py")


def test_a_command_with_the_option_starts_everything() -> None:
    with command_line(allow_programs=True):
        note(FILE, ENGINE)
        make(ENGINE, 8)
        check_may_start("python x.py", is_command=True)


def test_a_command_within_a_command_cannot_widen_the_rule() -> None:
    outer, inner = command_line(allow_programs=False), command_line(allow_programs=True)
    with outer, inner, pytest.raises(UntrustedError):
        make(ENGINE, 8)


def child(*texts: str, **variables: str) -> str:
    """Return what a child process may start after a command has taken these texts as typed."""
    code = (
        "import sys\n"
        "from othello_lab.game.program_trust import *\n"
        "from othello_lab.game.program_trust import command_line\n"
        "with command_line(allow_programs=True):\n"
        "    for text in sys.argv[1:]:\n"
        "        trust([text])\n"
        "        try: check_may_start(text); print('yes')\n"
        "        except UntrustedError as error: print(error)\n"
    )
    words = [sys.executable, "-c", code, *texts]
    done = subprocess.run(words, env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
def test_a_child_of_a_command_has_its_rule_and_takes_nothing_for_typed() -> None:
    assert child("engine:a") == "yes\n"
    with command_line(allow_programs=False):
        trust(["engine:a"])
        note(FILE, "engine:b")
        answers = child("engine:a", "engine:b").splitlines()
    assert answers[0] == "yes"
    assert answers[1].startswith("a file names the program 'engine:b'")
    with command_line(allow_programs=True):
        assert child("engine:a") == "yes\n"


@pytest.mark.slow
@pytest.mark.parametrize("value", ["", "ALL", "[]", "[["])
def test_an_inherited_rule_that_cannot_be_read_allows_nothing(value: str) -> None:
    assert "names the program" in child("engine:a", **{program_trust.VARIABLE: value})


def test_a_program_that_was_allowed_to_start_does_not_inherit_the_rule() -> None:
    with command_line(allow_programs=False):
        assert program_trust.VARIABLE in os.environ
        assert program_trust.VARIABLE not in program_trust.for_programs()
