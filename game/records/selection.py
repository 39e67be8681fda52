"""A selection of the games of a file."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from game.records.record import Entry, Record, RecordError


class Numbered(NamedTuple):
    """A game and its number in the file, from 1: what cannot be read has numbers too."""

    number: int
    record: Record


@dataclass(frozen=True)
class Wanted:
    """What a game must have; what is not said may be anything."""

    number: int | None = None
    player: str = ""
    """Part of the name of either side; accents and case do not matter."""
    event: str = ""
    """Part of the name of the tournament or place, likewise."""
    first_year: int | None = None
    last_year: int | None = None

    def of(self, entries: Iterable[Entry]) -> Iterator[Numbered]:
        """Yield the games that are wanted. Raises RecordError where the one of `number` cannot be read."""
        for number, entry in enumerate(entries, 1):
            if self.number not in (None, number):
                continue
            if not isinstance(entry, RecordError):
                if self._fits(entry):
                    yield Numbered(number, entry)
            elif self.number:
                raise entry

    def _fits(self, record: Record) -> bool:
        return (
            _is_part(self.player, f"{record.black}\n{record.white}")
            and _is_part(self.event, record.event)
            and self._is_in_time(record.year)
        )

    def _is_in_time(self, year: int | None) -> bool:
        if self.first_year is None and self.last_year is None:
            return True
        return year is not None and (self.first_year or 0) <= year <= (self.last_year or year)


def _is_part(wanted: str, text: str) -> bool:
    return not wanted or _plain(wanted) in _plain(text)


def _plain(text: str) -> str:
    """Return a text without accents and capitals: names are written with and without them."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


_SAID = 3
"""This many faults are told one by one."""


def left_out(faults: Sequence[RecordError]) -> Iterator[str]:
    """Yield lines about games that cannot be read: the first few, and how many more there are."""
    for fault in faults[:_SAID]:
        yield f"left out: {fault}"
    if len(faults) > _SAID:
        yield f"left out: {len(faults) - _SAID:,} more that cannot be read"
