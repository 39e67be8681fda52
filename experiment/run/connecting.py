"""Agent and environment as child processes: their command lines, and their meeting at a server."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, Seeds, table_of
from othello_lab.experiment.workers.trio import Command, Trio, split_command
from rlglue.address import CHECKPOINT_DIR, SEED
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.server import Server

AGENT_THREADS = 1
"""Of torch, in an agent that is made for a run: then the same seed gives the same run to the byte."""
# The server listens before its children start, so one that cannot be reached is gone: no need to wait long.
_PATIENCE = ("--connect-timeout", "10")

_RENAMED = {"TEXT": "--agent", "--allow-opponent": "--eval-opponent"}
"""Options of our agent and environment by the names that `othello run` has for them."""
# -P: an agent.py or a game.py in the current folder is not ours. Another program keeps its own path.
_CHILD = (sys.executable, "-P", "-m", "othello_lab.experiment.workers.child")


def agent_command(
    part: AgentPart, seeds: Seeds, checkpoints: Path | None = None, size: int | None = None
) -> Command:
    """Return the command of an agent that is known; raise CommandError.

    Our own refuses at once a board of `size` that it cannot play on. A program learns its seed and the folder
    of its checkpoints, if there is one, from environment variables.
    """
    if part.command is not None:
        folder = {} if checkpoints is None else {CHECKPOINT_DIR: str(checkpoints.absolute())}
        return replace(_third_party(part.command), variables={SEED: str(seeds.agent), **folder})
    own = [f"--seed={seeds.agent}", f"--checkpoint-dir={checkpoints}", f"--threads={AGENT_THREADS}"]
    return _ours("agent", str(part.text), *own, *([f"--size={size}"] if size else []))


def environment_command(part: EnvironmentPart, seeds: Seeds, allowed: Sequence[str] = ()) -> Command:
    """Return the command of an environment that is known; raise CommandError.

    `allowed` are opponents that our own is to take by message.
    """
    if part.command is not None:
        return _third_party(part.command)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in (table_of(part) or {}).items()]
    options += [f"--allow-opponent={text}" for text in allowed]
    return _ours("environment", *options, f"--seed={seeds.environment}", "--once")


def _ours(package: str, *arguments: str) -> Command:
    said = shlex.join(["othello", package, *arguments])
    return Command([*_CHILD, "module", f"othello_lab.{package}", *arguments, *_PATIENCE], said, _RENAMED)


def _third_party(text: str) -> Command:
    return Command([*_CHILD, "program", *split_command(text)], text)


@contextmanager
def met(children: Trio, server: Server, patience: float) -> Iterator[Glue]:
    """Wait until both have connected and yield their Glue; a lost connection says how a child has ended.

    Raises GlueError.
    """
    try:
        server.wait_for_peers(patience, check=children.check)
        children.connected = True
        yield server.glue
    except ControlError:
        raise
    except GlueError as error:
        raise children.explain(error) from None
