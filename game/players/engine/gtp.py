"""The Go Text Protocol, version 2, from the side that asks; Othello programs speak it too."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

import numpy as np

from othello_lab.game.board import Board, Squares
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, square_name
from othello_lab.game.players.engine.protocol import (
    Conversation,
    Engine,
    read_move,
    read_randomness,
    state_of,
)

GREETING = ("name",)
OURS = "othello-lab"
"""How the name of `othello engine` begins."""
SET_RANDOMNESS, GET_RANDOMNESS = "othello_lab-set_randomness", "othello_lab-get_randomness"
"""What it understands besides."""
ANSWER = re.compile(r"[=?](?![=?])")
"""How an answer begins."""


class RefusalError(Exception):
    """The program answered `?`: it understood, but does not want to. The text says why."""


class GtpEngine(Engine):
    """A program that makes the moves of its game itself, and can be set up by moves alone."""

    def __init__(self, program: Conversation, called: str) -> None:
        """`called` is the name that it gives itself."""
        super().__init__(program)
        self._is_ours = called.startswith(OURS)
        self._plies = 0
        self._passes_by_itself = False
        self._way: tuple[Board | None, list[int]] = (None, [])

    def set_up(self, start: Board) -> None:
        """Begin a game at a position that moves from the standard start lead to."""
        way = self._way_to(start)
        try:
            self._order(f"boardsize {start.size}")
        except RefusalError as error:
            size = f"{start.size}x{start.size}"
            raise UnplayableError(
                f"{self._program.name} does not play on a board of {size}: {error}"
            ) from None
        self._ask("clear_board")
        self.start, self.moves, self._plies = start, [], 0
        for move in way:
            self._play(move)

    def tell(self, move: int) -> None:
        """Say which move comes next."""
        self._play(move)
        self.moves.append(move)

    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return its move, which it has then made."""
        with self._lending(rng):
            answer = self._ask(f"genmove {self._colour()}")
        move = read_move(answer, board, self._program)
        self.moves.append(move)
        self._plies += 1
        return move

    @contextmanager
    def _lending(self, rng: np.random.Generator) -> Iterator[None]:
        """Have a program of ours draw from a generator."""
        state = state_of(rng)
        if not self._is_ours or not state:
            yield
            return
        self._ask(f"{SET_RANDOMNESS} {state}")
        yield
        read_randomness(self._ask(GET_RANDOMNESS), rng, self._program)

    def _way_to(self, start: Board) -> list[int]:
        if start != self._way[0]:
            way = retrace(start)
            if way is None:
                raise UnplayableError(
                    f"{self._program.name} is set up by moves, but none were found from the standard start "
                    f"to {start}"
                )
            self._way = start, way
        return self._way[1]

    def _play(self, move: int) -> None:
        if move == PASS:
            self._pass()
        else:
            assert self.start is not None  # noqa: S101  there is a game
            self._ask(f"play {self._colour()} {square_name(move, self.start.size)}")
        self._plies += 1

    def _pass(self) -> None:
        # Some programs want to hear of a pass, others make it themselves and refuse to (gtp-rhino).
        if not self._passes_by_itself:
            try:
                self._order(f"play {self._colour()} pass")
            except RefusalError:
                self._passes_by_itself = True

    def _colour(self) -> str:
        """Return who moves next: passes are plies, so black and white take turns."""
        return "white" if self._plies % 2 else "black"

    def _ask(self, command: str) -> str:
        """Return the answer to a command that no program may refuse; raises Forfeit."""
        try:
            return self._order(command)
        except RefusalError as error:
            raise self._program.forfeit(f"refused {command!r}: {error}") from None

    def _order(self, command: str) -> str:
        """Return the answer to a command; raises RefusalError, and Forfeit for rubbish."""
        status, answer = read_answer(self._program.ask(command))
        if status not in ("=", "?"):
            raise self._program.forfeit(f"answered rubbish to {command!r}: {answer[:60]!r}")
        if status == "?":
            raise RefusalError(answer)
        return answer


def read_answer(lines: Iterator[str]) -> tuple[str, str]:
    """Take the lines of an answer; return `=` or `?` and the text, without `=` or `?` just the first line."""
    first = next(line for line in lines if line.strip())
    if not ANSWER.match(first):
        return "", first  # rubbish: what follows may never end
    return first[0], "\n".join([first[1:].strip(), *takewhile(str.strip, lines)])


def read_name(lines: Iterator[str], asked: int) -> str:
    """Take the answers to questions of which GREETING is the last, and perhaps the only one known.

    Return the program's name, "" if it says none.
    """
    for _ in range(asked):
        status, answer = read_answer(lines)
        if status == "=" and answer:
            return answer
    return ""


MOST_POSITIONS = 50_000
"""How many positions are looked at, a second or two: enough for positions of the first 14 plies."""


def retrace(board: Board) -> list[int] | None:
    """Return moves, passes included, that lead from the standard start to `board`.

    The colours may come out exchanged, which makes no difference to the side to move. None if there is
    no such line, or if it was not found among the first MOST_POSITIONS positions.
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
        # A disc never leaves the board, so only squares that are taken in the end can be on the way.
        moves = [PASS] if here.must_pass else list(Squares(here.legal_moves.bits & discs))
        for move in moves:
            game.play(move)
            if search():
                return True
            game.undo()
        return False

    return game.moves if search() else None
