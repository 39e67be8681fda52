"""The NBoard protocol, version 2, from the side of the board (Welty, The NBoard protocol, part of NTest)."""

import re
from collections.abc import Iterator

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.evaluators.units import DISCS
from othello_lab.game.notation import PASS, NotationError, parse_square, square_name
from othello_lab.game.players.engine.protocol import (
    START_SECONDS,
    Conversation,
    Engine,
    read_move,
    read_randomness,
    state_of,
)
from othello_lab.game.players.player import MoveValues

DEPTH = 12
"""Plies that a program looks ahead unless told otherwise: some do not think before they are told a depth."""
EXPECTED_DISCS = "discs at the end, as the program expects"
GREETING = ("nboard 2", "ping 1")
GREETED = "pong 1"
RANDOMNESS = "randomness"
GET_RANDOMNESS = f"get {RANDOMNESS}"
"""What `othello engine` understands besides; others ignore it."""
_MOVE = "==="
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]*)?"
# A move with what may follow, its value or a pair of them: what a draw is worth to black and to white.
_WORTH = rf"\(?({_NUMBER})(?:,({_NUMBER}))?\)?"
_HINT = re.compile(rf"(?:search|book)\s+([A-Za-z][0-9]{{1,2}})\S*\s+{_WORTH}\s*(.*)")
# A hint of a program that never says it is done takes this share of its time.
_SHARE = 0.5


class NBoardEngine(Engine):
    """A program that is told of every move, also of its own."""

    def __init__(self, program: Conversation, depth: int) -> None:
        """Tell the depth to one that has been greeted; it may load much then."""
        super().__init__(program)
        self._pings = 1
        program.tell(f"set depth {depth}", GET_RANDOMNESS)
        said = list(self._until_pong(START_SECONDS))
        self._borrows = any(line.startswith(RANDOMNESS) for line in said)

    def set_up(self, start: Board) -> None:
        """Begin a game at any position."""
        self._program.tell(f"set game {_as_ggf(start)}")
        self.start, self.moves = start, []

    def tell(self, move: int) -> None:
        """Say which move comes next."""
        assert self.start is not None  # noqa: S101  there is a game
        self._program.tell(f"move {'PA' if move == PASS else square_name(move, self.start.size).upper()}")
        self.moves.append(move)

    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return its move, which it has not made yet."""
        state = state_of(rng)
        if self._borrows and state:
            self._program.tell(f"set {RANDOMNESS} {state}")
        for line in self._program.ask("go"):
            if self._borrows and line.startswith(RANDOMNESS):
                read_randomness(line.removeprefix(RANDOMNESS), rng, self._program)
            if line.startswith(_MOVE):
                break
        move, *_ = re.split(r"[/\s]", line.removeprefix(_MOVE).strip())
        return read_move(move, board, self._program)

    def values(self, board: Board) -> MoveValues | None:
        """Return the last values that it says within half its time, or until it says that it is done."""
        found = dict(filter(None, (_hint(line, board) for line in self._hints(len(board.legal_moves)))))
        if not {*board.legal_moves} <= found.keys():
            return None
        values, exact = zip(*(found[square] for square in board.legal_moves), strict=True)
        return MoveValues(np.array(values), DISCS if all(exact) else EXPECTED_DISCS)

    def _hints(self, moves: int) -> Iterator[str]:
        """Yield what it says when asked for its best moves."""
        question, begun = f"hint {moves}", False
        self._program.tell(question)
        for line in self._program.hear(self._program.seconds * _SHARE, question):
            yield line
            if begun and line.startswith("status"):  # that it is done
                break
            begun = begun or bool(_HINT.match(line))
        yield from self._until_pong()

    def _until_pong(self, extra: float = 0.0) -> Iterator[str]:
        """Have it stop thinking, and yield what it has still to say."""
        self._pings += 1
        for line in self._program.ask(f"ping {self._pings}", extra=extra):
            if line.split() == ["pong", str(self._pings)]:
                return
            yield line


def _hint(line: str, board: Board) -> tuple[int, tuple[float, bool]] | None:
    """Return a move, its value and whether that is exact; None for a line that says nothing of the kind."""
    if not (found := _HINT.match(line)):
        return None
    try:
        square = parse_square(found[1], board.size)
    except NotationError:
        return None
    values = [float(text) for text in found.group(2, 3) if text]
    return square, (sum(values) / len(values), found[4].split()[1:2] == ["100%"])


def _as_ggf(board: Board) -> str:
    """Return a game that begins at a position, as NBoard writes it: the squares in one word.

    It has no TI, the time for the game: a program would share that out, but has so many seconds a move.
    """
    cells, turn = str(board).replace("X", "*").split()
    size = board.size
    return f"(;GM[Othello]PC[NBoard]PB[black]PW[white]RE[?]TY[{size}]BO[{size} {cells} {turn}];)"
