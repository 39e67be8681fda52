"""Start, test and end a program in another process, with a timeout on each wait."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Self, TypeAlias

from rlglue import wire
from rlglue.address import DEFAULT_HOST, variables
from rlglue.errors import GlueError, PeerLost
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.server import Server
from rlglue.testing.rules import BrokenRule, NoReply, demand

_QUIET: Final = 0.1  # The wait for unrequested messages, in seconds.


class Program:
    """A program that a command starts. {host} and {port} in the command become the server's address."""

    def __init__(self, role: str, command: Sequence[str], timeout: float) -> None:
        """Store the command. `timeout`, in seconds, is for connecting, for each answer, and for ending."""
        self.role, self.command, self.timeout = role, command, timeout
        # The program as an agent and as an environment. Each call is a request to the process.
        self.agent: AgentLike = wire.remote(wire.AGENT_CALLS, self._request)
        self.environment: EnvironmentLike = wire.remote(wire.ENVIRONMENT_CALLS, self._request)
        self._server: Server | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def connected(self) -> Server:
        """Start the program if necessary, and return its server. Raises BrokenRule if it does not connect."""
        if self._server is None or self.role not in self._server.peers:
            self.close()
            losses = list[str]()  # the reasons why the server dropped newcomers
            self._server = Server(
                DEFAULT_HOST, 0, experiments=True, answer_timeout=self.timeout, on_loss=losses.append
            )
            self._start(self._server, losses)
        return self._server

    def _start(self, server: Server, losses: list[str]) -> None:
        host, port = server.address
        command = [part.replace("{host}", host).replace("{port}", str(port)) for part in self.command]
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user's own command, no shell
                command,
                env={**os.environ, **variables(server.address)},
                stdin=subprocess.DEVNULL,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            raise GlueError(f"{command[0]} cannot be started: {error.strerror or error}") from None

        def check() -> None:
            if others := server.peers.keys() - {self.role}:
                raise BrokenRule(f"it connected as an {others.pop()}")
            if losses:
                raise BrokenRule(losses[0] + self._how_it_ended(1.0))
            if ended := self._how_it_ended(0):
                raise BrokenRule(f"it did not connect as an {self.role}{ended}")

        server.wait_for_peers(self.timeout, lambda _: None, check, (self.role,))

    def _how_it_ended(self, timeout: float) -> str:
        with suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                return f" (it ended with exit code {self._process.wait(timeout)})"
        return ""

    def _request(self, call: wire.Call, /, *arguments: Any) -> Any:  # noqa: ANN401 - the types of the call
        server, start = self.connected(), time.monotonic()
        try:
            return server.request(self.role, call, *arguments)
        except PeerLost as loss:
            if time.monotonic() - start >= self.timeout:
                raise NoReply(f"no reply to {call.name} within {self.timeout:g} s") from None
            raise BrokenRule(f"{loss}{self._how_it_ended(1.0)}") from None

    def dismiss(self) -> int:
        """Send kRLTerm and return the exit code. Raises BrokenRule if the program does not end in time."""
        self.connected().close()
        assert self._process is not None  # noqa: S101  the program is connected
        try:
            return self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            raise BrokenRule(f"it still runs {self.timeout:g} s after kRLTerm") from None
        finally:
            self.close()

    def close(self) -> None:
        """Kill the process and close the connection. A second call is a no-op."""
        if process := self._process:
            if sys.platform == "win32":
                process.kill()
            elif process.returncode is None:  # otherwise a new process may have the same id
                with suppress(ProcessLookupError, PermissionError):  # these processes have already ended
                    os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if self._server:
            self._server.close()
        self._process = self._server = None


# The checks of a program. `use` makes a short normal run with the program.

Use: TypeAlias = Callable[[Program], None]


def check_connects(program: Program, use: Use) -> None:
    """A program connects with a handshake: id 2 for an agent, 3 for an environment (RL-Glue, handshake)."""
    program.connected()


def check_quiet(program: Program, use: Use) -> None:
    """A request gets one reply with the same id, and nothing else is sent (RL-Glue, messages)."""
    use(program)
    server, deadline = program.connected(), time.monotonic() + _QUIET
    while (left := deadline - time.monotonic()) > 0:
        server.poll(left)
        server.raise_if_lost()


def check_pieces(program: Program, use: Use) -> None:
    """A message may arrive in any number of pieces (RL-Glue, transport)."""
    peer = program.connected().peers[program.role]
    send = peer.send
    peer.send = lambda data, *flags: send(data[:1], *flags)
    try:
        use(program)
    finally:
        peer.send = send


def check_goodbye(program: Program, use: Use) -> None:
    """kRLTerm (id 35) ends a program, without a reply and with exit code 0 (RL-Glue, termination)."""
    code = program.dismiss()
    demand(code == 0, f"it ended with exit code {code}")


# The checks of a program. If the first rule is broken, the other rules cannot be checked.
PROGRAM_CHECKS: Final = (check_connects, check_quiet, check_pieces, check_goodbye)
