"""`othello engine` whose other end goes while the player thinks: it ends with it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.game.engine_programs import ROOT, posix

ENDS = 30.0
"""Seconds that a loaded machine may take for what takes less than one."""
QUESTION = {"gtp": "reg_genmove black", "nboard": "go"}


@contextmanager
def thinking(protocol: str, player: str) -> Iterator[subprocess.Popen[str]]:
    """Yield the program once it thinks about a move."""
    command = [sys.executable, "-m", "othello", "engine", "--protocol", protocol, player]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write("name\nlearn\n")
        program.stdin.flush()
        program.stdout.readline()
        program.stdin.write(f"{QUESTION[protocol]}\n")
        program.stdin.flush()
        time.sleep(1.0)
        try:
            yield program
        finally:
            program.kill()


# The last two cannot be stopped.
@pytest.mark.parametrize("player", ["search:depth=60", "alphabeta:depth=30", "minimax:depth=20"])
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_it_ends_with_its_input_while_it_thinks(protocol: str, player: str) -> None:
    with thinking(protocol, player) as program:
        _, complaint = program.communicate(timeout=ENDS)
    assert program.returncode == 0
    assert complaint == ""


@posix
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_it_ends_when_nobody_reads_its_answers(protocol: str) -> None:
    with thinking(protocol, "search:depth=60") as program:
        assert program.stdout
        program.stdout.close()
        assert program.wait(timeout=ENDS) in (0, 1)
        assert program.stderr
        assert program.stderr.read() == ""


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_script_that_was_sent_at_once_is_answered_and_a_deep_search_ends_for_it_too(protocol: str) -> None:
    command = [sys.executable, "-m", "othello", "engine", "--protocol", protocol]
    for player in ("search:depth=6", "search:depth=60"):
        script = f"{QUESTION[protocol]}\n" * 2
        done = subprocess.run(
            [*command, player], cwd=ROOT, text=True, input=script, capture_output=True, timeout=60, check=True
        )
        assert len([line for line in done.stdout.splitlines() if line.startswith("=")]) == 2
