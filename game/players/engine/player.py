"""Another program as a player."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from game.game import Game
from game.players.base import Player
from game.players.engine.connecting import connect
from game.players.engine.conversation import Conversation
from game.players.engine.protocol import Engine
from game.players.values import MoveValues

SECONDS = 10.0
"""The time for each answer, unless told otherwise."""


class EnginePlayer(Player):
    """Another program, asked for its moves. One that dies, hangs or talks rubbish forfeits.

    It is started when it is first needed, and again after a forfeit. It hears of the moves just before it is
    asked, and of all of them again when the game has gone another way than it knows: a new game, an undo.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = SECONDS,
        name: str = "",
        protocol: str | None = None,
        depth: int | None = None,
        folder: Path | None = None,
    ) -> None:
        """It has `seconds` for each answer. None as `protocol` finds out, `depth` is NBoard's, in plies.

        It runs in `folder`, by default in the one that this process is in.
        """
        self._command, self._folder = command, folder
        self._seconds = seconds
        self._name = name or os.path.basename(command[0])
        self._protocol, self._depth = protocol, depth
        self._engine: Engine | None = None

    def start(self, game: Game) -> None:
        """Begin a new game in the program."""
        with self._running() as engine:
            engine.set_up(game.boards[0])
            _tell(engine, game)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the program's move; its randomness is its own, unless it is a program of ours."""
        with self._running() as engine:
            _tell(engine, game)
            return engine.choose(game.board, rng)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return what the program says that the moves are worth; None where it does not say so of each."""
        with self._running() as engine:
            _tell(engine, game)
            return engine.values(game.board)

    def close(self) -> None:
        """End the program."""
        if self._engine:
            self._engine.close()
        self._engine = None

    @contextmanager
    def _running(self) -> Iterator[Engine]:
        """Yield the running program; end it if anything fails: a late answer would be taken for another."""
        if self._engine is None:
            self._engine = self._started()
        try:
            yield self._engine
        except BaseException:  # also KeyboardInterrupt
            self.close()
            raise

    def _started(self) -> Engine:
        program = Conversation(self._command, self._name, self._seconds, self._folder)
        try:
            return connect(program, self._protocol, self._depth)
        except BaseException:
            program.close()
            raise


def _tell(engine: Engine, game: Game) -> None:
    """Have a program know a game so far."""
    if engine.start != game.boards[0] or engine.moves != game.moves[: len(engine.moves)]:
        engine.set_up(game.boards[0])
    for move in game.moves[len(engine.moves) :]:
        engine.tell(move)
