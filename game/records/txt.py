"""Games as plain transcripts, a game a line: `f5d6c3d3c4...`. The moves are all that they hold.

Letters of either case, spaces, passes written or not, numbers of moves (`1. f5 d6 2. c3`); what follows # or
% in a line is a comment. A comment `# 6x6` in a line of its own says the size of the boards from there on. A
game that begins with `1.` may go on in the next line, which then begins with the number of its first move.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from othello_lab.game.board import Board, check_size
from othello_lab.game.notation import parse_moves
from othello_lab.game.records.record import Entry, Record, RecordError, replay
from othello_lab.game.records.text import check_length, numbered_lines

SIZE = 8
"""Of boards of which nothing is said."""
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
    if record.game.start != Board.start(record.game.size):
        why = "begins at the standard start, and this game does not"
    elif not (text := record.game.transcript()):
        why = "has at least one move, and this game has none"
    else:
        return text
    raise RecordError(f"game {number}: a transcript (.txt) {why}: use .jsonl or .ggf")


@dataclass
class _Moves:
    """The moves of a game, and the line where they begin."""

    line: int
    size: int
    moves: list[int]
    number: int
    """With which the line begins, 0 for none: of its first move, or of the game in a list."""

    def entry(self) -> Entry:
        try:
            game = replay(Board.start(self.size), self.moves)
        except RecordError as error:
            return RecordError(f"line {self.line}: {error}")
        game.pass_if_forced()
        return Record(game)

    def goes_on_with(self, more: "_Moves") -> bool:
        """Tell whether a line is numbered to continue this game, moves being counted singly or in pairs."""
        plies = len(self.moves)
        return self.number == 1 < more.number and more.number in (plies + 1, plies // 2 + 1)


def entries(data: bytes, size: int = SIZE) -> Iterator[Entry]:
    """Yield the games of the lines, on boards of `size`, or why a line is none; empty lines are skipped."""
    game: _Moves | RecordError | None = None
    for found in _lines(data, size):
        if isinstance(game, _Moves) and isinstance(found, _Moves) and game.goes_on_with(found):
            game.moves += found.moves
            continue
        if game:
            yield _entry(game)
        game = found
    if game:
        yield _entry(game)


def _entry(game: _Moves | RecordError) -> Entry:
    return game if isinstance(game, RecordError) else game.entry()


def _lines(data: bytes, size: int) -> Iterator[_Moves | RecordError]:
    for place, line in numbered_lines(data):
        try:
            size = _said_size(line) or size
            moves = _moves(line, size)
        except ValueError as error:
            yield RecordError(f"line {place}: {error}")
            continue
        if moves:
            found = _NUMBER.match(line)
            yield _Moves(place, size, moves, int(found[1]) if found else 0)


def _said_size(line: str) -> int | None:
    found = _SIZE.fullmatch(line)
    if found:
        check_size(int(found[1]))
    return int(found[1]) if found else None


def _moves(line: str, size: int) -> list[int]:
    check_length(line)
    return parse_moves(_COMMENT.sub("", line), size)
