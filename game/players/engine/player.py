"""Another program as a player: `engine:gtp-rhino -l 1`, whose protocol is found out by its answers."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import numpy as np

from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.players.engine import gtp, launch, nboard
from othello_lab.game.players.engine.protocol import START_SECONDS, Conversation, Engine
from othello_lab.game.players.player import Forfeit, MoveValues, Player
from othello_lab.game.registry import Entry, RegistryError, Spec


class EnginePlayer(Player):
    """Another program, asked for its moves. One that dies, hangs or talks rubbish forfeits.

    It is started when it is first needed, and again after a forfeit. It hears of the moves just before it is
    asked, and of all of them again when the game has gone another way than it knows: a new game, an undo.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = launch.SECONDS,
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


# NBoard's come first: it wants to be greeted before all else, and ignores what it does not know.
_GREETINGS = {"gtp": gtp.GREETING, "nboard": nboard.GREETING, None: (*nboard.GREETING, *gtp.GREETING)}
PROTOCOLS = ("gtp", "nboard")


def connect(program: Conversation, protocol: str | None, depth: int | None) -> Engine:
    """Return a program that has just been started as what it speaks, by its answers where that is not named.

    What it writes before them is a banner. Raises Forfeit, and UnplayableError for a protocol or a depth that
    is not its own.
    """
    questions = _GREETINGS[protocol]
    lines = program.ask(*questions, extra=START_SECONDS)
    try:
        first = next(line for line in lines if line.strip() == nboard.GREETED or gtp.ANSWER.match(line))
    except Forfeit as failure:
        raise Forfeit(f"{failure}; expected a program that speaks GTP or NBoard") from None
    if first.strip() == nboard.GREETED:
        return nboard.NBoardEngine(program, depth or nboard.DEPTH)
    if protocol == "nboard":
        raise UnplayableError(f"{program.name} speaks GTP: leave out protocol=nboard")
    if depth is not None:
        raise UnplayableError(f"{program.name} speaks GTP, which has no words for a depth: leave out depth=")
    return gtp.GtpEngine(program, gtp.read_name(chain([first], lines), len(questions)))


# Where the file system standard puts them; the superuser's PATH leaves them out.
_GAMES = ("/usr/games", "/usr/local/games")
_DEEPEST = 100
_EXAMPLE = "engine:gtp-rhino -l 1"


def places() -> list[str]:
    """Return the folders in which engines are looked for."""
    return [os.environ.get("PATH", os.defpath), *_GAMES]


def make_engine(spec: Spec, size: int) -> Player:
    """Return the player that a registry text names; raise RegistryError. The program is not started yet."""
    command, folder, seconds, name = launch.launch_of(spec, places(), _EXAMPLE)
    return EnginePlayer(command, seconds, name, _protocol(spec), _depth(spec), folder)


def _protocol(spec: Spec) -> str | None:
    protocol = spec.options.get("protocol")
    if protocol not in (None, *PROTOCOLS):
        raise RegistryError(f"{spec.name}: protocol is {protocol!r}, expected {' or '.join(PROTOCOLS)}")
    return protocol


def _depth(spec: Spec) -> int | None:
    if "depth" not in spec.options:
        return None
    if _protocol(spec) == "gtp":
        raise RegistryError(f"{spec.name}: GTP has no words for a depth: leave out depth=")
    return spec.whole("depth", nboard.DEPTH, 1, _DEEPEST)


ENGINE: Entry[Player] = Entry(
    make_engine,
    f"a program that speaks GTP or NBoard, such as {_EXAMPLE}",
    argument="COMMAND",
    options={
        "protocol": f"{' or '.join(PROTOCOLS)} (found out by its answers)",
        "depth": f"plies to look ahead, where it speaks NBoard ({nboard.DEPTH})",
        **launch.OPTIONS,
    },
)
