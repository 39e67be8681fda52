"""Processes of the benchmark of the protocol: the smallest agent and environment, and others."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import Any, Final

import numpy as np

from rlglue.agent.Agent import Agent
from rlglue.client import serve_agent, serve_environment
from rlglue.environment.Environment import Environment
from rlglue.net.transport import BLOCK, Connection, connect
from rlglue.server import Server
from rlglue.types import Action, Observation, Reward_observation_terminal

INTS: Final = 256


class _Agent(Agent):
    """Answers every observation with the same int, which is encoded anew each time."""

    def __init__(self) -> None:
        self._action = Action()
        self._action.intArray = [1]

    def agent_start(self, observation: Observation) -> Action:
        return self._action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        return self._action


class _Environment(Environment):
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


def processor_time(message: str = "") -> str:
    """Seconds of processor time of this process, user and system: the answer to any message."""
    times = os.times()
    return f"{times.user} {times.system}"


def _serve_agent(agent: Any, host: str, port: int) -> None:  # noqa: ANN401  any that serve_agent takes
    vars(agent)["agent_message"] = processor_time
    serve_agent(agent, host, port)


def _serve_environment(environment: Any, host: str, port: int) -> None:  # noqa: ANN401  likewise
    vars(environment)["env_message"] = processor_time
    serve_environment(environment, host, port)


def trivial_agent(host: str, port: int) -> None:
    """The agent of the comparison, as a process."""
    _serve_agent(_Agent(), host, port)


def trivial_environment(host: str, port: int) -> None:
    """The environment of the comparison, as a process."""
    _serve_environment(_Environment(), host, port)


def random_agent(host: str, port: int) -> None:
    """An agent that plays at random, as a process."""
    from othello_lab.agent.make import make_agent

    _serve_agent(make_agent("random"), host, port)


def othello_environment(host: str, port: int) -> None:
    """The Othello environment on 8x8, as a process."""
    from othello_lab.environment.othello import OthelloEnvironment

    _serve_environment(OthelloEnvironment(), host, port)


def serve_alone(pipe: Pipe) -> None:
    """Tell the address of a server alone, serve one experiment, tell the processor time."""
    with Server("127.0.0.1", 0, experiments=True) as server:
        pipe.send(server.address)
        before = os.times()
        server.serve(once=True)
        pipe.send(np.subtract(os.times(), before)[:2])


def echo(host: str, port: int, size: int, answer_size: int) -> None:
    """Answer each message of `size` bytes with `answer_size` zeros."""
    connection = connect(host, port, 10.0)
    answer = bytes(answer_size)
    while receive_exactly(connection, size):
        connection.send_all(answer)
    connection.close()


def receive_exactly(connection: Connection, size: int) -> bool:
    """False at the end of the stream."""
    missing = size
    while missing:
        data = connection.recv(min(missing, BLOCK))
        if not data:
            return False
        missing -= len(data)
    return True


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
