"""Plain transcripts (.txt), one game a line: `f5d6c3d3c4...`. They hold nothing but the moves.

A line may also be a position, from which a game begins, and after a semicolon its moves, as Edax writes them.

Letters may have either case; spaces, passes and move numbers (`1. f5 d6 2. c3`) are optional; # and % begin a
comment. A line `# 6x6` sets the board size for the lines below it. A game that begins with `1.` may continue
on the next line, which then begins with the number of its first move.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from othello_lab.game.board import Board
from othello_lab.game.game import parse_line
from othello_lab.game.notation import NotationError, check_size
from othello_lab.game.records.record import (
    Entry,
    Record,
    RecordError,
    check_length,
    decoded,
    numbered_lines,
    replay,
)

SIZE = 8
"""Of boards of which nothing is said."""
_COMMENT = re.compile(r"[#%].*")
_SIZE = re.compile(r"\s*[#%]\s*([0-9]{1,2})x\1\s*")
_NUMBER = re.compile(r"\s*([0-9]{1,3})\.")
_FORMATS = "a .txt holds moves or a position a line, or GGF, SGF, PGN or JSON lines"
_TURN = len("30. pass  pass")
"""Characters of a line with a number and a move of each side."""


def dump(records: Iterable[Record]) -> bytes:
    """Return the lines of games, passes left out, with a line before a change of size. Raises RecordError."""
    lines, size = list[str](), SIZE
    for number, record in enumerate(records, 1):
        if record.game.size != size:
            size = record.game.size
            lines.append(f"# {size}x{size}")
        lines.append(_transcript(record, number))
    return "".join(f"{line}\n" for line in lines).encode()


def _transcript(record: Record, number: int) -> str:
    if record.game.start != Board.start(record.game.size):
        why = "begins at the standard start, and this game does not"
    elif not (text := record.game.transcript()):
        why = "has at least one move, and this game has none"
    else:
        return text
    raise RecordError(f"game {number}: a transcript (.txt) {why}: use .jsonl or .ggf")


@dataclass
class _Game:
    """A game of which one line or several are read."""

    line: int
    """Where it begins."""
    start: Board
    moves: list[int]
    number: int
    """With which it begins, 0 for none: of its first move, or of the game in a list."""
    is_turn: bool
    """Whether its last line has no more than a move of each side, as far as it can be read."""
    last: int = 0
    """The number with which its last line begins."""
    fault: str = ""
    """Why it cannot be read."""

    def entry(self) -> Entry:
        if self.fault:
            return RecordError(self.fault)
        try:
            game = replay(self.start, self.moves)
        except RecordError as error:
            return RecordError(f"line {self.line}: {error}")
        game.pass_if_forced()
        return Record(game)

    def goes_on_with(self, more: "_Game") -> bool:
        """Tell whether a line is numbered to continue this game, moves being counted singly or in pairs.

        Behind a turn that is any turn with a higher number, so that a wrong one spoils one game.
        """
        if self.is_turn and more.is_turn:
            return 0 < self.last < more.number
        plies = len(self.moves)
        return self.number == 1 < more.number and more.number in (plies + 1, plies // 2 + 1)

    def go_on_with(self, more: "_Game") -> None:
        """Take the next line of the game."""
        self.moves += more.moves
        self.last, self.is_turn, self.fault = more.number, more.is_turn, self.fault or more.fault


def entries(data: bytes, size: int = SIZE) -> Iterator[Entry]:
    """Yield the games of the lines, on boards of `size`, or why a line is none; empty lines are skipped."""
    game: _Game | None = None
    for found in _lines(data, size):
        if game and game.goes_on_with(found):
            game.go_on_with(found)
            continue
        if game:
            yield game.entry()
        game = found
    if game:
        yield game.entry()


def _lines(data: bytes, size: int) -> Iterator[_Game]:
    for place, line in numbered_lines(decoded(data)):
        text, found = _COMMENT.sub("", line).strip(), _NUMBER.match(line)
        number = int(found[1]) if found else 0
        game = _Game(place, Board.start(SIZE), [], number, len(text) <= _TURN, number)
        try:
            size = _said_size(line) or size
            check_length(text)
            game.start, game.moves = parse_line(text, size)
        except ValueError as error:
            formats = f"; {_FORMATS}" if isinstance(error, NotationError) else ""
            game.fault = f"line {place}: {error}{formats}"
        game.is_turn &= len(game.moves) <= 2
        if text or game.fault:
            yield game


def _said_size(line: str) -> int | None:
    found = _SIZE.fullmatch(line)
    if found:
        check_size(int(found[1]))
    return int(found[1]) if found else None
