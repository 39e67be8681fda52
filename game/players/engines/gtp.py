"""The controller's side of the Go Text Protocol, version 2, which Othello programs also use."""

import re
from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from othello_lab.game.board import Board, Squares
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, square_name
from othello_lab.game.players.engines.process import LineProgram, state_of

OURS = "othello-lab"
"""The beginning of the name of `othello engine`."""
SET_RANDOMNESS, GET_RANDOMNESS = "othello_lab-set_randomness", "othello_lab-get_randomness"
"""Commands that `othello engine` has besides those of the protocol."""
ANSWER = re.compile(r"[=?](?![=?])")
"""The beginning of an answer."""
MOST_POSITIONS = 50_000
"""Limit of `retrace`, a second or two: enough for the positions of the first 14 plies."""


class GtpEngine:
    """A program that makes the moves of its game itself, and is set up by moves alone."""

    def __init__(self, program: LineProgram, engine_name: str) -> None:
        """`engine_name` is its answer to the command `name`."""
        self.start: Board | None = None
        """The position in which its game began, None before there is a game."""
        self.moves: list[int] = []
        """The moves since then that the program knows, passes included."""
        self._program = program
        self._is_ours = engine_name.startswith(OURS)
        self._passes_by_itself = False
        self._line: tuple[Board | None, list[int]] = (None, [])
        """A position, and the moves that lead to it from the standard start."""

    def set_up(self, start: Board) -> None:
        """Begin a game at a position reachable from the standard start, else raise UnplayableError."""
        line = self._line_to(start)
        accepted, answer = self._order(f"boardsize {start.size}")
        if not accepted:
            size = f"{start.size}x{start.size}"
            raise UnplayableError(f"{self._program.name} does not play on a board of {size}: {answer}")
        self._ask("clear_board")
        self.start, self.moves = start, []
        for ply, move in enumerate(line):
            self._play(move, ply, start.size)

    def tell(self, move: int) -> None:
        """Tell the program the next move or pass."""
        assert self.start is not None  # noqa: S101  there is a game
        self._play(move, self._ply, self.start.size)
        self.moves.append(move)

    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return the program's move, which it has then made. `othello engine` draws from `rng`."""
        state = state_of(rng) if self._is_ours else None
        if state:
            self._ask(f"{SET_RANDOMNESS} {state}")
        answer = self._ask(f"genmove {_colour(self._ply)}")
        if state:
            self._program.read_randomness(self._ask(GET_RANDOMNESS), rng)
        move = self._program.read_move(answer, board)
        self.moves.append(move)
        return move

    @property
    def _ply(self) -> int:
        """How many moves and passes the program has been told since the standard start."""
        return len(self._line[1]) + len(self.moves)

    def _line_to(self, start: Board) -> list[int]:
        if start != self._line[0]:
            line = retrace(start)
            if line is None:
                raise UnplayableError(
                    f"{self._program.name} is set up by moves, but none were found from the standard start "
                    f"to {start}"
                )
            self._line = start, line
        return self._line[1]

    def _play(self, move: int, ply: int, size: int) -> None:
        if move != PASS:
            self._ask(f"play {_colour(ply)} {square_name(move, size)}")
        # Some programs expect passes, others make them themselves and refuse the command (gtp-rhino).
        elif not self._passes_by_itself:
            accepted, _ = self._order(f"play {_colour(ply)} pass")
            self._passes_by_itself = not accepted

    def _ask(self, command: str) -> str:
        """Return the answer to a command that no program may refuse; raise Forfeit."""
        accepted, answer = self._order(command)
        if not accepted:
            raise self._program.forfeit(f"refused {command!r}: {answer}")
        return answer

    def _order(self, command: str) -> tuple[bool, str]:
        """Return whether the program accepts a command, and its answer; raise Forfeit for rubbish."""
        status, answer = read_answer(self._program.ask(command))
        if not status:
            raise self._program.forfeit(f"answered rubbish to {command!r}: {answer[:60]!r}")
        return status == "=", answer


def _colour(ply: int) -> str:
    """Return the side to move: a pass is a ply, so black and white take turns."""
    return "white" if ply % 2 else "black"


def read_answer(lines: Iterator[str]) -> tuple[str, str]:
    """Read the lines of one answer; return `=` or `?` and the text, or "" and the first line of rubbish."""
    first = next(line for line in lines if line.strip())
    if not ANSWER.match(first):
        return "", first  # rubbish may never end
    return first[0], "\n".join([first[1:].strip(), *takewhile(str.strip, lines)])


def read_name(lines: Iterator[str], count: int) -> str:
    """Read the answers to `count` questions, the last of them `name`; return the program's name or ""."""
    for _ in range(count):
        status, answer = read_answer(lines)
        if status == "=" and answer:
            return answer
    return ""


def retrace(board: Board) -> list[int] | None:
    """Return moves, passes included, that lead from the standard start to `board`.

    The colours may come out exchanged, which makes no difference to the side to move. None if there is no
    such line, or if it was not found among the first MOST_POSITIONS positions.
    """
    game = Game(Board.start(board.size))
    discs = board.black | board.white
    seen: set[Board] = set()

    def search() -> bool:
        here = game.board
        if here in seen or len(seen) >= MOST_POSITIONS:
            return False
        seen.add(here)
        if here.own == board.own and here.opponent == board.opponent:
            return True
        # A disc never leaves the board: every move goes to a square that has a disc in the end.
        moves = [PASS] if here.must_pass else list(Squares(here.legal_moves.bits & discs))
        for move in moves:
            game.play(move)
            if search():
                return True
            game.undo()
        return False

    return game.moves if search() else None
