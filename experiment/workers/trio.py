"""Agent and environment as child processes: their commands; started, watched, and none left behind."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from othello_lab.experiment.workers.child import TERMINATE_SECONDS
from othello_lab.game.errors import RefusedError
from othello_lab.game.files import open_regular
from othello_lab.game.launching import check_may_start
from othello_lab.game.notation import printable
from othello_lab.game.players.engines.process import away_from_terminal, command_words, search_path
from rlglue.address import Address, variables
from rlglue.errors import GlueError


@dataclass(frozen=True)
class Command:
    """How a child is started."""

    words: Sequence[str]
    said: str
    """The command as a person would write it."""
    renamed: Mapping[str, str] | None = None
    """For one of our commands: its options that have other names in the command of the run."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables besides those of this process."""


class CommandError(RefusedError):
    """A command line that cannot be started."""


class RefusedOptionError(RefusedError):
    """An option that the agent or the environment of a run has refused at its start."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"Invalid value for {option}: {why}")
        self.option, self.why = option, why


def split_command(text: str) -> list[str]:
    """Split a command line that is to start; raise CommandError if it is none or has no program.

    Raises UntrustedError for one that was read from a file.
    """
    try:
        words = command_words(text, [search_path()])
    except ValueError as error:
        raise CommandError(str(error)) from None
    check_may_start(text, is_command=True)
    return words


GOODBYE_SECONDS = 5.0
"""After the server has said goodbye, a child has so long to end by itself."""
_EXPLAIN_SECONDS = 2.0
_REFUSED = 2
"""Exit status of a command that refuses its options."""
_REFUSAL = re.compile(r"Error: Invalid value for (?P<option>.+?): (?P<why>.+)")
_LOOK_EVERY = 0.02


@dataclass(frozen=True)
class Child:
    """A running part of the trio."""

    role: str
    command: Command
    log: Path
    process: subprocess.Popen[bytes]

    def check_refusal(self) -> None:
        """Raise RefusedOptionError if this is one of our commands, which has refused an option."""
        if self.command.renamed is None or _status(self.process) != _REFUSED:
            return
        if refusal := _REFUSAL.fullmatch(last_line_of(self.log)):
            option = refusal["option"].strip("'")
            raise RefusedOptionError(self.command.renamed.get(option, option), refusal["why"])

    def exit_message(self) -> str | None:
        """Say how it ended, None while it runs."""
        status = _status(self.process)
        if status is None:
            return None
        how = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
        return f"the {self.role} ({self.command.said}) {how}; {last_line(self.log)}"


_END_OF_LOG = 2**16
"""Bytes at the end of a log in which its last line is looked for."""


def last_line_of(log: Path) -> str:
    """Return the last line of a log that is not empty; "" if there is none."""
    with open_regular(log) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _END_OF_LOG))
        lines = file.read(_END_OF_LOG).decode(errors="replace").split("\n")
    return printable(next((line.strip() for line in reversed(lines) if line.strip()), ""))


def last_line(log: Path) -> str:
    """Say how the log of a process ends."""
    last = last_line_of(log)
    return f"its log {log} ends: {last}" if last else f"its log {log} is empty"


LARGEST_LOG = 50_000_000
"""Bytes that the log of a child may have; of a longer one the first half of that stays."""
_LOOK_AT_LOGS_EVERY = 0.5


def cut_log(log: Path) -> None:
    """Cut a log that is too long; the child appends to the rest."""
    if log.stat().st_size > LARGEST_LOG:
        os.truncate(log, LARGEST_LOG // 2)
        with log.open("ab") as file:
            file.write(f"\n[cut here: a log has at most {LARGEST_LOG:,} bytes]\n".encode())


class Trio:
    """Children that meet this process at a server; leaving the context stops all of them.

    The server is to be closed before that: its goodbye is how they are told to end.
    """

    def __init__(self) -> None:
        self.connected = False
        """Whether the children have met the server, so that its goodbye reaches them."""
        self._children: list[Child] = []
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._cut_logs, daemon=True).start()
        return self

    def _cut_logs(self) -> None:
        while not self._is_over.wait(_LOOK_AT_LOGS_EVERY):
            for child in [*self._children]:
                with suppress(OSError):
                    cut_log(child.log)

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        try:
            self._stop()
        except KeyboardInterrupt:  # whoever is in a hurry still leaves nobody behind
            self._signal(force=True)
            raise

    def start(self, role: str, command: Command, log: Path, server: Address) -> None:
        """Start a child whose output goes to `log`."""
        with log.open("ab") as output:
            process = subprocess.Popen(  # noqa: S603  no shell; the user named the program
                command.words,
                stdin=subprocess.PIPE,  # its end tells the child that this process is no more
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **command.variables, **variables(server), "PATH": search_path()},
                **away_from_terminal(),
            )
        self._children.append(Child(role, command, log, process))

    def check(self) -> None:
        """Raise an error if a child has ended; for use while none should.

        It is RefusedOptionError if one of our commands has refused an option, else GlueError.
        """
        for child in self._children:
            child.check_refusal()
            if exit_message := child.exit_message():
                raise GlueError(exit_message)

    def explain(self, error: GlueError) -> GlueError:
        """Return what is known about a lost connection: a child's end if one has ended."""
        deadline = time.monotonic() + _EXPLAIN_SECONDS
        while time.monotonic() < deadline:  # a process closes its connection a little before it is gone
            try:
                self.check()
            except GlueError as end:
                return end
            time.sleep(0.05)
        return GlueError(
            f"{error}; the logs are in {self._children[0].log.parent}" if self._children else str(error)
        )

    def _stop(self) -> None:
        """Wait for the children to end, as the server has told them to; then ask, then force them."""
        if self.connected:
            self._wait(GOODBYE_SECONDS)
        self._signal(force=False)
        self._wait(TERMINATE_SECONDS)
        self._signal(force=True)
        for child in self._children:
            child.process.wait()
            _close_input(child.process)
        self._children.clear()

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(_status(child.process) is None for child in self._children):
            time.sleep(_LOOK_EVERY)

    def _signal(self, force: bool) -> None:
        for child in self._children:
            _end(child.process, force)


def _status(process: subprocess.Popen[bytes]) -> int | None:
    """Return how a child has ended, None while it runs.

    Where the system can tell without it, the child is not waited for: from then on its id may belong to
    somebody else, whom a signal to its group would hit.
    """
    if process.returncode is not None or sys.platform == "win32" or not hasattr(os, "waitid"):
        return process.poll()
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _end(process: subprocess.Popen[bytes], force: bool) -> None:
    """End a child, and on POSIX whatever it has started in its session."""
    if process.returncode is not None:
        return
    if sys.platform != "win32":
        # All gone already; macOS says it the second way.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL if force else signal.SIGTERM)
    elif force:
        process.kill()
    else:
        _close_input(process)


def _close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin  # noqa: S101  given above
    process.stdin.close()
