"""Agent and environment as children of this process, which meet at its server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from experiment.run.episodes.control import AnyGlue, ControlError
from experiment.workers.trio import Trio
from rlglue.errors import GlueError
from rlglue.server import Server


@contextmanager
def met(
    children: Trio, server: Server, patience: float, on_wait: Callable[[str], None] = lambda _: None
) -> Iterator[AnyGlue]:
    """Wait until both have connected and yield their Glue; a lost connection says how a child has ended.

    `on_wait` is told once for each peer what is waited for. Raises GlueError.
    """
    try:
        server.wait_for_peers(patience, on_wait=on_wait, check=children.check)
        children.connected = True
        yield server.glue
    except ControlError:
        raise
    except GlueError as error:
        raise children.explain(error) from None
