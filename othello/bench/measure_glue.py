"""Speed of the protocol: steps a second over TCP, and the processor time that a step takes.

Beside it stands a bare exchange of the same bytes, with the same layout: three processes where the middle one
asks the two others in turn. They are measured in alternating rounds, so that a noisy machine disturbs both
alike. No virtual machine repeats its wall time: the processor time of a step is what can be compared.
"""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final, TypeAlias

from othello.bench.glue_parts import (
    INTS,
    Client,
    check_alive,
    processes,
    processor_time,
    serve_alone,
    trivial_agent,
    trivial_environment,
)
from rlglue.client import connect_experiment
from rlglue.codec.proxies import GlueProxy
from rlglue.glue import Glue
from rlglue.net.transport import BLOCK, Connection, Listener, connect
from rlglue.server import Server

ROUNDS: Final = 5
# Lengths on the wire of a step with 256 ints: request and answer of the environment, then of the agent.
_STEP_BYTES: Final = ((24, 8 + 12 + 12 + 4 * INTS), (8 + 8 + 12 + 4 * INTS, 24))

Times: TypeAlias = dict[str, tuple[float, float]]
"""Processor time of each process, in seconds: user and system."""


@dataclass(frozen=True)
class Speed:
    """Steps in this many seconds by the clock, and the processor time that they took."""

    steps: int
    seconds: float
    times: Times

    def __str__(self) -> str:
        parts = [
            f"{name} {1e6 * user / self.steps:.1f} + {1e6 * system / self.steps:.1f}"
            for name, (user, system) in self.times.items()
        ]
        return (
            f"{self.steps / self.seconds:,.0f} steps/s by the clock; "
            f"processor time of a step in microseconds, user + system: {', '.join(parts)}"
        )


@dataclass(frozen=True)
class Comparison:
    """A hosted server beside bare sockets: what the first took in all, and medians over the rounds."""

    hosted: Speed
    glue: float
    raw: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"rlglue {self.glue:,.0f} steps/s, bare sockets {self.raw:,.0f} steps/s, ratio {self.ratio:.2f}"
            f" ({INTS} ints, {ROUNDS} rounds of each)\n"
            f"hosted server: {self.hosted}"
        )


@contextmanager
def hosted(agent: Client = trivial_agent, environment: Client = trivial_environment) -> Iterator[Glue]:
    """A Glue in this process over agent and environment in processes of their own."""
    with (
        contextlib.closing(Server("127.0.0.1", 0)) as server,
        processes((agent, server.address), (environment, server.address)) as started,
    ):
        server.wait_for_peers(check=lambda: check_alive(started))
        yield server.glue
        server.close()  # before the processes are waited for


def measure(glue: Glue | GlueProxy, seconds: float, here: str, max_steps: int = 1000) -> Speed:
    """Run episodes of up to `max_steps` for about `seconds`; `here` names this process.

    Agent and environment must answer a message with their processor time.
    """
    glue.RL_init()
    before = _times(glue, here)
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        glue.RL_episode(max_steps)
        steps += glue.RL_num_steps()
        now = time.perf_counter()
    return Speed(steps, now - start, _less(_times(glue, here), before))


def _times(glue: Glue | GlueProxy, here: str) -> Times:
    told = {
        here: processor_time(),
        "agent": glue.RL_agent_message(""),
        "environment": glue.RL_env_message(""),
    }
    return {name: (float(text.split()[0]), float(text.split()[1])) for name, text in told.items()}


def _less(after: Mapping[str, tuple[float, float]], before: Mapping[str, tuple[float, float]]) -> Times:
    return {
        name: (user - before[name][0], system - before[name][1]) for name, (user, system) in after.items()
    }


def run(seconds: float = 10.0) -> Comparison:
    """Compare server and clients with bare sockets, for about `seconds` in all."""
    slice_seconds = seconds / (2 * ROUNDS)
    with hosted() as glue, _bare_exchange() as exchange:
        pairs = [
            (measure(glue, slice_seconds, "server"), _bare_steps_per_second(exchange, slice_seconds))
            for _ in range(ROUNDS)
        ]
    speeds = [ours.steps / ours.seconds for ours, _ in pairs]
    return Comparison(
        _sum([ours for ours, _ in pairs]),
        statistics.median(speeds),
        statistics.median(raw for _, raw in pairs),
        statistics.median(speed / raw for speed, (_, raw) in zip(speeds, pairs, strict=True)),
    )


def _sum(speeds: list[Speed]) -> Speed:
    times = {
        name: (sum(speed.times[name][0] for speed in speeds), sum(speed.times[name][1] for speed in speeds))
        for name in speeds[0].times
    }
    return Speed(sum(speed.steps for speed in speeds), sum(speed.seconds for speed in speeds), times)


def run_alone(seconds: float = 5.0) -> Speed:
    """The trivial agent and environment on a server alone, for an experiment elsewhere: four processes."""
    pipe, far_end = get_context("spawn").Pipe()
    with processes((serve_alone, (far_end,))):
        address = pipe.recv()
        with processes((trivial_agent, address), (trivial_environment, address)):
            with connect_experiment(*address) as glue:
                speed = measure(glue, seconds, "experiment")
            times = {"server": pipe.recv(), **speed.times}
    return Speed(speed.steps, speed.seconds, times)


@contextmanager
def _bare_exchange() -> Iterator[Callable[[], None]]:
    """One step of a bare exchange, as a function: the same messages, neither read nor made."""
    listener = Listener("127.0.0.1", 0)
    peers: list[Connection] = []
    try:
        with processes((_echo_environment, listener.address)):
            peers.append(_accept(listener))
            with processes((_echo_agent, listener.address)):
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


if __name__ == "__main__":
    print(run())
    print(f"server alone, experiment elsewhere: {run_alone()}")
