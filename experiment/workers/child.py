"""Run a process that ends when its parent ends.

The parent starts `python -P -m othello_lab.experiment.workers.child KIND NAME ARGUMENT...`. The standard
input of the process is a pipe from the parent. KIND is

- `module`: run one of our packages, and end this process soon after the parent
- `run`: run one of our packages, and interrupt the package when the parent ends, so that it saves and ends
- `program`: start another program, and end the program soon after the parent
"""

import _thread
import os
import runpy
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from othello_lab.game.program_trust import for_programs

GRACE_SECONDS = 3.0  # The timeout for a child to exit by itself after its parent exits.
TERMINATE_SECONDS = 3.0  # The timeout for a child to end after SIGTERM.


def _on_parents_end(act: Callable[[], None]) -> None:
    """Call `act` in a daemon thread when stdin closes."""

    def wait() -> None:
        with suppress(OSError):
            os.read(sys.stdin.fileno(), 1)
        act()

    threading.Thread(target=wait, daemon=True).start()


def _run_module(name: str, arguments: list[str], on_end: Callable[[], None]) -> None:
    sys.argv = [name, *arguments]
    try:
        _on_parents_end(on_end)
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:  # the package was still starting
        sys.exit("stopped: the command that started this is gone")


def _end_here() -> None:
    _thread.interrupt_main()
    time.sleep(GRACE_SECONDS)
    os._exit(1)  # in case a long computation ignores the interrupt


def _run_program(command: list[str]) -> None:
    # The program handles SIGTERM to the group. Use a no-op, because the program would inherit SIG_IGN.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=for_programs())  # noqa: S603  no shell
    except OSError as error:
        sys.exit(f"{shlex.join(command)} cannot be started: {error.strerror}")
    _on_parents_end(lambda: _end(program))
    _end_like(program.wait())


def _end(program: "subprocess.Popen[bytes]") -> None:
    """End a program and all processes of our process group."""
    with suppress(subprocess.TimeoutExpired):
        program.wait(GRACE_SECONDS)
    os.killpg(0, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        program.wait(TERMINATE_SECONDS)
    os.killpg(0, signal.SIGKILL)


def _end_like(status: int) -> None:
    """Exit with the exit status of a program, or kill this process with the program's fatal signal."""
    if status < 0:
        with suppress(OSError):  # some signals cannot be handled
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    _, kind, name, *arguments = sys.argv
    if kind == "program":
        _run_program([name, *arguments])
    else:
        _run_module(name, arguments, _end_here if kind == "module" else _thread.interrupt_main)
