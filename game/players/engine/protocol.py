"""A talk with another program in lines, and what every protocol makes of it."""

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.notation import PASS, NotationError, parse_square, square_name
from othello_lab.game.players.engine.process import MOST_LINES, LineProcess
from othello_lab.game.players.player import Forfeit, MoveValues

START_SECONDS = 30.0
"""How long a program may take for its first answer beyond its time for each: it may load much."""


class Conversation:
    """A running program that is told and asked things. Who talks to it ends it once it has failed."""

    def __init__(self, command: Sequence[str], name: str, seconds: float, folder: Path | None = None) -> None:
        """Start it in a folder; it has `seconds` for each answer. Raises Forfeit, which calls it `name`."""
        self.name = name
        self.seconds = seconds
        try:
            self._process = LineProcess(command, folder)
        except OSError as error:
            raise self.forfeit(f"cannot be started: {error}") from None

    def tell(self, *lines: str) -> None:
        """Send lines that have no answer; raises Forfeit if the program has gone."""
        try:
            for line in lines:
                self._process.send(line)
        except OSError:
            raise self._died(lines[0]) from None

    def ask(self, *lines: str, extra: float = 0.0) -> Iterator[str]:
        """Send lines and return those that come then, of which the caller takes what it needs.

        Raises Forfeit, also while they are taken: for a program that goes, does not stop writing, or is not
        done within its time and `extra` seconds.
        """
        self.tell(*lines)
        return self._answer(lines[-1], extra)

    def hear(self, seconds: float, question: str) -> Iterator[str]:
        """Yield the lines that come within some seconds; raises Forfeit for all but being late."""
        deadline = time.monotonic() + seconds
        for _ in range(MOST_LINES):
            try:
                line = self._process.receive(deadline)
            except TimeoutError:
                return
            if line is None:
                raise self._died(question)
            yield line
        raise self.forfeit(f"does not stop writing: more than {MOST_LINES:,} lines")

    def forfeit(self, why: str) -> Forfeit:
        """Return the Forfeit that says why it cannot go on."""
        return Forfeit(f"{self.name} {why}")

    def close(self) -> None:
        """End the program."""
        self._process.close()

    def _answer(self, question: str, extra: float) -> Iterator[str]:
        last = ""
        for line in self.hear(self.seconds + extra, question):
            yield line
            last = line.strip() or last
        said = f"; the last that it wrote is {last[:60]!r}" if last else ""
        raise self.forfeit(f"gave no answer to {question!r} within {self.seconds + extra:g} s{said}")

    def _died(self, question: str) -> Forfeit:
        return self.forfeit(f"{self._process.how_it_ended()}, instead of an answer to {question!r}")


class Engine(ABC):
    """A program with a game set up. Its methods raise Forfeit where it fails; then it is to be closed."""

    def __init__(self, program: Conversation) -> None:
        self.start: Board | None = None
        """Where its game began, None before there is one."""
        self.moves: list[int] = []
        """The moves since then that it knows, passes included."""
        self._program = program

    @abstractmethod
    def set_up(self, start: Board) -> None:
        """Begin a game; raises UnplayableError for one that it cannot play."""

    @abstractmethod
    def tell(self, move: int) -> None:
        """Say which move or pass comes next."""

    @abstractmethod
    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return its move in a position, the one that it has been told of; a legal one.

        A program of ours draws from `rng`, any other has randomness of its own.
        """

    def values(self, board: Board) -> MoveValues | None:
        """Return what it says that the legal moves there are worth, None if it does not say so of each."""
        return None

    def close(self) -> None:
        """End the program."""
        self._program.close()


def read_randomness(words: str, rng: np.random.Generator, program: Conversation) -> None:
    """Have a generator go on from where a program has answered that it is; raises its Forfeit for rubbish."""
    try:
        restore(rng, words)
    except ValueError as error:
        raise program.forfeit(f"gave no randomness back: {error}") from None


def read_move(text: str, board: Board, program: Conversation) -> int:
    """Return the move that a program has answered; raises its Forfeit for any that is not legal."""
    word = text.strip().lower()
    if word == "resign":
        raise program.forfeit("resigned")
    try:
        move = PASS if word in ("pass", "pa") else parse_square(word, board.size)
    except NotationError:
        raise program.forfeit(f"answered {text.strip()[:60]!r}, which is no move") from None
    if move not in board.legal_moves:
        raise program.forfeit(f"played {square_name(move, board.size)}, which is not legal in {board}")
    return move


_GENERATOR = "PCG64"
_WORDS = re.compile(r"([0-9]{1,39}) ([0-9]{1,39}) ([01]) ([0-9]{1,10})", re.ASCII)


def state_of(rng: np.random.Generator) -> str | None:
    """Return a state as four numbers; None of a generator of another kind than `default_rng` makes."""
    state = rng.bit_generator.state
    if state["bit_generator"] != _GENERATOR:
        return None
    return f"{state['state']['state']} {state['state']['inc']} {state['has_uint32']} {state['uinteger']}"


def restore(rng: np.random.Generator, words: str) -> None:
    """Set the state that `state_of` has returned; raise ValueError for words that are none."""
    found = _WORDS.fullmatch(words.strip())
    if not found or not max(int(found[1]), int(found[2])) < 1 << 128 or not int(found[4]) < 1 << 32:
        raise ValueError(f"{words[:40]!r} is no state of randomness: expected four numbers")
    rng.bit_generator.state = {
        "bit_generator": _GENERATOR,
        "state": {"state": int(found[1]), "inc": int(found[2])},
        "has_uint32": int(found[3]),
        "uinteger": int(found[4]),
    }
