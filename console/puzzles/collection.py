"""The puzzles of a person in a file of games, JSON lines, each with what its next move was worth."""

import errno
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
from filelock import FileLock, Timeout
from msgspec import Meta, Struct

from othello_lab.console import reviewing
from othello_lab.console.puzzles.puzzle import LAST_BOX, Puzzle
from othello_lab.game import Board
from othello_lab.game.decisions import Decision
from othello_lab.game.files import replace
from othello_lab.game.notation import parse_moves, parse_square, printable
from othello_lab.game.records import RecordError, jsonl, of_text
from othello_lab.game.review import Reviewed
from othello_lab.game.symmetry import canonical

_Count = Annotated[int, Meta(ge=0, le=10**9)]


class _Decision(Struct):
    move: str
    unit: Annotated[str, Meta(max_length=100)]
    line: tuple[str, ...]
    moves: dict[str, float]


class _Line(Struct):
    """What a line has besides its game."""

    decision: _Decision
    box: Annotated[int, Meta(ge=1, le=LAST_BOX)]
    due: date
    answered: date | None = None
    asked: _Count = 0
    missed: _Count = 0


class Collection:
    """All puzzles of a file, which is written anew as a whole with each change.

    Positions alike by symmetry are one puzzle. Where a file has several lines of one, the last answer counts:
    two files are merged by joining them. Lines that cannot be read stay as they are.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there; raise OSError where it cannot be read."""
        self.path = path
        self.faults: list[RecordError] = []
        """What is wrong with lines that cannot be read."""
        self._lines: dict[object, str] = {}
        """By puzzle, or by the number of a line that is none."""
        self._puzzles: dict[Board, Puzzle] = {}
        text = path.read_text("utf-8", "replace") if path.exists() else ""
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                self._take(number, line)

    def _take(self, number: int, line: str) -> None:
        try:
            puzzle = _of_line(line)
        except ValueError as error:
            self._lines[number] = line
            self.faults.append(RecordError(f"{self.path}: line {number}: {printable(str(error))}"))
            return
        known = self._puzzles.get(canonical(puzzle.board))
        if known is None or _age(known) < _age(puzzle):
            self._hold(puzzle)

    def _hold(self, puzzle: Puzzle) -> None:
        key = canonical(puzzle.board)
        self._puzzles[key], self._lines[key] = puzzle, _as_line(puzzle)

    def __len__(self) -> int:
        return len(self._puzzles)

    def __contains__(self, board: Board) -> bool:
        return canonical(board) in self._puzzles

    def due(self, today: date | None = None) -> list[Puzzle]:
        """Return what is to be asked on a day, in that order; without a day all, the next due first."""
        found = sorted(self._puzzles.values(), key=lambda puzzle: puzzle.rank)
        if today is None:
            return sorted(found, key=lambda puzzle: puzzle.due)
        return [puzzle for puzzle in found if puzzle.due <= today]

    def put(self, puzzle: Puzzle) -> None:
        """Keep a puzzle, in place of the one of its position; raise OSError where it cannot be written."""
        self._hold(puzzle)
        replace(self.path, "".join(f"{line}\n" for line in self._lines.values()))

    def add(self, puzzles: Iterable[Puzzle]) -> int:
        """Keep the puzzles whose positions are new, and return how many; raise as `put` does."""
        new = 0
        for puzzle in puzzles:
            if puzzle.board not in self:
                self.put(puzzle)
                new += 1
        return new


@contextmanager
def held(path: Path) -> Iterator[Collection]:
    """Hold the puzzles of a file; raise OSError where another process does, or it cannot be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(path.with_suffix(".lock")).acquire(timeout=0)
    except Timeout:
        raise OSError(errno.EBUSY, "in use: puzzles are asked in another window", str(path)) from None
    with lock:
        yield Collection(path)


def _age(puzzle: Puzzle) -> tuple[date, int]:
    return puzzle.answered or date.min, puzzle.asked


def _as_line(puzzle: Puzzle) -> str:
    game = {name: value for name, value in jsonl.as_json(puzzle.record).items() if value or name == "moves"}
    (decision,) = reviewing.as_json([puzzle.found])
    answered = puzzle.answered and puzzle.answered.isoformat()
    known = {"box": puzzle.box, "due": puzzle.due.isoformat(), "answered": answered}
    counts = {"asked": puzzle.asked, "missed": puzzle.missed}
    return json.dumps(game | {"decision": decision} | known | counts)


def _of_line(line: str) -> Puzzle:
    """Return the puzzle of a line; raise ValueError for any other text."""
    record, said = of_text(line), msgspec.json.decode(line, type=_Line)
    board, decision = record.game.board, said.decision
    values = {parse_square(name, board.size): value for name, value in decision.moves.items()}
    move = parse_square(decision.move, board.size)
    if values.keys() != {*board.legal_moves} or move not in values:
        raise RecordError("the moves of the decision are not the legal ones")
    after = tuple(parse_moves(" ".join(decision.line), board.size))
    found = Reviewed(len(record.game.moves), Decision(board, move, values), printable(decision.unit), after)
    return Puzzle(record, found, said.due, said.box, said.answered, said.asked, said.missed)
