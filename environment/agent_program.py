"""An RL-Glue agent as a child process, with a server of its own."""

import logging
import re
from collections.abc import Mapping

from othello_lab.game.players.engine.launch import Launch
from othello_lab.game.players.engine.process import Program, search_path
from othello_lab.game.players.engine.protocol import START_SECONDS
from othello_lab.game.players.player import Forfeit
from rlglue.address import DEFAULT_HOST, variables
from rlglue.errors import GlueError
from rlglue.glue import AgentLike
from rlglue.peers import AGENT
from rlglue.server import Server

_PEER = re.compile(rf"^the {AGENT} \([^)]*\) ")
"""How an error about it begins."""
_LEFT = re.compile(r"left\b.*")


class AbsentError(Forfeit):
    """A program that does not connect, or cannot load its checkpoint: to start it again would not help."""


class AgentProgram:
    """A running agent, asked by `agent`; calls raise GlueError where it fails. Who starts it closes it."""

    def __init__(self, launch: Launch, variables: Mapping[str, str]) -> None:
        """Start it with these environment variables and wait until it has connected; raise Forfeit."""
        self._launch, self._variables = launch, variables
        self._program: Program | None = None
        self._server = Server(DEFAULT_HOST, 0, answer_timeout=launch.seconds, loss_level=logging.INFO)
        self.agent: AgentLike = self._server.glue.agent
        try:
            self._program = self._started()
            self._meet(self._program)
        except BaseException:
            self.close()
            raise

    def forfeit(self, error: GlueError) -> Forfeit:
        """Return the Forfeit that says how it has failed."""
        what = _PEER.sub("", str(error))
        if self._program and _LEFT.fullmatch(what):
            what += f": it {self._program.how_it_ended()}"
        return self._lost(what)

    def close(self) -> None:
        """Say goodbye and end it; calling it again does nothing."""
        self._server.close()
        if self._program:
            self._program.close()

    def _started(self) -> Program:
        own = {**self._variables, **variables(self._server.address), "PATH": search_path()}
        try:
            return Program(self._launch.command, self._launch.folder, own)
        except OSError as error:
            raise self._lost(f"cannot be started: {error}") from None

    def _meet(self, program: Program) -> None:
        def check() -> None:
            if program.has_ended:
                raise self._lost(f"{program.how_it_ended()}, before it had connected")

        try:
            self._server.wait_for_peers(START_SECONDS, check=check, roles=(AGENT,))
        except GlueError:
            raise AbsentError(
                f"{self._launch.name} has not connected within {START_SECONDS:g} s: expected an RL-Glue agent"
            ) from None

    def _lost(self, why: str) -> Forfeit:
        return Forfeit(f"{self._launch.name} {why}")
