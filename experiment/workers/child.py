"""A process that ends with its parent.

Called as `python -P -m othello_lab.experiment.workers.child module othello_lab.agent ...`.
Its standard input is a pipe from the parent. The pipe closes when the parent ends, even after kill -9.
`module NAME` runs one of our packages in this process. `program NAME` starts and watches another program.
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

GRACE_SECONDS = 3.0
"""Time for a child to end by itself after its parent, and so its server, has ended."""
TERMINATE_SECONDS = 3.0
"""Time for a child to end after SIGTERM."""


def on_parents_end(act: Callable[[], None]) -> None:
    """Call `act` in another thread when standard input ends."""

    def wait() -> None:
        with suppress(OSError):
            os.read(sys.stdin.fileno(), 1)
        act()

    threading.Thread(target=wait, daemon=True).start()


def _run_module(name: str, arguments: list[str]) -> None:
    sys.argv = [name, *arguments]
    on_parents_end(_end_here)
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:  # while the package was still starting
        sys.exit("stopped: the run that started this is gone")


def _end_here() -> None:
    _thread.interrupt_main()
    time.sleep(GRACE_SECONDS)
    os._exit(1)  # a long computation does not react to the interrupt


def _run_program(command: list[str]) -> None:
    # A SIGTERM to the group is for the program. Not SIG_IGN: the program would inherit it.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=for_programs())  # noqa: S603  no shell
    except OSError as error:
        sys.exit(f"{shlex.join(command)} cannot be started: {error.strerror}")
    on_parents_end(lambda: _end(program))
    _end_like(program.wait())


def _end(program: "subprocess.Popen[bytes]") -> None:
    """End a program; on POSIX, end all processes of our process group."""
    with suppress(subprocess.TimeoutExpired):
        program.wait(GRACE_SECONDS)
    leads = sys.platform != "win32" and os.getpgrp() == os.getpid()
    os.killpg(0, signal.SIGTERM) if leads else program.terminate()
    with suppress(subprocess.TimeoutExpired):
        program.wait(TERMINATE_SECONDS)
    os.killpg(0, signal.SIGKILL) if leads else program.kill()


def _end_like(status: int) -> None:
    """End this process with the exit status of a program, or by the signal that killed the program."""
    if status < 0:
        with suppress(OSError):  # some signals cannot be handled
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    _, kind, name, *arguments = sys.argv
    _run_module(name, arguments) if kind == "module" else _run_program([name, *arguments])
