"""A part in a process of its own: started, connected, asked and ended, each wait with a limit."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Self

from rlglue import wire
from rlglue.address import variables
from rlglue.errors import GlueError, PeerLost
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.hub import Hub
from rlglue.peers import AGENT, ENVIRONMENT, EXPERIMENT, Peer, Terms
from rlglue.testing.rules import BrokenRule, NoReply

HOST: Final = "127.0.0.1"
_ROLES: Final = (AGENT, ENVIRONMENT, EXPERIMENT)


class Program:
    """An agent or environment started from a command line, the only peer of a server in this process.

    The command finds the server by RLGLUE_HOST and RLGLUE_PORT, or by {host} and {port} in its words. It is
    started when it is first asked, and again after it has gone. Use it as a context, or call close().
    """

    def __init__(self, role: str, command: Sequence[str], timeout: float) -> None:
        """`timeout` is in seconds: until it connects, for each reply, and until it has ended."""
        self.role, self.command, self.timeout = role, command, timeout
        self._hub: Hub | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._log = _Log()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def agent(self) -> AgentLike:
        """The program as an agent."""
        agent: AgentLike = wire.remote(wire.AGENT_CALLS, self.request)
        return agent

    @property
    def environment(self) -> EnvironmentLike:
        """The program as an environment."""
        environment: EnvironmentLike = wire.remote(wire.ENVIRONMENT_CALLS, self.request)
        return environment

    def connected(self) -> Peer:
        """Its connection; it is started if need be. BrokenRule if it does not connect in time."""
        if self._hub is None or self.role not in self._hub.peers:
            self.close()
            self._start()
        assert self._hub is not None  # noqa: S101  _start has made it
        return self._hub.peers[self.role]

    def request(self, message_id: int, encode: wire.Encode, decode: wire.Decode, /, *arguments: Any) -> Any:  # noqa: ANN401 - those of the call
        """Exchange one request; BrokenRule if there is no answer in time or the program leaves."""
        self.connected()
        assert self._hub is not None  # noqa: S101  it is connected
        overdue = threading.Event()
        timer = threading.Timer(self.timeout, partial(self._give_up, overdue))
        timer.start()
        try:
            return self._hub.request(self.role, message_id, encode, decode, *arguments)
        except PeerLost as loss:
            if overdue.is_set():
                raise NoReply(f"no reply to {wire.NAMES[message_id]} within {self.timeout:g} s") from None
            raise BrokenRule(f"{loss}{self._how_it_ended()}") from None
        finally:
            timer.cancel()

    def listen(self, seconds: float) -> None:
        """Wait for anything that it sends unasked; PeerLost if it sends something or goes."""
        self.connected()
        assert self._hub is not None  # noqa: S101  it is connected
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._hub.poll(left)
            self._hub.raise_if_lost()

    def dismiss(self) -> int:
        """Say goodbye (kRLTerm) and give its exit code; BrokenRule if it does not end in time."""
        self.connected()
        assert self._hub is not None  # noqa: S101  it is connected
        assert self._process is not None  # noqa: S101  likewise
        self._hub.close()
        try:
            return self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            raise BrokenRule(f"it goes on {self.timeout:g} s after kRLTerm") from None
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection and end the process; a second time does nothing."""
        if self._process is not None:
            _kill(self._process)
            self._process.wait()
            self._process = None
        if self._hub is not None:
            self._hub.close()
            self._hub = None

    def _start(self) -> None:
        refused = {role: f"this is a check of an {self.role}" for role in _ROLES if role != self.role}
        hub = self._hub = Hub(HOST, 0, Terms(refused=refused))
        host, port = hub.address
        words = [word.replace("{host}", host).replace("{port}", str(port)) for word in self.command]
        with self._log:
            self._process = _started(words, {**os.environ, **variables(hub.address)})
            self._wait(hub, time.monotonic() + self.timeout)

    def _wait(self, hub: Hub, deadline: float) -> None:
        while self.role not in hub.peers:
            hub.poll(0.05)
            if self._log.lines:
                raise BrokenRule(self._log.lines[0] + self._how_it_ended())
            if ended := self._how_it_ended(0):
                raise BrokenRule(f"it did not connect as an {self.role}{ended}")
            if time.monotonic() > deadline:
                raise BrokenRule(f"it did not connect as an {self.role} within {self.timeout:g} s")

    def _how_it_ended(self, patience: float = 1.0) -> str:
        """Its exit code in words, nothing while it runs."""
        assert self._process is not None  # noqa: S101  it was started
        with suppress(subprocess.TimeoutExpired):
            return f" (it ended with exit code {self._process.wait(patience)})"
        return ""

    def _give_up(self, overdue: threading.Event) -> None:
        overdue.set()
        if self._process is not None:
            _kill(self._process)


class _Log(logging.Handler):
    """Keeps the log lines on why the hub refused a peer, which no connection tells."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def __enter__(self) -> None:
        self.lines = []
        logging.getLogger("rlglue").addHandler(self)

    def __exit__(self, *exception: object) -> None:
        logging.getLogger("rlglue").removeHandler(self)


def _started(words: Sequence[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(  # noqa: S603  the user's own command, no shell
            words, env=environment, stdin=subprocess.DEVNULL, start_new_session=sys.platform != "win32"
        )
    except OSError as error:
        raise GlueError(f"{words[0]} cannot be started: {error.strerror or error}") from None


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process at once, and on POSIX whatever it has started; only while its id is still its own."""
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
