"""Plain transcripts (.txt): each line is a game such as `f5d6c3`, a position, or `position;moves`."""

import re
from collections.abc import Iterable, Iterator

from othello_lab.game.board import Board
from othello_lab.game.game import parse_line, replay
from othello_lab.game.notation import USUAL_SIZE, NotationError, check_size
from othello_lab.game.records.record import Entry, Record, RecordError, check_length

_COMMENT = re.compile(r"[#%].*")
# A comment such as `# 6x6` sets the board size for the lines below.
_SIZE = re.compile(r"\s*[#%]\s*([0-9]{1,2})x\1\s*")
_SPACE = r"[^\S\n]"
_MOVE = r"(?:[^\s#%]{2,3}|pass)"
_TURN = rf"{_SPACE}*(?!1\.)[0-9]{{1,3}}\.{_SPACE}*{_MOVE}(?:{_SPACE}+{_MOVE})?{_SPACE}*(?:[#%].*)?$"
# A line. A line with a number continues in lines with a number other than 1 and one or two moves.
_GAME = re.compile(rf"^{_SPACE}*[0-9]{{1,3}}\..*(?:\n{_TURN})+|^.*", re.MULTILINE | re.IGNORECASE)
_FORMATS = "a .txt holds moves or a position a line, or GGF, SGF, PGN or JSON lines"


def dump(records: Iterable[Record]) -> str:
    """Return the games as lines, and each change of the board size as a comment. Raises RecordError."""
    text, size = "", USUAL_SIZE
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


def entries(text: str, size: int = USUAL_SIZE) -> Iterator[Entry]:
    """Yield the game of each line, or an error if the game cannot be read. `size` is the board size."""
    next_place = 1
    for lines in (match[0] for match in _GAME.finditer(text)):
        place, next_place = next_place, next_place + 1 + lines.count("\n")
        moves, size_line = " ".join(_COMMENT.sub("", lines).split("\n")).strip(), _SIZE.fullmatch(lines)
        try:
            if size_line:
                check_size(int(size_line[1]))
                size = int(size_line[1])
            if moves:
                check_length(moves)
                game = replay(*parse_line(moves, size))
                game.pass_if_forced()
                yield Record(game)
        except NotationError as error:
            yield RecordError(f"line {place}: {error}; {_FORMATS}")
        except ValueError as error:
            yield RecordError(f"line {place}: {error}")
