"""The NBoard protocol, version 2, from the side of the board (Welty, The NBoard protocol, part of NTest)."""

import re
from collections.abc import Iterator

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.notation import PASS, NotationError, parse_square, square_name
from othello_lab.game.players.engines.process import START_SECONDS, LineProgram, state_of
from othello_lab.game.values import DISCS, MoveValues

EXPECTED_DISCS = "discs at the end, as the program expects"
RANDOMNESS = "randomness"
GET_RANDOMNESS = f"get {RANDOMNESS}"
"""A command that `othello engine` has besides those of the protocol; other programs ignore it."""
_MOVE = "==="
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]*)?"
# A move, and its value or a pair of values: what a draw is worth to black and to white.
_VALUE = rf"\(?({_NUMBER})(?:,({_NUMBER}))?\)?"
_HINT = re.compile(rf"(?:search|book)\s+([A-Za-z][0-9]{{1,2}})\S*\s+{_VALUE}\s*(.*)")
_HINT_SHARE = 0.5
"""Share of the time limit after which the hints end, for a program that never says that it is done."""


class NBoardEngine:
    """A program that must be told every move, including its own moves."""

    def __init__(self, program: LineProgram, depth: int) -> None:
        """Tell a program that has been greeted its depth; it may load data then."""
        self.start: Board | None = None
        """The position in which its game began, None before there is a game."""
        self.moves: list[int] = []
        """The moves since then that the program knows, passes included."""
        self._program = program
        self._pings = 1
        program.tell(f"set depth {depth}", GET_RANDOMNESS)
        lines = list(self._until_pong(START_SECONDS))
        self._is_ours = any(line.startswith(RANDOMNESS) for line in lines)

    def set_up(self, start: Board) -> None:
        """Begin a game at any position."""
        self._program.tell(f"set game {_as_ggf(start)}")
        self.start, self.moves = start, []

    def tell(self, move: int) -> None:
        """Tell the program the next move or pass."""
        assert self.start is not None  # noqa: S101  there is a game
        self._program.tell(f"move {'PA' if move == PASS else square_name(move, self.start.size).upper()}")
        self.moves.append(move)

    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return the program's move, which it has not made yet. `othello engine` draws from `rng`."""
        state = state_of(rng) if self._is_ours else None
        if state:
            self._program.tell(f"set {RANDOMNESS} {state}")
        for line in self._program.ask("go"):
            if self._is_ours and line.startswith(RANDOMNESS):
                self._program.read_randomness(line.removeprefix(RANDOMNESS), rng)
            if line.startswith(_MOVE):
                break
        move, *_ = re.split(r"[/\s]", line.removeprefix(_MOVE).strip())
        return self._program.read_move(move, board)

    def values(self, board: Board) -> MoveValues | None:
        """Return the program's last values within half its time limit, or until it reports that it is done.

        Return None unless there is a value for each legal move.
        """
        found = dict(filter(None, (_hint(line, board) for line in self._hints(len(board.legal_moves)))))
        if not {*board.legal_moves} <= found.keys():
            return None
        values, exact = zip(*(found[square] for square in board.legal_moves), strict=True)
        return MoveValues(np.array(values), DISCS if all(exact) else EXPECTED_DISCS)

    def _hints(self, moves: int) -> Iterator[str]:
        """Ask for the values of the best moves; yield the lines of the answer."""
        question, begun = f"hint {moves}", False
        self._program.tell(question)
        for line in self._program.hear(self._program.seconds * _HINT_SHARE, question):
            yield line
            if begun and line.startswith("status"):  # that it is done
                break
            begun = begun or bool(_HINT.match(line))
        yield from self._until_pong()

    def _until_pong(self, extra: float = 0.0) -> Iterator[str]:
        """Interrupt the program; yield the lines that it still writes."""
        self._pings += 1
        for line in self._program.ask(f"ping {self._pings}", extra=extra):
            if line.split() == ["pong", str(self._pings)]:
                return
            yield line


def _hint(line: str, board: Board) -> tuple[int, tuple[float, bool]] | None:
    """Return a move, its value and whether the value is exact; None for a line that is no hint."""
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

    Without TI, the time for the game: programs would divide it among the moves, but each has its own limit.
    """
    cells, turn = str(board).replace("X", "*").split()
    size = board.size
    return f"(;GM[Othello]PC[NBoard]PB[black]PW[white]RE[?]TY[{size}]BO[{size} {cells} {turn}];)"
