"""Game records like PGN, chess's Portable Game Notation: tags, `[Black "..."]`, then moves, `1. f5 d6 2. c3`.

Read as Edax writes them and as WTHOR's games are passed on. A result is black's first: `34-30`, `1-0` for a
game that black won. Comments, variations and marks such as `!` are read over. Games begin with their tags.
(https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.notation import brief, parse_moves
from othello_lab.game.records.record import (
    Entry,
    Forfeited,
    Record,
    RecordError,
    check_length,
    contradiction,
    decoded,
    early,
    lost_by,
    numbered_lines,
    replay,
)

_NAME = r'\[\s*([A-Za-z][A-Za-z0-9_]{0,31})\s+"'
_NEXT_TAG = _NAME.replace("(", "(?:", 1)
_TAG = re.compile(rf'{_NAME}(.{{0,1000}}?)"\s*\]\s*(?:(?={_NEXT_TAG})|(?!.*?"\s*\]))')
"""A value may have quotation marks: it ends before the next tag, or at the last `"]` of its line."""
_COMMENT = re.compile(
    r"(?P<kept>^[^\S\n]*\[.*)|^[^\S\n]*%.*|;.*|\{[^{}]*\}"
    rf"|(?P<open>\{{(?:[^}}\n]|\n(?!\s*{_NEXT_TAG}))*+)\}}?",
    re.MULTILINE,
)
"""A comment: in braces, from `;` to the end of its line, or a line that begins with `%`.

A line of tags matches first and is kept: it contains no comments. A comment in braces that contains another
brace ends before the next tag, so that a missing end spoils one game and not the next.
"""
_PIECES = re.compile(r"[(){}]|[^(){}]+")
"""Of moves and variations."""
_MARKS = re.compile(r"[!?]+|\$[0-9]{1,3}")
_END = re.compile(r"(?:[0-9]{1,3}\.+)?(1/2-1/2|\*|[0-9]{1,3}[-:][0-9]{1,3})?")
"""What may follow the last move: a number, a result or both."""
_DISCS = re.compile(r"([0-9]{1,3})\s*[-:]\s*([0-9]{1,3})")
_WINS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


@dataclass
class _Game:
    """What stands in a file from one game's tags to the next's."""

    line: int
    """Where it begins."""
    tags: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    fault: str = ""
    """What is wrong with a tag."""


def entries(data: bytes, size: int) -> Iterator[Entry]:
    """Yield the games, on boards of `size`, or why one cannot be read."""
    for number, game in enumerate(_games(data), 1):
        try:
            yield _record(game, size)
        except ValueError as error:
            yield RecordError(f"game {number}, which begins in line {game.line}: {error}")


def _games(data: bytes) -> Iterator[_Game]:
    game: _Game | None = None
    for place, line in numbered_lines(_COMMENT.sub(_without_comment, decoded(data))):
        text, end = line.strip(), 0
        while (tag := _TAG.match(text, end)) or text.startswith("[", end):
            name = tag[1].lower() if tag else ""
            if game and (game.lines or name in game.tags):
                yield game
                game = None
            game = game or _Game(place)
            if not tag:
                game.fault = (
                    game.fault or f'line {place}: expected [Name "value"], found {brief(text[end:])!r}'
                )
                break
            game.tags[name] = _value(tag[2])
            end = tag.end()
        else:
            if text[end:]:
                game = game or _Game(place)
                game.lines.append(text[end:])
    if game:
        yield game


def _without_comment(found: re.Match[str]) -> str:
    """Return the line ends of a comment; all of a line of tags, and of a comment that has no end."""
    is_kept = found["kept"] or (found["open"] and not found[0].endswith("}"))
    return found[0] if is_kept else " " + "\n" * found[0].count("\n")


def _value(text: str) -> str:
    """Return the value of a tag without escapes and without the `?` of what is unknown."""
    return re.sub(r'\\(["\\])', r"\1", text.replace(".??", "")).strip("?")


def _record(found: _Game, size: int) -> Record:
    tags, text = found.tags, "\n".join(found.lines)
    if found.fault:
        raise RecordError(found.fault)
    check_length(text)
    start = _start(tags["fen"]) if "fen" in tags else Board.start(size)
    words, result = _main_line(text).split(), tags.get("result", "").strip()
    while words and (end := _END.fullmatch(words[-1])):
        result = (end[1] or result) if result in ("", "*") else result
        words.pop()
    game = replay(start, parse_moves(" ".join(words), start.size))
    game.pass_if_forced()
    forfeit, warning = _result(game, result)
    return Record(
        game,
        tags.get("black", ""),
        tags.get("white", ""),
        forfeit=forfeit,
        event=tags.get("event", "") or tags.get("site", ""),
        date=tags.get("date", ""),
        warning=warning,
    )


def _start(fen: str) -> Board:
    """Read a position as Edax writes it: the last row first, `p` black, `P` white, a number empty squares."""
    rows, _, turn = fen.strip().partition(" ")
    cells = re.sub("[0-9]{1,2}", lambda empty: "-" * int(empty[0]), "/".join(reversed(rows.split("/"))))
    return Board.parse(f"{cells.replace('p', 'X').replace('P', 'O')} {turn.strip()[:1]}")


def _main_line(text: str) -> str:
    """Return moves without variations and marks; raise RecordError for a bracket without its other half."""
    kept, depth = list[str](), 0
    for piece in _PIECES.finditer(text):
        word = piece[0]
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth < 0 or word in ("{", "}"):
            raise RecordError(f"a bracket has no other half: {brief(text[piece.start() :])!r}")
        if not depth and word != ")":
            kept.append(word)
    if depth:
        raise RecordError("a variation that begins with ( has no end")
    return _MARKS.sub(" ", " ".join(kept))


def _result(game: Game, result: str) -> tuple[Forfeited | None, str]:
    """Return who lost a game that ends early, and how the result contradicts the moves of a finished one."""
    found = _DISCS.fullmatch(result)
    if result in _WINS:
        lead, reason = _WINS[result], "unknown"
    elif found:
        black, white = int(found[1]), int(found[2])
        lead, reason = black - white, early(black, white)
    else:
        return None, ""
    warning = contradiction(game, lead, f'Result "{result}"', in_discs=result not in _WINS)
    return lost_by(game, lead, reason), warning
