"""A sign of life while slow libraries are loaded."""

import os
import subprocess
import sys

from tests.experiment.lab import posix

PERFT = [sys.executable, "-m", "othello_lab", "perft", "--size", "4", "--depth", "3"]
IN_A_LOOP = """
import asyncio, os, sys
from othello_lab.commands.libraries import announce_slow_imports
announce_slow_imports()
async def draw():
    import numba
asyncio.run(draw())
import matplotlib
"""


def at_terminal(command: list[str]) -> bytes:
    """Return what a command writes to stderr where that is a terminal."""
    reader, writer = os.openpty()
    subprocess.run(command, stderr=writer, stdout=subprocess.DEVNULL, check=True)
    os.close(writer)
    written = b""
    try:
        while chunk := os.read(reader, 4096):
            written += chunk
    except OSError:  # Linux says so at the end
        pass
    os.close(reader)
    return written


@posix
def test_a_person_sees_what_is_loaded_until_it_is_there() -> None:
    written = at_terminal(PERFT)
    line = b"\rloading the compiled rules ..."
    assert line in written
    assert written.split(line)[1].startswith(b"\r" + b" " * (len(line) - 1) + b"\r"), "and is wiped out"


def test_a_pipe_gets_no_word_of_it() -> None:
    done = subprocess.run(PERFT, capture_output=True, check=True)
    assert done.stderr == b""


@posix
def test_nothing_is_written_over_a_screen_that_is_drawn() -> None:
    written = at_terminal([sys.executable, "-c", IN_A_LOOP])
    assert b"compiled rules" not in written
    assert b"loading matplotlib" in written
