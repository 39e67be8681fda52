"""What is written to which terminal."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from othello_lab.commands.play import keep_to_ascii
keep_to_ascii()
print(sys.stdout.encoding)
"""


def encoding(named: dict[str, str], at_terminal: bool) -> str:
    """Return the encoding of a process where this names the locale."""
    pty = pytest.importorskip("pty", reason="terminals for tests are Unix's")
    reader, writer = pty.openpty() if at_terminal else os.pipe()
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    subprocess.run([sys.executable, "-c", PROGRAM], env={**kept, **named}, stdout=writer, check=True)
    os.close(writer)
    with open(reader, "rb", buffering=0) as file:
        return file.read(100).decode().strip()


@pytest.mark.parametrize("named", [{"LC_ALL": "C"}, {"LANG": "C"}, {"LANG": "POSIX"}])
def test_a_terminal_whose_locale_is_c_gets_ascii(named: dict[str, str]) -> None:
    assert encoding(named, at_terminal=True) == "ascii"
    assert encoding(named, at_terminal=False) == "utf-8"


@pytest.mark.parametrize("named", [{}, {"LANG": "C.UTF-8"}, {"LANG": "C", "PYTHONUTF8": "1"}])
def test_any_other_terminal_gets_round_discs(named: dict[str, str]) -> None:
    assert encoding(named, at_terminal=True) == "utf-8"
