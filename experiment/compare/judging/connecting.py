"""The Glue of an agent that is another process: one that is started here, one that connects, or elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from experiment.run.episodes.control import AnyGlue
from experiment.run.episodes.meeting import met
from experiment.run.record import AgentPart, EnvironmentPart, derive
from experiment.run.training.commands import agent_command, environment_command
from experiment.workers.trio import Trio
from game.players import catalogue as registry
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.net.address import Address, parse_address
from rlglue.server import Server


@contextmanager
def joined(server: str, patience: float) -> Iterator[AnyGlue]:
    """Join a server at HOST:PORT, where agent and environment are. Raises GlueError."""
    with connect_experiment(*parse_address(server), patience) as glue:
        yield glue
        with suppress(GlueError):  # all is over: a peer that has left by now needs no message
            glue.RL_cleanup()


@contextmanager
def hosted(
    agent: str,
    opponents: Sequence[str],
    size: int,
    where: Address,
    patience: float,
    say: Callable[[str], None],
) -> Iterator[AnyGlue]:
    """Host a server, start an environment and the agent of that command line; "": wait for one to connect.

    `opponents` are those that the environment is to take by message. Raises GlueError, CommandError.
    """
    with _logs() as logs, Trio() as children, Server(*where) as server:
        _start(children, agent, opponents, size, logs, server.address)
        if not agent:
            say("waiting for an agent on {}:{}, such as `othello agent dqn`".format(*server.address))
        with met(children, server, patience) as glue:
            yield glue
            with suppress(GlueError):
                glue.RL_cleanup()


@contextmanager
def _logs() -> Iterator[Path]:
    """Yield a new folder for logs, which stays only where there is an error to explain."""
    path = Path(mkdtemp(prefix="othello-"))
    yield path
    rmtree(path)


def _start(
    children: Trio, agent: str, opponents: Sequence[str], size: int, logs: Path, server: Address
) -> None:
    allowed = [text for text in opponents if not registry.is_built_in(text, size)]
    environment = environment_command(EnvironmentPart(size), derive(0), allowed)
    children.start("environment", environment, logs / "environment.log", server)
    if agent:
        command = agent_command(AgentPart(command=agent), derive(0), logs)
        children.start("agent", command, logs / "agent.log", server)
