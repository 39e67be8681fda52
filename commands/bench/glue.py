"""Speed of the protocol: steps a second over TCP, and the processor time of a step (`othello bench glue`).

Beside it stands a bare exchange of the same bytes, with the same layout: three processes where the middle one
asks the two others in turn. They are measured in alternating rounds, so that a noisy machine disturbs both
alike. No virtual machine repeats its wall time: the processor time of a step is what can be compared.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.commands.bench.glue_parts import (
    INTS,
    check_alive,
    echo,
    othello_environment,
    processes,
    processor_time,
    random_agent,
    receive_exactly,
    serve_alone,
    trivial_agent,
    trivial_environment,
)
from rlglue.client import connect_experiment
from rlglue.codec.proxies import GlueProxy
from rlglue.glue import Glue
from rlglue.net.transport import Connection, Listener
from rlglue.server import Server

ROUNDS: Final = 5
# Lengths on the wire of a step with 256 ints: request and answer of the environment, then of the agent.
_STEP_BYTES: Final = ((24, 8 + 12 + 12 + 4 * INTS), (8 + 8 + 12 + 4 * INTS, 24))

Client: TypeAlias = Callable[[str, int], None]
"""Runs in a process of its own: connects to host and port and answers until the end. Must be importable."""
Times: TypeAlias = dict[str, NDArray[np.float64]]
"""Processor time of each process, in seconds: user and system."""


@dataclass(frozen=True)
class Speed:
    """Steps in this many seconds by the clock, and the processor time that they took."""

    steps: int
    seconds: float
    times: Times

    def __str__(self) -> str:
        took = {name: 1e6 * each / self.steps for name, each in self.times.items()}
        parts = ", ".join(f"{name} {user:.1f} + {system:.1f}" for name, (user, system) in took.items())
        return (
            f"{self.steps / self.seconds:,.0f} steps/s by the clock; "
            f"processor time of a step in microseconds, user + system: {parts}"
        )


def report(seconds: float) -> Iterator[str]:
    """Yield the lines of the table; the comparison takes this many seconds, and each other figure half."""
    yield from compare(seconds)
    yield f"server alone, experiment elsewhere: {run_alone(seconds / 2)}"
    with hosted(random_agent, othello_environment) as glue:
        measure(glue, 0.5, "server")  # starts and caches count for nothing
        speed = measure(glue, seconds / 2, "server")
    yield f"random agent, Othello environment 8x8: {speed}"


def compare(seconds: float) -> Iterator[str]:
    """Yield lines about a hosted server beside bare sockets: medians, and what the server took in all."""
    turn = seconds / (2 * ROUNDS)
    with hosted() as glue, _bare_exchange() as exchange:
        pairs = [(measure(glue, turn, "server"), _bare_speed(exchange, turn)) for _ in range(ROUNDS)]
    ours = [speed for speed, _ in pairs]
    rate = statistics.median(speed.steps / speed.seconds for speed in ours)
    raw = statistics.median(other for _, other in pairs)
    ratio = statistics.median(speed.steps / speed.seconds / other for speed, other in pairs)
    yield (
        f"rlglue {rate:,.0f} steps/s, bare sockets {raw:,.0f} steps/s, ratio {ratio:.2f}"
        f" ({INTS} ints, {ROUNDS} rounds of each)"
    )
    times = {name: np.sum([speed.times[name] for speed in ours], axis=0) for name in ours[0].times}
    steps, passed = sum(speed.steps for speed in ours), sum(speed.seconds for speed in ours)
    yield f"hosted server: {Speed(steps, passed, times)}"


def run_alone(seconds: float) -> Speed:
    """The trivial agent and environment on a server alone, for an experiment elsewhere: four processes."""
    pipe, far_end = get_context("spawn").Pipe()
    with processes((serve_alone, (far_end,))):
        address = pipe.recv()
        with processes((trivial_agent, address), (trivial_environment, address)):
            with connect_experiment(*address) as glue:
                speed = measure(glue, seconds, "experiment")
            times = {"server": pipe.recv(), **speed.times}
    return Speed(speed.steps, speed.seconds, times)


def measure(glue: Glue | GlueProxy, seconds: float, here: str, max_steps: int = 1000) -> Speed:
    """Run episodes of up to `max_steps` for about `seconds`; `here` names this process.

    Agent and environment must answer a message with their processor time.
    """
    glue.RL_init()
    before, steps = _times(glue, here), 0
    start = now = time.perf_counter()
    while now - start < seconds:
        glue.RL_episode(max_steps)
        steps += glue.RL_num_steps()
        now = time.perf_counter()
    after = _times(glue, here)
    return Speed(steps, now - start, {name: each - before[name] for name, each in after.items()})


def _times(glue: Glue | GlueProxy, here: str) -> Times:
    told = {
        here: processor_time(),
        "agent": glue.RL_agent_message(""),
        "environment": glue.RL_env_message(""),
    }
    return {name: np.array(text.split(), float) for name, text in told.items()}


@contextmanager
def hosted(agent: Client = trivial_agent, environment: Client = trivial_environment) -> Iterator[Glue]:
    """A Glue in this process over agent and environment in processes of their own."""
    with (
        closing(Server("127.0.0.1", 0)) as server,
        processes((agent, server.address), (environment, server.address)) as started,
    ):
        server.wait_for_peers(check=lambda: check_alive(started))
        yield server.glue
        server.close()  # before the processes are waited for


@contextmanager
def _bare_exchange() -> Iterator[Callable[[], None]]:
    """One step of a bare exchange, as a function: the same messages, neither read nor made."""
    with closing(Listener("127.0.0.1", 0)) as listener:
        echoes = [(echo, (*listener.address, *lengths)) for lengths in _STEP_BYTES]
        with processes(echoes[0]):
            environment = _accept(listener)
            with processes(echoes[1]), closing(environment), closing(_accept(listener)) as agent:
                plan = [
                    (peer, bytes(size), answer_size)
                    for peer, (size, answer_size) in zip((environment, agent), _STEP_BYTES, strict=True)
                ]
                yield lambda: _bare_step(plan)


def _accept(listener: Listener) -> Connection:
    while (connection := listener.accept()) is None:
        time.sleep(0.01)
    return connection


def _bare_step(plan: list[tuple[Connection, bytes, int]]) -> None:
    for peer, request, answer_size in plan:
        peer.send_all(request)
        receive_exactly(peer, answer_size)


def _bare_speed(step: Callable[[], None], seconds: float) -> float:
    """Return steps a second."""
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        for _ in range(1000):
            step()
        steps += 1000
        now = time.perf_counter()
    return steps / (now - start)
