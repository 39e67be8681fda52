"""An exception at any point of an exchange must not change the answer to the next call."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rlglue
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.requests import RemoteGlue
from rlglue.server import Server
from rlglue.transport import Connection
from tests.rlglue.parts import CountingAgent, FiveSteps, hosting, trio

pytestmark = pytest.mark.slow
OURS = str(Path(rlglue.__file__).parent)


class Interrupted(BaseException):
    """Stands for KeyboardInterrupt."""


@contextmanager
def interruption(moment: int) -> Iterator[None]:
    """Raise before the given Python instruction, counted over all instructions of this package."""
    left = moment

    def trace(frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401  itself
        nonlocal left
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left == 0:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def at_every_moment(first: Callable[[], object], then: Callable[[int], None]) -> int:
    """Call `first` with ever later interruptions, then `then` each time, and return how often."""
    moment = 0
    while True:
        moment += 1
        try:
            with interruption(moment):
                first()
        except Interrupted:
            then(moment)
        else:
            return moment


def in_pieces(connection: Connection) -> None:
    send, recv = connection.send, connection.recv
    connection.send = lambda data, *flags: send(bytes(data[:7]), *flags)
    connection.recv = lambda size, *flags: recv(min(size, 6), *flags)


@pytest.fixture
def hosted() -> Iterator[Server]:
    with hosting() as server:
        yield server


@pytest.mark.parametrize(("pieces", "looking"), [(False, False), (True, True)])
def test_of_a_server(hosted: Server, pieces: bool, looking: bool) -> None:
    glue = hosted.glue
    if pieces:
        in_pieces(hosted.peers["agent"])

    def first() -> None:
        hosted.next_look = 0.0 if looking else float("inf")
        glue.RL_agent_message("the first")

    def then(moment: int) -> None:
        assert glue.RL_agent_message(f"next {moment}") == f"NEXT {moment}"

    assert at_every_moment(first, then) > 100


@pytest.fixture
def remote() -> Iterator[RemoteGlue]:
    with trio() as server, connect_experiment(*server.address) as glue:
        yield glue


@pytest.mark.parametrize("pieces", [False, True])
def test_of_an_experiment_elsewhere(remote: RemoteGlue, pieces: bool) -> None:
    if pieces:
        in_pieces(remote._connection)

    def then(moment: int) -> None:
        assert remote.RL_env_message(f"{moment}!") == f"!{str(moment)[::-1]}"

    assert at_every_moment(lambda: remote.RL_env_message("the first"), then) > 100


def test_a_step_that_one_side_may_not_have_taken_ends_the_episode() -> None:
    agent, environment = CountingAgent(), FiveSteps()
    glue = Glue(agent, environment)
    broken_off: list[str] = []
    glue.RL_start()

    def then(moment: int) -> None:
        try:
            glue.RL_step()
        except GlueError as error:
            broken_off.append(str(error))
        glue.RL_start()

    at_every_moment(glue.RL_step, then)
    assert len(broken_off) > 20
    assert set(broken_off) == {"this episode was broken off: begin another with RL_start"}
    actions = [action for (action,) in environment.actions]
    assert len(actions) == len(set(actions)), "an action was applied twice"
