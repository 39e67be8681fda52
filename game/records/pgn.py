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
    check_result,
    early,
    lost_by,
    numbered_lines,
    replay,
)

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]{0,31})\s+"((?:[^"\\]|\\.){0,1000})"\s*\]\s*')
_PIECES = re.compile(r"\{[^}]*(?P<end>\}?)|;[^\n]*|[()}]|[^{};()]+")
"""Of moves with comments, in brackets of their own or up to the end of a line, and variations."""
_MARKS = re.compile(r"[!?]+|\$[0-9]{1,3}")
_RESULT = re.compile(r"(?:^|\s)(?:1/2-1/2|\*)\s*$")
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
    for place, line in numbered_lines(data):
        text = line.strip()
        if text.startswith("%"):  # an escape: for other programs
            continue
        is_tag = text.startswith("[")
        if game and is_tag and game.lines:
            yield game
            game = None
        game = game or _Game(place)
        if is_tag:
            text = _read_tags(text, place, game)
        if text:
            game.lines.append(text)
    if game:
        yield game


def _read_tags(text: str, place: int, game: _Game) -> str:
    """Add the tags at the beginning of a line to those of a game, and return what follows them."""
    end = 0
    while tag := _TAG.match(text, end):
        value = re.sub(r"\\(.)", r"\1", tag[2].replace(".??", "")).strip("?")
        game.tags.setdefault(tag[1].lower(), value)
        end = tag.end()
    moves = text[end:]
    if moves.startswith("["):
        game.fault = game.fault or f'line {place}: expected [Name "value"], found {brief(moves)!r}'
        return ""
    return moves


def _record(found: _Game, size: int) -> Record:
    tags, text = found.tags, "\n".join(found.lines)
    if found.fault:
        raise RecordError(found.fault)
    check_length(text)
    start = _start(tags["fen"]) if "fen" in tags else Board.start(size)
    game = replay(start, parse_moves(_RESULT.sub("", _main_line(text)), start.size))
    game.pass_if_forced()
    return Record(
        game,
        tags.get("black", ""),
        tags.get("white", ""),
        forfeit=_forfeit(game, tags.get("result", "").strip()),
        event=tags.get("event", "") or tags.get("site", ""),
        date=tags.get("date", ""),
    )


def _start(fen: str) -> Board:
    """Read a position as Edax writes it: the last row first, `p` black, `P` white, a number empty squares."""
    rows, _, turn = fen.strip().partition(" ")
    cells = re.sub("[0-9]{1,2}", lambda empty: "-" * int(empty[0]), "/".join(reversed(rows.split("/"))))
    return Board.parse(f"{cells.replace('p', 'X').replace('P', 'O')} {turn.strip()[:1]}")


def _main_line(text: str) -> str:
    """Return moves without comments, variations and marks; raise RecordError for one without an end."""
    kept, depth = list[str](), 0
    for piece in _PIECES.finditer(text):
        word = piece[0]
        if word in ("(", ")"):
            depth += 1 if word == "(" else -1
        elif word[0] not in "{;}" and not depth:
            kept.append(word)
        if depth < 0 or word == "}" or piece["end"] == "":
            raise RecordError(f"a bracket has no other half: {brief(text[piece.start() :])!r}")
    if depth:
        raise RecordError("a variation that begins with ( has no end")
    return _MARKS.sub(" ", " ".join(kept))


def _forfeit(game: Game, result: str) -> Forfeited | None:
    """Return who lost a game that ends early. Raises RecordError for another result than the moves have."""
    found = _DISCS.fullmatch(result)
    if result in _WINS:
        lead, reason = _WINS[result], "unknown"
    elif found:
        black, white = int(found[1]), int(found[2])
        lead, reason = black - white, early(black, white)
    else:
        return None
    check_result(game, lead, f'[Result "{result}"]', in_discs=result not in _WINS)
    return lost_by(game, lead, reason)
