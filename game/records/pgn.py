"""Game records in PGN, from chess. (https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm)"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from othello_lab.game.board import Board
from othello_lab.game.game import Game, replay
from othello_lab.game.notation import brief
from othello_lab.game.records.record import (
    Entry,
    Forfeited,
    Record,
    RecordError,
    check_length,
    compare_result,
)
from othello_lab.game.transcripts import parse_moves

_NAME = r'\[\s*([A-Za-z][A-Za-z0-9_]{0,31})\s+"'
_NEXT_TAG = _NAME.replace("(", "(?:", 1)
# The value of a tag may contain quotation marks. A tag ends before the next tag or at the last `"]`.
_TAG = re.compile(rf'{_NAME}(.{{0,1000}}?)"\s*\]\s*(?:(?={_NEXT_TAG})|(?!.*?"\s*\]))')
# A comment is in braces, after `;` until the end of the line, or a line that begins with `%`.
# A line of tags is kept. A comment without a closing brace ends before the next tag.
_COMMENT = re.compile(
    r"(?P<kept>^[^\S\n]*\[.*)|^[^\S\n]*%.*|;.*|\{[^{}]*\}"
    rf"|(?P<open>\{{(?:[^}}\n]|\n(?!\s*{_NEXT_TAG}))*+)\}}?",
    re.MULTILINE,
)
_PIECES = re.compile(r"[(){}]|[^(){}]+")
_MARKS = re.compile(r"[!?]+|\$[0-9]{1,3}")
# The text after the last move, which is a move number, a result or both.
_END = re.compile(r"(?:[0-9]{1,3}\.+)?(1/2-1/2|\*|[0-9]{1,3}[-:][0-9]{1,3})?")
_DISCS = re.compile(r"([0-9]{1,3})\s*[-:]\s*([0-9]{1,3})")
_WINS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}  # Black's score comes first.


@dataclass
class _Game:
    """The tags and the moves of one game as text."""

    line: int  # The number of the first line of the game in the file.
    tags: dict[str, str] = field(default_factory=lambda: defaultdict(str))
    lines: list[str] = field(default_factory=list)
    fault: str = ""  # The error message for an invalid tag, or "" if all tags are valid.


def entries(text: str, size: int) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read. `size` is the board size."""
    for number, game in enumerate(_games(text), 1):
        try:
            yield _record(game, size)
        except ValueError as error:
            yield RecordError(f"game {number}, which begins in line {game.line}: {error}")


def _games(text: str) -> Iterator[_Game]:
    game: _Game | None = None
    for number, line in enumerate(_COMMENT.sub(_without_comment, text).split("\n"), 1):
        rest, end, fault = line.strip(), 0, ""
        while (tag := _TAG.match(rest, end)) or (rest.startswith("[", end) and not fault):
            name = tag[1].lower() if tag else ""
            if game and (game.lines or name in game.tags):
                yield game
                game = None
            game = game or _Game(number)
            if tag:
                game.tags[name] = _value(tag[2])
                end = tag.end()
            else:
                fault = f'line {number}: expected [Name "value"], found {brief(rest[end:])!r}'
                game.fault = game.fault or fault
        if rest[end:] and not fault:
            game = game or _Game(number)
            game.lines.append(rest[end:])
    if game:
        yield game


def _without_comment(match: re.Match[str]) -> str:
    """Return the line ends of a comment. Keep a line of tags and an unterminated comment."""
    is_kept = match["kept"] or (match["open"] and not match[0].endswith("}"))
    return match[0] if is_kept else " " + "\n" * match[0].count("\n")


def _value(text: str) -> str:
    """Unescape the value of a tag, and remove `?`, the placeholder for an unknown part."""
    return re.sub(r'\\(["\\])', r"\1", text.replace(".??", "")).strip("?")


def _record(source: _Game, size: int) -> Record:
    tags, text = source.tags, "\n".join(source.lines)
    if source.fault:
        raise RecordError(source.fault)
    check_length(text)
    start = _start(tags["fen"]) if "fen" in tags else Board.start(size)
    words, result = _main_line(text).split(), tags["result"].strip()
    while words and (end := _END.fullmatch(words[-1])):
        result = (end[1] or result) if result in ("", "*") else result
        words.pop()
    game = replay(start, parse_moves(" ".join(words), start.size))
    game.pass_if_forced()
    forfeit, warning = _result(game, result)
    event, date = tags["event"] or tags["site"], tags["date"]
    return Record(
        game, tags["black"], tags["white"], forfeit=forfeit, event=event, date=date, warning=warning
    )


def _start(fen: str) -> Board:
    """Parse a position of Edax, last row first. `p` is black, `P` is white, and a number counts empties."""
    rows, _, turn = fen.strip().partition(" ")
    cells = re.sub("[0-9]{1,2}", lambda empty: "-" * int(empty[0]), "/".join(reversed(rows.split("/"))))
    return Board.parse(f"{cells.replace('p', 'X').replace('P', 'O')} {turn.strip()[:1]}")


def _main_line(text: str) -> str:
    """Return the moves without variations and marks. Raises RecordError for an unbalanced bracket."""
    pieces, depth = list[str](), 0
    for match in _PIECES.finditer(text):
        piece = match[0]
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if depth < 0 or piece in ("{", "}"):
            raise RecordError(f"a bracket has no other half: {brief(text[match.start() :])!r}")
        if not depth and piece != ")":
            pieces.append(piece)
    if depth:
        raise RecordError("a variation that begins with ( has no end")
    return _MARKS.sub(" ", " ".join(pieces))


def _result(game: Game, result: str) -> tuple[Forfeited | None, str]:
    title = f'Result "{result}"'
    if result in _WINS:
        return compare_result(game, _WINS[result], title, in_discs=False)
    if counts := _DISCS.fullmatch(result):
        black, white = int(counts[1]), int(counts[2])
        return compare_result(game, black - white, title, f"the moves end early, at {black}-{white}")
    return None, ""
