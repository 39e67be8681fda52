"""The program behind a server for browsers."""

import os
import subprocess
import sys

STARTED = b"__GANGLION__\n"
"""With this textual's protocol begins."""


def test_the_program_ends_when_its_server_is_gone() -> None:
    command = [sys.executable, "-m", "othello_lab", "play", "human", "--size=4"]
    environment = {**os.environ, "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as program:
        assert program.stdin
        assert program.stdout
        assert program.stdout.readline() == STARTED
        program.stdin.close()
        program.stdout.read()  # to its end
