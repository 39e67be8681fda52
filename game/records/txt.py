"""Games as plain transcripts, a game a line: `f5d6c3d3c4...`. The moves are all that they hold.

Letters of either case, spaces, passes written or not, numbers of moves (`1. f5 d6 2. c3`); what follows # or
% in a line is a comment. A comment `# 6x6` in a line of its own says the size of the boards from there on. A
game that begins with `1.` may go on in the next line, which then begins with the number of its first move.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from game.board import Board, check_size
from game.notation import brief, parse_moves
from game.records.record import Record, RecordError, replay

SIZE = 8
"""Of boards of which nothing is said."""
_LONGEST = 100_000
"""Characters of a line: more than any game and its comment take."""
_COMMENT = re.compile(r"[#%].*")
_SIZE = re.compile(r"\s*[#%]\s*([0-9]{1,2})x\1\s*")
_NUMBER = re.compile(r"\s*([0-9]{1,3})\.")


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
    if record.game.boards[0] != Board.start(record.game.size):
        why = "begins at the standard start, and this game does not"
    elif not (text := record.game.transcript()):
        why = "has at least one move, and this game has none"
    else:
        return text
    raise RecordError(f"game {number}: a transcript (.txt) {why}: use .jsonl or .ggf")


@dataclass
class _Entry:
    """The moves of a game, and the line where they begin."""

    line: int
    size: int
    moves: list[int]
    is_numbered: bool
    """Whether they begin with 1. and so may go on in lines with higher numbers."""

    def record(self) -> Record:
        try:
            game = replay(Board.start(self.size), self.moves)
        except RecordError as error:
            raise RecordError(f"line {self.line}: {error}") from None
        game.pass_if_forced()
        return Record(game)


def load(data: bytes, size: int = SIZE) -> list[Record]:
    """Read the lines of games on boards of `size`; empty lines are skipped.

    Raises RecordError with the number of the line.
    """
    return [entry.record() for entry in _entries(data, size)]


def _entries(data: bytes, size: int) -> Iterator[_Entry]:
    entry = None
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        try:
            size = _said_size(line) or size
            moves = _moves(line, size)
        except ValueError as error:
            raise RecordError(f"line {number}: {error}") from None
        first = _first_number(line)
        if entry and _continues(entry, first):
            entry.moves += moves
        elif moves:
            if entry:
                yield entry
            entry = _Entry(number, size, moves, first == 1)
    if entry:
        yield entry


def _said_size(line: str) -> int | None:
    found = _SIZE.fullmatch(line)
    if found:
        check_size(int(found[1]))
    return int(found[1]) if found else None


def _moves(line: str, size: int) -> list[int]:
    if len(line) > _LONGEST:
        raise RecordError(f"more than {_LONGEST:,} characters are no game: {brief(line)!r}")
    return parse_moves(_COMMENT.sub("", line), size)


def _first_number(line: str) -> int:
    """Return the number with which a line begins, 0 if with none."""
    found = _NUMBER.match(line)
    return int(found[1]) if found else 0


def _continues(entry: _Entry, number: int) -> bool:
    """Tell whether moves from this number on go on with a game, moves counted singly or in pairs."""
    plies = len(entry.moves)
    return entry.is_numbered and number > 1 and number in (plies + 1, plies // 2 + 1)
