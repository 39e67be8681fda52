"""How fast the protocol runs here: steps a second over TCP, beside a bare exchange of the same bytes.

Both have the same layout, three processes where the middle one asks the two others in turn. They are
measured in alternating rounds, so that a noisy machine disturbs both alike; the ratio is what counts.
"""

import contextlib
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeAlias

import numpy as np

from rlglue.client import serve_agent, serve_environment
from rlglue.glue import Glue
from rlglue.server import Server
from rlglue.transport import BLOCK, Connection, Listener, connect
from rlglue.types import Action, Observation, Reward_observation_terminal

INTS: Final = 256
ROUNDS: Final = 5
# Lengths on the wire of a step with 256 ints: request and answer of the environment, then of the agent.
_STEP_BYTES: Final = ((24, 8 + 12 + 12 + 4 * INTS), (8 + 8 + 12 + 4 * INTS, 24))

Client: TypeAlias = Callable[[str, int], None]
"""Runs in a process of its own: connects to host and port and answers until the end. Must be importable."""


@dataclass(frozen=True)
class Comparison:
    """Steps a second: medians over the rounds, and the median of the rounds' ratios."""

    glue: float
    raw: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"rlglue {self.glue:,.0f} steps/s, bare sockets {self.raw:,.0f} steps/s, ratio {self.ratio:.2f}"
            f" ({INTS} ints, {ROUNDS} rounds of each)"
        )


class _Agent:
    """Answers every observation with the same int, which is encoded anew each time."""

    def __init__(self) -> None:
        self._action = Action()
        self._action.intArray = [1]

    def agent_init(self, taskSpec: str) -> None:
        pass

    def agent_start(self, observation: Observation) -> Action:
        return self._action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        return self._action

    def agent_end(self, reward: float) -> None:
        pass

    def agent_cleanup(self) -> None:
        pass

    def agent_message(self, message: str) -> None:
        pass


class _Environment:
    """Shows the same ints for ever, which are encoded anew each time."""

    def __init__(self) -> None:
        observation = Observation()
        observation.intArray = np.arange(INTS, dtype=np.int32)
        self._step = Reward_observation_terminal(0.0, observation, False)

    def env_init(self) -> str:
        return ""

    def env_start(self) -> Observation:
        return self._step.o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        return self._step

    def env_cleanup(self) -> None:
        pass

    def env_message(self, message: str) -> None:
        pass


def trivial_agent(host: str, port: int) -> None:
    """The agent of the comparison, as a process."""
    serve_agent(_Agent(), host, port)


def trivial_environment(host: str, port: int) -> None:
    """The environment of the comparison, as a process."""
    serve_environment(_Environment(), host, port)


@contextmanager
def hosted(agent: Client = trivial_agent, environment: Client = trivial_environment) -> Iterator[Glue]:
    """A Glue in this process over agent and environment in processes of their own."""
    with (
        contextlib.closing(Server("127.0.0.1", 0)) as server,
        _processes((agent, server.address), (environment, server.address)) as processes,
    ):
        server.wait_for_peers(check=lambda: _check_alive(processes))
        yield server.glue
        server.close()  # before the processes are waited for


def steps_per_second(glue: Glue, seconds: float, max_steps: int = 1000) -> float:
    """Run episodes of up to `max_steps` for about `seconds` and count their steps."""
    glue.RL_init()
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        glue.RL_episode(max_steps)
        steps += glue.RL_num_steps()
        now = time.perf_counter()
    return steps / (now - start)


def run(seconds: float = 10.0) -> Comparison:
    """Compare server and clients with bare sockets, for about `seconds` in all."""
    slice_seconds = seconds / (2 * ROUNDS)
    with hosted() as glue, _bare_exchange() as exchange:
        pairs = [
            (steps_per_second(glue, slice_seconds), _bare_steps_per_second(exchange, slice_seconds))
            for _ in range(ROUNDS)
        ]
    return Comparison(
        statistics.median(ours for ours, _ in pairs),
        statistics.median(raw for _, raw in pairs),
        statistics.median(ours / raw for ours, raw in pairs),
    )


@contextmanager
def _bare_exchange() -> Iterator[Callable[[], None]]:
    """One step of a bare exchange, as a function: the same messages, neither read nor made."""
    listener = Listener("127.0.0.1", 0)
    peers: list[Connection] = []
    try:
        with _processes((_echo_environment, listener.address)):
            peers.append(_accept(listener))
            with _processes((_echo_agent, listener.address)):
                peers.append(_accept(listener))
                plan = [
                    (peer, bytes(out), back) for peer, (out, back) in zip(peers, _STEP_BYTES, strict=True)
                ]
                yield lambda: _bare_step(plan)
                for peer in peers:
                    peer.close()
    finally:
        listener.close()


def _bare_step(plan: list[tuple[Connection, bytes, int]]) -> None:
    for peer, request, back in plan:
        peer.send_all(request)
        _receive_exactly(peer, back)


def _bare_steps_per_second(step: Callable[[], None], seconds: float) -> float:
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        for _ in range(1000):
            step()
        steps += 1000
        now = time.perf_counter()
    return steps / (now - start)


def _accept(listener: Listener) -> Connection:
    while (connection := listener.accept()) is None:
        time.sleep(0.01)
    return connection


def _receive_exactly(connection: Connection, size: int) -> bool:
    """False at the end of the stream."""
    missing = size
    while missing:
        data = connection.recv(min(missing, BLOCK))
        if not data:
            return False
        missing -= len(data)
    return True


def _echo_environment(host: str, port: int) -> None:
    _echo(host, port, *_STEP_BYTES[0])


def _echo_agent(host: str, port: int) -> None:
    _echo(host, port, *_STEP_BYTES[1])


def _echo(host: str, port: int, size: int, answer_size: int) -> None:
    connection = connect(host, port, 10.0)
    answer = bytes(answer_size)
    while _receive_exactly(connection, size):
        connection.send_all(answer)
    connection.close()


@contextmanager
def _processes(*clients: tuple[Client, tuple[str, int]]) -> Iterator[list[BaseProcess]]:
    """The clients in processes of their own; at the end they are given time to leave by themselves."""
    context = multiprocessing.get_context("spawn")
    processes: list[Any] = [context.Process(target=run, args=address) for run, address in clients]
    for process in processes:
        process.start()
    try:
        yield processes
    finally:
        for process in processes:
            process.join(5.0)
            process.kill()
            process.join()


def _check_alive(processes: list[BaseProcess]) -> None:
    for process in processes:
        if process.exitcode is not None:
            raise RuntimeError(f"a process of the benchmark ended with exit code {process.exitcode}")


if __name__ == "__main__":
    print(run())
