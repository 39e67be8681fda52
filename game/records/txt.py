"""Plain transcripts (.txt), with one game on each line, such as `f5d6c3d3c4`. They contain only the moves.

A line may also be a position from which a game begins. A semicolon and moves may follow the position, as in
files of Edax.

Letters may be upper or lower case. Spaces, passes and move numbers are optional, as in `1. f5 d6 2. c3`. A
comment begins with # or %. The comment `# 6x6` sets the board size for the lines below it.
"""

import re
from collections.abc import Iterable, Iterator

from othello_lab.game.board import Board
from othello_lab.game.game import parse_line, replay
from othello_lab.game.notation import NotationError, check_size
from othello_lab.game.records.record import Entry, Record, RecordError, check_length

SIZE = 8
"""The default board size."""
_COMMENT = re.compile(r"[#%].*")
_SIZE = re.compile(r"\s*[#%]\s*([0-9]{1,2})x\1\s*")
_FORMATS = "a .txt holds moves or a position a line, or GGF, SGF, PGN or JSON lines"


def dump(records: Iterable[Record]) -> str:
    """Return the games as lines without passes. A comment line states each change of the board size.

    Raises RecordError if the format cannot store a game.
    """
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


def entries(text: str, size: int = SIZE) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read. `size` is the default board size."""
    for number, line in enumerate(text.split("\n"), 1):
        moves = _COMMENT.sub("", line).strip()
        try:
            if size_line := _SIZE.fullmatch(line):
                check_size(int(size_line[1]))
                size = int(size_line[1])
            elif moves:
                check_length(moves)
                game = replay(*parse_line(moves, size))
                game.pass_if_forced()
                yield Record(game)
        except ValueError as error:
            formats = f"; {_FORMATS}" if isinstance(error, NotationError) else ""
            yield RecordError(f"line {number}: {error}{formats}")
