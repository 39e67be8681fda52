"""Start, monitor and stop the agent and the environment as child processes."""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, Seeds, table_of
from othello_lab.experiment.workers.child import TERMINATE_SECONDS
from othello_lab.game.errors import RefusedError
from othello_lab.game.notation import printable
from othello_lab.game.program_trust import check_may_start, command_words, search_path
from othello_lab.game.safe_files import open_regular
from rlglue.address import CHECKPOINT_DIR, SEED, Address, variables
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.server import Server

AGENT_THREADS = 1  # Torch threads of our agent. With one thread, a run is reproducible from its seed.
GOODBYE_SECONDS = 5.0  # The timeout for a child to exit after the server's last message.
LARGEST_LOG = 50_000_000  # The maximum size of a child's log in bytes. A longer log is truncated to half.
_CUT_LOGS_EVERY = 0.5
_EXPLAIN_SECONDS = 2.0
_POLL_SECONDS = 0.02
_REFUSED = 2  # the exit status of a command that refuses its options
_REFUSAL = re.compile(r"Error: Invalid value for (?P<option>.+?): (?P<why>.+)")
# The timeout is short, because the server listens before its children start. If a child cannot reach the
# server, the server has ended.
_PATIENCE = ("--connect-timeout", "10")
# Options of our agent and environment, and their names in `othello run`.
_RENAMED = {"AGENT": "--agent", "--allow-opponent": "--eval-opponent"}
# -P: do not import an agent.py or game.py of the current folder. Third-party programs keep their import path.
CHILD = (sys.executable, "-P", "-m", "othello_lab.experiment.workers.child")


@dataclass(frozen=True)
class Command:
    """The command that starts a child."""

    arguments: Sequence[str]
    text: str  # The command as a user would type it.
    is_ours: bool = False
    # Environment variables for the child, in addition to the variables of this process.
    variables: Mapping[str, str] = field(default_factory=dict)


class RefusedOptionError(RefusedError):
    """An option that the agent or the environment refused at its start."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"Invalid value for {option}: {why}")
        self.option, self.why = option, why


def split_command(text: str) -> list[str]:
    """Split a command line. Raises RefusedError if the program is missing or comes from an untrusted file."""
    try:
        arguments = command_words(text, [search_path()])
    except ValueError as error:
        raise RefusedError(str(error)) from None
    check_may_start(text, is_command=True)
    return arguments


def agent_command(part: AgentPart, seeds: Seeds, checkpoints: Path, size: int | None) -> Command:
    """Return the command that starts an agent. Raises RefusedError if its program does not exist."""
    if part.command is not None:
        values = {SEED: str(seeds.agent), CHECKPOINT_DIR: str(checkpoints.absolute())}
        return replace(_third_party(part.command), variables=values)
    options = [f"--seed={seeds.agent}", f"--checkpoint-dir={checkpoints}", f"--threads={AGENT_THREADS}"]
    return _ours("agent", str(part.text), *options, *([f"--size={size}"] if size else []))


def environment_command(part: EnvironmentPart, seeds: Seeds, allowed: Sequence[str] = ()) -> Command:
    """Return the command that starts an environment with the opponents `allowed`. Raises RefusedError."""
    if part.command is not None:
        return _third_party(part.command)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in (table_of(part) or {}).items()]
    options += [f"--allow-opponent={text}" for text in allowed]
    return _ours("environment", *options, f"--seed={seeds.environment}", "--once")


def _ours(package: str, *arguments: str) -> Command:
    text = shlex.join(["othello", package, *arguments])
    return Command([*CHILD, "module", f"othello_lab.{package}", *arguments, *_PATIENCE], text, is_ours=True)


def _third_party(text: str) -> Command:
    return Command([*CHILD, "program", *split_command(text)], text)


class Child:
    """The child process of the agent or the environment."""

    def __init__(self, role: str, command: Command, log: Path, server: Address) -> None:
        """Start the process, with its output in `log`."""
        self._name, self._is_ours, self.log = f"{role} ({command.text})", command.is_ours, log
        with log.open("ab") as output:
            self.process = subprocess.Popen(  # noqa: S603  no shell; the user named the program
                command.arguments,
                stdin=subprocess.PIPE,  # if this process ends, the pipe closes and the child ends
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **command.variables, **variables(server), "PATH": search_path()},
                start_new_session=True,  # Ctrl-C in the terminal must not reach the child
            )

    @property
    def status(self) -> int | None:
        """The exit status, or minus the signal number. None while the child runs."""
        # If possible, do not reap the child. The system then cannot reuse its PID, so a signal to the child's
        # group cannot reach another process. On macOS, waitid needs Python 3.13.
        if self.process.returncode is not None or not hasattr(os, "waitid"):
            return self.process.poll()
        ended = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def check(self) -> None:
        """Raise GlueError if the child has ended, or RefusedOptionError if our command refused an option."""
        if (status := self.status) is None:
            return
        if self._is_ours and status == _REFUSED and (refusal := _REFUSAL.fullmatch(_last_line(self.log))):
            option = refusal["option"].strip("'")
            raise RefusedOptionError(_RENAMED.get(option, option), refusal["why"])
        how = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
        raise GlueError(f"the {self._name} {how}; {last_line(self.log)}")

    def signal(self, number: int) -> None:
        """Send a signal to all processes of the child's process group."""
        if self.process.returncode is None:
            # Both errors mean that all processes have ended. macOS raises PermissionError.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


class Trio:
    """A context manager that ends its child processes. The children connect to a server in this process.

    The server must close first, because its last message asks the children to end.
    """

    def __init__(self) -> None:
        self._are_connected = False
        self._children: list[Child] = []
        self._is_over = threading.Event()
        threading.Thread(target=self._cut_logs, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        try:
            self._stop()
        except KeyboardInterrupt:  # a second interrupt must not leave a child running
            self._signal(signal.SIGKILL)
            raise

    def _cut_logs(self) -> None:
        while not self._is_over.wait(_CUT_LOGS_EVERY):
            for log in [child.log for child in self._children]:
                with suppress(OSError):
                    cut_log(log)

    def start(self, role: str, command: Command, log: Path, server: Address) -> None:
        """Start a child whose output goes to `log`."""
        self._children.append(Child(role, command, log, server))

    @contextmanager
    def connected(self, server: Server, patience: float) -> Iterator[Glue]:
        """Yield the Glue after all children have connected. Raises RefusedOptionError and GlueError."""
        try:
            server.wait_for_peers(patience, check=self.check)
            self._are_connected = True
            yield server.glue
        except ControlError:
            raise
        except GlueError as error:
            raise self.explain(error) from None

    def check(self) -> None:
        """Raise GlueError if a child has ended, or RefusedOptionError if a child has refused an option."""
        for child in self._children:
            child.check()

    def explain(self, error: GlueError) -> GlueError:
        """Return the error to report for a lost connection. The error names a child that has ended."""
        deadline = time.monotonic() + _EXPLAIN_SECONDS
        while time.monotonic() < deadline:  # a process closes its connection shortly before it ends
            try:
                self.check()
            except GlueError as end:
                return end
            time.sleep(0.05)
        return GlueError(
            f"{error}; the logs are in {self._children[0].log.parent}" if self._children else str(error)
        )

    def _stop(self) -> None:
        """Wait for the children to end. After a timeout, send SIGTERM, and finally SIGKILL."""
        if self._are_connected:
            self._wait(GOODBYE_SECONDS)
        self._signal(signal.SIGTERM)
        self._wait(TERMINATE_SECONDS)
        self._signal(signal.SIGKILL)
        for child in self._children:
            child.process.wait()
            close_input(child.process)
        self._children.clear()

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(child.status is None for child in self._children):
            time.sleep(_POLL_SECONDS)

    def _signal(self, number: int) -> None:
        for child in self._children:
            child.signal(number)


def close_input(process: subprocess.Popen[bytes]) -> None:
    """Close a child's stdin. A child that was started with CHILD then exits."""
    assert process.stdin  # noqa: S101  a pipe
    process.stdin.close()


_END_OF_LOG = 2**16  # maximum number of bytes read to find the last line of a log


def last_line(log: Path) -> str:
    """Return a phrase for an error message, with the last line of a log."""
    line = _last_line(log)
    return f"its log {log} ends: {line}" if line else f"its log {log} is empty"


def _last_line(log: Path) -> str:
    """Return the last nonblank line of a log, or an empty string."""
    with open_regular(log) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _END_OF_LOG))
        lines = file.read(_END_OF_LOG).decode(errors="replace").split("\n")
    return printable(next((line.strip() for line in reversed(lines) if line.strip()), ""))


def cut_log(log: Path) -> None:
    """Truncate a log that exceeds LARGEST_LOG. The child continues to append to the log."""
    if log.stat().st_size > LARGEST_LOG:
        os.truncate(log, LARGEST_LOG // 2)
        with log.open("ab") as file:
            file.write(f"\n[cut here: a log has at most {LARGEST_LOG:,} bytes]\n".encode())
