"""Plain transcripts (.txt), with one game on each line, such as `f5d6c3d3c4`.

A line may also be a position, or a position with a semicolon and moves. Comments begin with # or %. A line `#
6x6` sets the board size for the lines below. A game that begins with `1.` may continue on the next line after
a move number.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from othello_lab.game.board import Board
from othello_lab.game.game import parse_line, replay
from othello_lab.game.notation import NotationError, check_size
from othello_lab.game.records.record import Entry, Record, RecordError, check_length

SIZE = 8
_COMMENT = re.compile(r"[#%].*")
_SIZE = re.compile(r"\s*[#%]\s*([0-9]{1,2})x\1\s*")
_NUMBER = re.compile(r"\s*([0-9]{1,3})\.")
_FORMATS = "a .txt holds moves or a position a line, or GGF, SGF, PGN or JSON lines"
_TURN = len("30. pass  pass")
"""The length of a line with a number and a move of each side."""


def dump(records: Iterable[Record]) -> str:
    """Return the games as lines, and each change of the board size as a comment. Raises RecordError."""
    text, size = "", SIZE
    for number, record in enumerate(records, 1):
        game = record.game
        if game.start != Board.start(game.size):
            raise _refusal(number, "begins at the standard start, and this game does not")
        if not (moves := game.transcript()):
            raise _refusal(number, "has at least one move, and this game has none")
        if game.size != size:
            size = game.size
            text += f"# {size}x{size}\n"
        text += f"{moves}\n"
    return text


def _refusal(number: int, why: str) -> RecordError:
    return RecordError(f"game {number}: a transcript (.txt) {why}: use .jsonl or .ggf")


@dataclass
class _Game:
    """A game from one or several lines."""

    line: int
    """The number of the first line of the game."""
    start: Board
    moves: list[int]
    number: int
    """The number at the start of the game, which counts moves or games. 0 means no number."""
    is_turn: bool
    """Whether the last line has at most one readable move of each side."""
    last: int
    """The number at the start of the last line."""
    fault: str = ""
    """The reason why the game cannot be read, or an empty text."""

    def entry(self) -> Entry:
        if self.fault:
            return RecordError(self.fault)
        try:
            game = replay(self.start, self.moves)
        except ValueError as error:
            return RecordError(f"line {self.line}: {error}")
        game.pass_if_forced()
        return Record(game)

    def continues_with(self, line: "_Game") -> bool:
        """Tell whether a line continues this game. Move numbers count moves or pairs of moves."""
        if self.is_turn and line.is_turn:
            return 0 < self.last < line.number
        plies = len(self.moves)
        return self.number == 1 < line.number and line.number in (plies + 1, plies // 2 + 1)


def entries(text: str, size: int = SIZE) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read. `size` is the board size."""
    game: _Game | None = None
    for line in _lines(text, size):
        if game and game.continues_with(line):
            game.moves += line.moves
            game.last, game.is_turn, game.fault = line.number, line.is_turn, game.fault or line.fault
            continue
        if game:
            yield game.entry()
        game = line
    if game:
        yield game.entry()


def _lines(text: str, size: int) -> Iterator[_Game]:
    for place, line in enumerate(text.split("\n"), 1):
        moves, first = _COMMENT.sub("", line).strip(), _NUMBER.match(line)
        number = int(first[1]) if first else 0
        game = _Game(place, Board.start(SIZE), [], number, len(moves) <= _TURN, number)
        try:
            if size_line := _SIZE.fullmatch(line):
                check_size(int(size_line[1]))
                size = int(size_line[1])
            check_length(moves)
            game.start, game.moves = parse_line(moves, size)
        except ValueError as error:
            formats = f"; {_FORMATS}" if isinstance(error, NotationError) else ""
            game.fault = f"line {place}: {error}{formats}"
        game.is_turn &= len(game.moves) <= 2
        if moves or game.fault:
            yield game
