"""Other programs as players, over GTP 2 (Go Text Protocol) or NBoard 2 (the protocol of Welty's program)."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, takewhile

import numpy as np

from othello_lab.game.board import Board, Squares
from othello_lab.game.catalogue import Entry
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, square_name
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.players.process import OPTIONS, START_SECONDS, Launch, LineProgram, launch_of
from othello_lab.game.registry import Spec

ANSWER = re.compile(r"[=?](?![=?])")  # The prefix of an answer in GTP.
_MOST_POSITIONS = 50_000  # The maximum number of positions in a search of `retrace`, enough for 14 plies.
_MOVE = "==="  # The prefix of a move in NBoard.


class GtpEngine:
    """A GTP program, which plays its own moves on its board and reaches a position only by moves."""

    plays_its_moves = True

    def __init__(self, program: LineProgram) -> None:
        self._program = program
        self._passes_by_itself = False
        self._size = self._ply = 0

    def set_up(self, start: Board) -> None:
        """Begin a game at a position. Raises UnplayableError if no moves lead to this position."""
        line = retrace(start)
        if line is None:
            raise UnplayableError(
                f"{self._program.name} is set up by moves, but none were found from the standard start "
                f"to {start}"
            )
        accepted, answer = self._order(f"boardsize {start.size}")
        if not accepted:
            size = f"{start.size}x{start.size}"
            raise UnplayableError(f"{self._program.name} does not play on a board of {size}: {answer}")
        self._ask("clear_board")
        self._size, self._ply = start.size, 0
        for move in line:
            self.tell(move)

    def tell(self, move: int) -> None:
        """Send the next move or pass to the program."""
        if move != PASS:
            self._ask(f"play {self._colour} {square_name(move, self._size)}")
        # Some programs expect passes. Some programs, such as gtp-rhino, reject passes and pass by themselves.
        elif not self._passes_by_itself:
            accepted, _ = self._order(f"play {self._colour} pass")
            self._passes_by_itself = not accepted
        self._ply += 1

    def choose(self, board: Board) -> int:
        """Let the program play a move, and return this move."""
        move = self._program.read_move(self._ask(f"genmove {self._colour}"), board)
        self._ply += 1
        return move

    @property
    def _colour(self) -> str:
        """The side to move. Passes count as plies, so black and white alternate."""
        return "white" if self._ply % 2 else "black"

    def _ask(self, command: str) -> str:
        """Return the answer to a command. Raises Forfeit if the program rejects the command."""
        accepted, answer = self._order(command)
        if not accepted:
            raise self._program.forfeit(f"refused {command!r}: {answer}")
        return answer

    def _order(self, command: str) -> tuple[bool, str]:
        """Return (accepted, answer) for a command. Raises Forfeit for an invalid answer."""
        status, answer = _read_answer(self._program.ask(command))
        if not status:
            raise self._program.forfeit(f"answered rubbish to {command!r}: {answer[:60]!r}")
        return status == "=", answer


def _read_answer(lines: Iterator[str]) -> tuple[str, str]:
    """Read one answer. Return `=` or `?` and the text, or "" and the first line of an invalid answer."""
    first = next(line for line in lines if line.strip())
    if not ANSWER.match(first):
        return "", first  # an invalid answer may never end
    return first[0], "\n".join([first[1:].strip(), *takewhile(str.strip, lines)])


@lru_cache
def retrace(board: Board) -> list[int] | None:
    """Return moves and passes from the start to `board`, or to `board` with swapped colours, or None."""
    game = Game(Board.start(board.size))
    discs = board.black | board.white
    seen: set[Board] = set()

    def search() -> bool:
        here = game.board
        if here in seen or len(seen) >= _MOST_POSITIONS:
            return False
        seen.add(here)
        if here.own == board.own and here.opponent == board.opponent:
            return True
        # Discs stay on the board, so every move goes to a square that has a disc in `board`.
        moves = [PASS] if here.must_pass else list(Squares(here.legal_moves.bits & discs))
        for move in moves:
            game.play(move)
            if search():
                return True
            game.undo()
        return False

    return game.moves if search() else None


class NBoardEngine:
    """An NBoard program, which must receive every move, including its own moves."""

    plays_its_moves = False

    def __init__(self, program: LineProgram, depth: int) -> None:
        """Send the search depth to a program after the greeting. The program may then load data."""
        self._program, self._size = program, 0
        lines = program.ask(f"set depth {depth}", "ping 2", extra_seconds=START_SECONDS)
        next(line for line in lines if line.split() == ["pong", "2"])

    def set_up(self, start: Board) -> None:
        """Begin a game at any position."""
        self._program.tell(f"set game {_as_ggf(start)}")
        self._size = start.size

    def tell(self, move: int) -> None:
        """Send the next move or pass to the program."""
        self._program.tell(f"move {'PA' if move == PASS else square_name(move, self._size).upper()}")

    def choose(self, board: Board) -> int:
        """Return the program's move. The program has not played this move yet."""
        line = next(line for line in self._program.ask("go") if line.startswith(_MOVE))
        move, *_ = re.split(r"[/\s]", line.removeprefix(_MOVE).strip())
        return self._program.read_move(move, board)


def _as_ggf(board: Board) -> str:
    """Return the GGF text of a game without moves. There is no clock, because each answer has a timeout."""
    cells, turn = str(board).replace("X", "*").split()
    size = board.size
    return f"(;GM[Othello]PC[NBoard]PB[black]PW[white]RE[?]TY[{size}]BO[{size} {cells} {turn}];)"


_GREETING = ("nboard 2", "ping 1", "name")  # The first commands of NBoard, and a command of GTP.
_NBOARD_ANSWER = "pong 1"
# The default search depth of an NBoard program in plies. Some programs do not search without a depth.
DEFAULT_DEPTH = 12


def connect(program: LineProgram, depth: int | None) -> GtpEngine | NBoardEngine:
    """Detect the protocol of a program, and return its engine. Raises Forfeit, or UnplayableError."""
    # NBoard programs ignore unknown commands, but expect `nboard` first. GTP programs reject `nboard`.
    lines = program.ask(*_GREETING, extra_seconds=START_SECONDS)
    try:
        first = next(line for line in lines if line.strip() == _NBOARD_ANSWER or ANSWER.match(line))
    except Forfeit as failure:
        raise Forfeit(f"{failure}; expected a program that speaks GTP or NBoard") from None
    if first.strip() == _NBOARD_ANSWER:
        return NBoardEngine(program, depth or DEFAULT_DEPTH)
    if depth is not None:
        raise UnplayableError(f"{program.name} speaks GTP, which has no words for a depth: leave out depth=")
    # The name is the first accepted answer, because a program may ignore the commands of NBoard.
    answers = chain([first], lines)
    for _ in _GREETING:
        status, answer = _read_answer(answers)
        if status == "=" and answer:
            break
    return GtpEngine(program)


class EnginePlayer(Player):
    """An external program as a player. If the program fails, the player forfeits and restarts the program."""

    def __init__(self, launch: Launch, depth: int | None = None) -> None:
        """`depth` is the search depth of an NBoard program in plies."""
        self._launch, self._depth = launch, depth
        self._program: LineProgram | None = None
        self._engine: GtpEngine | NBoardEngine | None = None
        self._start: Board | None = None  # The start of the program's game, or None before the first game.
        self._moves: list[int] = []  # The moves and passes after `_start` in the program's game.

    def start(self, game: Game) -> None:
        """Begin a new game in the program."""
        self._start = None
        with self._running() as engine:
            self._tell(engine, game)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the program's move. `rng` is not used."""
        with self._running() as engine:
            self._tell(engine, game)
            move = engine.choose(game.board)
        self._moves += [move] * engine.plays_its_moves
        return move

    def close(self) -> None:
        """End the program."""
        if self._program:
            self._program.close()
        self._program = self._engine = self._start = None

    @contextmanager
    def _running(self) -> Iterator[GtpEngine | NBoardEngine]:
        """Yield the running program. After an error, end the program, because a late answer may follow."""
        try:
            if self._engine is None:
                self._program = LineProgram(self._launch)
                self._engine = connect(self._program, self._depth)
            yield self._engine
        except BaseException:  # also KeyboardInterrupt
            self.close()
            raise

    def _tell(self, engine: GtpEngine | NBoardEngine, game: Game) -> None:
        """Send the moves that the program has not received or played yet."""
        if self._start != game.start or self._moves != game.moves[: len(self._moves)]:
            engine.set_up(game.start)
            self._start, self._moves = game.start, []
        for move in game.moves[len(self._moves) :]:
            engine.tell(move)
            self._moves.append(move)


_GAMES = ("/usr/games", "/usr/local/games")  # The superuser's PATH does not contain these folders.
_DEEPEST = 100
_EXAMPLE = "engine:gtp-rhino -l 1"


def places() -> list[str]:
    """Return the search path of engines: PATH and the folders of games."""
    return [os.environ.get("PATH", os.defpath), *_GAMES]


def _make(spec: Spec, size: int) -> Player:
    depth = spec.whole("depth", DEFAULT_DEPTH, 1, _DEEPEST) if "depth" in spec.options else None
    return EnginePlayer(launch_of(spec, places(), _EXAMPLE), depth)


ENGINE: Entry[Player] = Entry(
    _make,
    f"a program that speaks GTP or NBoard, such as {_EXAMPLE}",
    argument="COMMAND",
    options={"depth": f"plies to look ahead, for NBoard only ({DEFAULT_DEPTH})", **OPTIONS},
)
