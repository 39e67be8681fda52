"""Processes of the benchmark of the protocol: the smallest agent and environment."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeAlias

import numpy as np

from rlglue.client import serve_agent, serve_environment
from rlglue.server import Server
from rlglue.types import Action, Observation, Reward_observation_terminal

INTS: Final = 256

Client: TypeAlias = Callable[[str, int], None]
"""Runs in a process of its own: connects to host and port and answers until the end. Must be importable."""


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

    def agent_message(self, message: str) -> str:
        return processor_time(message)


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

    def env_message(self, message: str) -> str:
        return processor_time(message)


def trivial_agent(host: str, port: int) -> None:
    """The agent of the comparison, as a process."""
    serve_agent(_Agent(), host, port)


def trivial_environment(host: str, port: int) -> None:
    """The environment of the comparison, as a process."""
    serve_environment(_Environment(), host, port)


def processor_time(message: str = "") -> str:
    """Seconds of processor time of this process, user and system: the answer to any message."""
    times = os.times()
    return f"{times.user} {times.system}"


def serve_alone(pipe: Pipe) -> None:
    """A server alone, as a process: tells its address, serves one experiment, tells its processor time."""
    with Server("127.0.0.1", 0, experiments=True) as server:
        pipe.send(server.address)
        before = os.times()
        server.serve(once=True)
        after = os.times()
        pipe.send((after.user - before.user, after.system - before.system))


@contextmanager
def processes(*calls: tuple[Callable[..., None], tuple[Any, ...]]) -> Iterator[list[BaseProcess]]:
    """Functions and their arguments, each in a process; at the end they are given time to leave."""
    context = get_context("spawn")
    started: list[Any] = [context.Process(target=function, args=arguments) for function, arguments in calls]
    for process in started:
        process.start()
    try:
        yield started
    finally:
        for process in started:
            process.join(5.0)
            process.kill()
            process.join()


def check_alive(started: list[BaseProcess]) -> None:
    """RuntimeError if one of the processes has ended."""
    for process in started:
        if process.exitcode is not None:
            raise RuntimeError(f"a process of the benchmark ended with exit code {process.exitcode}")
