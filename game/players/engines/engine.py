"""Another program as a player, such as `engine:gtp-rhino -l 1`, over GTP or NBoard."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

import numpy as np

from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.players.engines.gtp import ANSWER, GtpEngine, read_name
from othello_lab.game.players.engines.nboard import NBoardEngine
from othello_lab.game.players.engines.process import OPTIONS, START_SECONDS, Launch, LineProgram, launch_of
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.registry import Entry, RegistryError, Spec
from othello_lab.game.values import MoveValues

_GREETINGS = {"gtp": ("name",), "nboard": ("nboard 2", "ping 1")}
"""The first commands of each protocol."""
_NBOARD_ANSWER = "pong 1"
DEFAULT_DEPTH = 12
"""The default search depth of an NBoard program in plies: some programs do not search without a depth."""


def connect(program: LineProgram, protocol: str | None, depth: int | None) -> GtpEngine | NBoardEngine:
    """Greet a program that has just started; return it by its protocol, None to find out which it speaks.

    The lines before its first answer are a banner. Raises Forfeit, and UnplayableError for a protocol or a
    depth that the program does not support.
    """
    # NBoard programs ignore other commands, but theirs has to be the first; GTP programs refuse it.
    questions = _GREETINGS[protocol] if protocol else (*_GREETINGS["nboard"], *_GREETINGS["gtp"])
    lines = program.ask(*questions, extra=START_SECONDS)
    try:
        first = next(line for line in lines if line.strip() == _NBOARD_ANSWER or ANSWER.match(line))
    except Forfeit as failure:
        raise Forfeit(f"{failure}; expected a program that speaks GTP or NBoard") from None
    if first.strip() == _NBOARD_ANSWER:
        return NBoardEngine(program, depth or DEFAULT_DEPTH)
    if protocol == "nboard":
        raise UnplayableError(f"{program.name} speaks GTP: leave out protocol=nboard")
    if depth is not None:
        raise UnplayableError(f"{program.name} speaks GTP, which has no words for a depth: leave out depth=")
    return GtpEngine(program, read_name(chain([first], lines), len(questions)))


class EnginePlayer(Player):
    """A player whose moves another program chooses. A program that dies, hangs or answers nonsense forfeits.

    The program starts when it is first needed, and again after a forfeit. It gets the moves just before it
    chooses. A new game or an undo sets the program up again.
    """

    def __init__(self, launch: Launch, protocol: str | None = None, depth: int | None = None) -> None:
        """None as `protocol` finds it out; `depth` is NBoard's, in plies."""
        self._launch, self._protocol, self._depth = launch, protocol, depth
        self._program: LineProgram | None = None
        self._engine: GtpEngine | NBoardEngine | None = None

    def start(self, game: Game) -> None:
        """Begin a new game in the program."""
        with self._running() as engine:
            engine.set_up(game.boards[0])
            _tell(engine, game)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the program's move; only `othello engine` uses `rng`."""
        with self._running() as engine:
            _tell(engine, game)
            return engine.choose(game.board, rng)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the program's values of the moves; None unless it gives a value for each move."""
        with self._running() as engine:
            _tell(engine, game)
            return engine.values(game.board) if isinstance(engine, NBoardEngine) else None

    def close(self) -> None:
        """End the program."""
        if self._program:
            self._program.close()
        self._program = self._engine = None

    @contextmanager
    def _running(self) -> Iterator[GtpEngine | NBoardEngine]:
        """Yield the running program; end it after an error: a late answer would be taken for the next."""
        try:
            if self._engine is None:
                self._program = LineProgram(self._launch)
                self._engine = connect(self._program, self._protocol, self._depth)
            yield self._engine
        except BaseException:  # also KeyboardInterrupt
            self.close()
            raise


def _tell(engine: GtpEngine | NBoardEngine, game: Game) -> None:
    """Tell a program the moves of a game that it does not know yet."""
    if engine.start != game.boards[0] or engine.moves != game.moves[: len(engine.moves)]:
        engine.set_up(game.boards[0])
    for move in game.moves[len(engine.moves) :]:
        engine.tell(move)


# Where the file system standard puts games; the superuser's PATH leaves these folders out.
_GAMES = ("/usr/games", "/usr/local/games")
_DEEPEST = 100
_EXAMPLE = "engine:gtp-rhino -l 1"


def places() -> list[str]:
    """Return the folders to search for engines: those of PATH, then those of games."""
    return [os.environ.get("PATH", os.defpath), *_GAMES]


def _make(spec: Spec, size: int) -> Player:
    return EnginePlayer(launch_of(spec, places(), _EXAMPLE), _protocol(spec), _depth(spec))


def _protocol(spec: Spec) -> str | None:
    protocol = spec.options.get("protocol")
    if protocol not in (None, *_GREETINGS):
        raise RegistryError(f"{spec.name}: protocol is {protocol!r}, expected {' or '.join(_GREETINGS)}")
    return protocol


def _depth(spec: Spec) -> int | None:
    if "depth" not in spec.options:
        return None
    if _protocol(spec) == "gtp":
        raise RegistryError(f"{spec.name}: GTP has no words for a depth: leave out depth=")
    return spec.whole("depth", DEFAULT_DEPTH, 1, _DEEPEST)


ENGINE: Entry[Player] = Entry(
    _make,
    f"a program that speaks GTP or NBoard, such as {_EXAMPLE}",
    argument="COMMAND",
    options={
        "protocol": f"{' or '.join(_GREETINGS)} (found out by its answers)",
        "depth": f"plies to look ahead, where it speaks NBoard ({DEFAULT_DEPTH})",
        **OPTIONS,
    },
)
