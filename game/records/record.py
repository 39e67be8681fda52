"""`Record`: a game and its players, date and result; a filter of records; rules that all formats share."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from othello_lab.game.board import Colour
from othello_lab.game.game import Game
from othello_lab.game.notation import brief
from othello_lab.game.openings import names_along

_YEAR = re.compile(r"(?<![0-9])([12][0-9]{3})(?:[01][0-9](?:[0-3][0-9](?:[0-9]{4}|[0-9]{6})?)?)?(?![0-9])")
"""A year alone, or the year of a date or a time without separators: 20030615, 200306151324."""


class RecordError(ValueError):
    """A record that cannot be read or written; the message says where the fault is."""


@dataclass(frozen=True)
class Forfeited:
    """The end of a game that a side lost before the end on the board."""

    by: Colour
    """The side that lost."""
    reason: str


@dataclass(frozen=True)
class Record:
    """A game, finished or not, and the known facts about it. Unknown texts are empty."""

    game: Game
    black: str = ""
    """The name of the player of black."""
    white: str = ""
    opening: int = 0
    """The number of plies at the start that the players did not choose."""
    seed: int | None = None
    """The seed of the match."""
    number: int | None = None
    """The number of the game in its match, from 0."""
    forfeit: Forfeited | None = None
    event: str = ""
    """The tournament or the place."""
    date: str = ""
    """A year, a day, or a day and a time, in the form of the file."""

    @property
    def year(self) -> int | None:
        """The year of the date; None if unknown."""
        year = _YEAR.search(self.date)
        return int(year[1]) if year else None

    @property
    def is_over(self) -> bool:
        """Whether the game has a result."""
        return self.forfeit is not None or self.game.board.is_over

    @property
    def winner(self) -> Colour | None:
        """The winner; None for a draw and for a game without a result."""
        if self.forfeit:
            return self.forfeit.by.other
        outcome = self.game.board.outcome()
        return outcome.winner if outcome else None


Entry = Record | RecordError
"""One entry of a file: a game, or the error that says why the game cannot be read."""


def strict(entries: Iterable[Entry]) -> list[Record]:
    """Return the games; raise the first error among the entries."""
    records = []
    for entry in entries:
        if isinstance(entry, RecordError):
            raise entry
        records.append(entry)
    return records


@dataclass(frozen=True)
class GameFilter:
    """Conditions on games; the defaults accept every game."""

    number: int | None = None
    """The number of the game to select, from 1; None selects all numbers."""
    player: str = ""
    """Part of the name of either player; accents and case do not matter."""
    event: str = ""
    """Part of the name of the tournament or place; accents and case do not matter."""
    first_year: int | None = None
    last_year: int | None = None
    opening: str = ""
    """The complete name of an opening that the game goes through."""

    def select(self, entries: Iterable[Entry]) -> dict[int, Record]:
        """Return the games that match, by their numbers from 1.

        Raises RecordError if the game of `number` cannot be read.
        """
        candidates = {n: entry for n, entry in enumerate(entries, 1) if self.number in (None, n)}
        if self.number:
            strict(candidates.values())
        return {
            n: entry for n, entry in candidates.items() if isinstance(entry, Record) and self._fits(entry)
        }

    def _fits(self, record: Record) -> bool:
        return (
            (_is_part(self.player, record.black) or _is_part(self.player, record.white))
            and _is_part(self.event, record.event)
            and self._is_in_time(record.year)
            and (not self.opening or self.opening in names_along(record.game).values())
        )

    def _is_in_time(self, year: int | None) -> bool:
        if self.first_year is None and self.last_year is None:
            return True
        return year is not None and (self.first_year or 0) <= year <= (self.last_year or year)


_WHOLE_LETTERS: Final = str.maketrans("øłđðħŧ\u0131", "olddhti") | {
    ord(letter): letters for letter, letters in {"þ": "th", "æ": "ae", "œ": "oe"}.items()
}
"""Letters that Unicode does not decompose; casefold() already turns the sharp s into ss."""


def _is_part(part: str, text: str) -> bool:
    return not part or _plain(part) in _plain(text)


def _plain(text: str) -> str:
    """Return a text without accents and capitals, because files write names with or without accents."""
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain.casefold().translate(_WHOLE_LETTERS)


_FEW = 3


def first_few(faults: Sequence[RecordError]) -> Iterator[str]:
    """Yield a line for each of the first few games that were left out, and the number of other games."""
    for fault in faults[:_FEW]:
        yield f"left out: {fault}"
    if len(faults) > _FEW:
        yield f"left out: {len(faults) - _FEW:,} more that cannot be read"


def forfeit_of(game: Game, lead: float, reason: str = "unknown") -> Forfeited | None:
    """Return how an unfinished game ended by its result in a file; None for a draw and for a finished game.

    `lead` is black's discs minus white's. The moves decide the result of a finished game.
    """
    if game.board.is_over or not lead:
        return None
    return Forfeited(Colour.BLACK if lead < 0 else Colour.WHITE, reason)


_LONGEST = 100_000
"""A number of characters that is larger than any game with its comments."""


def check_length(text: str) -> None:
    """Raise RecordError for a text that is too long to be a game."""
    if len(text) > _LONGEST:
        raise RecordError(f"more than {_LONGEST:,} characters are no game: {brief(text)!r}")
