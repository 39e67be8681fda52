"""Games in brackets, as GGF and SGF have them: `(;NAME[value]NAME[value]...;)`.

Several games may stand in a text, with numbers before them as in the synchro pairs of GGF. A value without a
name belongs to the name before it. Of variations, `(;B[f5](;W[d6])(;W[f6]))`, the first is taken, the others
are read over. A backslash hides a bracket or a backslash within a value.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from othello_lab.game.board import Colour
from othello_lab.game.notation import PASS
from othello_lab.game.records.record import Entry, Record, RecordError, decoded

_BEGIN = re.compile(r"[\s0-9]*\(\s*;")
_NEXT = re.compile(r"\(\s*;")
# No variation begins with these: where one does, the game before it has no end.
_GAME = re.compile(r"\s*\(\s*;\s*(?:GM|FF|CA|AP|SZ|BO)\s*\[", re.IGNORECASE)
# A value, and what stands before a name, end soon: else a damaged file would be searched for the end of each.
_VALUE = r"\[((?:[^\]\\]|\\.){0,20000}+)\]"
_ITEM = re.compile(rf"([\s;(]{{0,1000}}+)([A-Za-z][A-Za-z0-9]{{0,31}})?\s*{_VALUE}", re.DOTALL)
_END = re.compile(r"([\s;(]{0,1000}+)\)\s*")
_VARIATIONS = re.compile(rf"(?:[^()\[\]]|{_VALUE})*+([()])\s*", re.DOTALL)

Items = list[tuple[str, str]]
"""Names, in capitals, and values in their order; a name stands once for each of its values."""
SIDES: Final = {"B": Colour.BLACK, "W": Colour.WHITE}
"""Whose moves the items of a name are."""


def entries(data: bytes, record: Callable[[Items], Record]) -> Iterator[Entry]:
    """Yield the games that `record` makes of items, or why one cannot be read; the next is then looked for
    behind the fault.
    """
    text = decoded(data)
    number, place, lines = 0, len(text) - len(text.lstrip()), _Lines(text)
    while 0 <= place < len(text):
        number += 1
        game = f"game {number}, which begins in line {lines.at(place)[0]}"
        try:
            items, place = _items(text, place)
            yield record(items)
        except _UnexpectedError as error:
            line, column = lines.at(error.place)
            yield RecordError(f"{game}: line {line}, column {column}: {error}")
            found = _NEXT.search(text, error.place)
            place = found.start() if found else -1
        except ValueError as error:
            yield RecordError(f"{game}: {error}")


class _Lines:
    """Numbers of lines and columns, from 1, of places that are asked for in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen, self._line, self._begin = 0, 1, 0

    def at(self, place: int) -> tuple[int, int]:
        """Return the line and the column of a place."""
        self._line += self._text.count("\n", self._seen, place)
        self._begin = self._text.rfind("\n", self._seen, place) + 1 or self._begin
        self._seen = place
        return self._line, place - self._begin + 1


class _UnexpectedError(RecordError):
    """Something else than what the format has at a place."""

    def __init__(self, text: str, place: int, expected: str) -> None:
        found = repr(text[place : place + 20]) if text[place : place + 1] else "the end of the file"
        super().__init__(f"expected {expected}, found {found}")
        self.place = place


def _items(text: str, place: int) -> tuple[Items, int]:
    """Return the items of the game that begins at a place, and where it ends."""
    begin = _BEGIN.match(text, place)
    if not begin:
        raise _UnexpectedError(text, place, "(; of a game")
    items, place, depth, name = Items(), begin.end(), 1, ""
    while (item := _ITEM.match(text, place)) and (item[2] or name) and not _GAME.match(text, place):
        depth += item[1].count("(")
        name = (item[2] or name).upper()
        items.append((name, re.sub(r"\\(.)", r"\1", item[3], flags=re.DOTALL)))
        place = item.end()
    end = _END.match(text, place)
    if not end:
        raise _UnexpectedError(text, place, "NAME[value] or ;) at the end")
    return items, _behind_variations(text, end.end(), depth + end[1].count("(") - 1)


def _behind_variations(text: str, place: int, depth: int) -> int:
    """Return where a game ends that has this many open brackets at a place."""
    while depth:
        found = _VARIATIONS.match(text, place)
        if not found or _GAME.match(text, found.start(2)):
            raise _UnexpectedError(text, place, ") at the end of the game")
        depth += 1 if found[2] == "(" else -1
        place = found.end()
    return place


def in_turn(moves: Iterable[tuple[Colour, int]], turn: Colour) -> list[int]:
    """Return moves of which the side is known; one by the wrong side stands for a pass that was left out, if
    that is what it is.
    """
    found = list[int]()
    for mover, move in moves:
        if mover is not turn:
            found.append(PASS)
        found.append(move)
        turn = mover.other
    return found
