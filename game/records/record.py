"""A record: a game with what is known about it; a selection of records; and the text of their files."""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.game import Game
from othello_lab.game.game import replay as replayed
from othello_lab.game.notation import brief
from othello_lab.game.opening_names import names_along

_YEAR = re.compile(r"(?<![0-9])([12][0-9]{3})(?:[01][0-9](?:[0-3][0-9](?:[0-9]{4}|[0-9]{6})?)?)?(?![0-9])")
"""A year alone, or the year of a date or a time without separators: 20030615, 200306151324."""


class RecordError(ValueError):
    """A record that cannot be read or written; the text says where the fault is."""


@dataclass(frozen=True)
class Forfeited:
    """How a game ended before its end on the board."""

    by: Colour
    """Who lost by it."""
    reason: str


class BestPlay(NamedTuple):
    """How a game would have ended by best play from some point on, as its database says: nobody checks it."""

    discs: int
    """Black's, the empty squares given to the winner."""
    empties: int
    """From how many empty squares on."""


@dataclass(frozen=True)
class Record:
    """A game, finished or not, and what is known about it."""

    game: Game
    black: str = ""
    """Who played black; "" if unknown."""
    white: str = ""
    opening: int = 0
    """How many of the first plies were given, not chosen by the players."""
    seed: int | None = None
    """Of the match."""
    number: int | None = None
    """Of the game in its match, from 0."""
    forfeit: Forfeited | None = None
    event: str = ""
    """The tournament or the place where it was played; "" if unknown."""
    date: str = ""
    """When, as its file says it: a year, a day, a day and an hour."""
    best_play: BestPlay | None = None
    """WTHOR's theoretical score; None if unknown."""
    warning: str = ""
    """How the result in its file contradicts the moves, which decide; "" if it does not."""

    @property
    def year(self) -> int | None:
        """The year of its date; None if unknown."""
        found = _YEAR.search(self.date)
        return int(found[1]) if found else None

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""
        return self.forfeit is not None or self.game.board.is_over

    @property
    def winner(self) -> Colour | None:
        """Who won; None for a draw and for a game without a result."""
        if self.forfeit:
            return self.forfeit.by.other
        outcome = self.game.board.outcome()
        return outcome.winner if outcome else None


Entry = Record | RecordError
"""What stands in a file: a game, or why one cannot be read."""


def strict(entries: Iterable[Entry]) -> list[Record]:
    """Return games; raise the first of what stands in place of one."""
    records = []
    for entry in entries:
        if isinstance(entry, RecordError):
            raise entry
        records.append(entry)
    return records


def replay(start: Board, moves: Sequence[int]) -> Game:
    """Return the game of these moves; forced passes may be left out. Raises RecordError."""
    try:
        return replayed(start, moves)
    except IllegalMoveError as error:
        raise RecordError(str(error)) from None


def contradiction(game: Game, lead: float, result: str, in_discs: bool = True) -> str:
    """Return how the result in a file contradicts the moves of a finished game; "" if it does not.

    `lead` is black's discs minus white's, with the empty squares for either side or for nobody; without
    `in_discs` only its sign counts. `result` is the text of the result.
    """
    outcome = game.board.outcome()
    if not outcome:
        return ""
    if in_discs:
        fits = abs(lead - outcome.disc_diff) in (0, game.board.empties)
    else:
        fits = lead * outcome.disc_diff > 0 or lead == outcome.disc_diff
    return "" if fits else f"{result}, but by the moves {result_text(game)}"


def lost_by(game: Game, lead: float, reason: str = "unknown") -> Forfeited | None:
    """Return who lost a game that ends early, by black's lead as its file says it.

    None for a draw, and for a game that is over on the board.
    """
    if game.board.is_over or not lead:
        return None
    return Forfeited(Colour.BLACK if lead < 0 else Colour.WHITE, reason)


def early(black: int, white: int) -> str:
    """Return the reason of a result in discs that the moves do not lead to."""
    return f"the moves end early, at {black}-{white}"


def result_text(game: Game) -> str:
    """Return how a game ended on the board, for messages."""
    outcome = game.board.outcome()
    if not outcome:
        return "the game is not finished"
    return f"{outcome.disc_diff:+d}, {outcome.final_score:+d} with the empty squares for the winner"


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
    opening: str = ""
    """The whole name of an opening that the game goes through."""

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
            any(_is_part(self.player, name) for name in (record.black, record.white))
            and _is_part(self.event, record.event)
            and self._is_in_time(record.year)
            and (not self.opening or self.opening in names_along(record.game).values())
        )

    def _is_in_time(self, year: int | None) -> bool:
        if self.first_year is None and self.last_year is None:
            return True
        return year is not None and (self.first_year or 0) <= year <= (self.last_year or year)


def _is_part(wanted: str, text: str) -> bool:
    return not wanted or _plain(wanted) in _plain(text)


_WHOLE_LETTERS: Final = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "ŧ": "t",
        "\u0131": "i",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
    }
)
"""Letters with a mark that Unicode does not take apart; of the sharp s casefold() makes ss."""


def _plain(text: str) -> str:
    """Return a text without accents and capitals: names are written with and without them."""
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain.casefold().translate(_WHOLE_LETTERS)


_FEW = 3


def left_out(faults: Sequence[RecordError]) -> Iterator[str]:
    """Yield lines about games that cannot be read: the first few, and how many more there are."""
    return first_few("left out", faults, "that cannot be read")


def first_few(title: str, lines: Sequence[object], rest: str) -> Iterator[str]:
    """Yield the first few lines, each after the title, and how many more there are of `rest`."""
    for line in lines[:_FEW]:
        yield f"{title}: {line}"
    if len(lines) > _FEW:
        yield f"{title}: {len(lines) - _FEW:,} more {rest}"


_LONGEST = 100_000
"""Characters: more than any game and its comments take."""
_MARKS = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


def decoded(data: bytes) -> str:
    """Return the text of a file, its lines ended by \\n.

    The encoding is UTF-16 where the first bytes say so, else UTF-8, else Latin-1.
    """
    try:
        text = data.decode("utf-16" if data.startswith(_MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-16", "replace") if data.startswith(_MARKS) else data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers, from 1."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def check_length(text: str) -> None:
    """Raise RecordError for a text that is too long to be a game."""
    if len(text) > _LONGEST:
        raise RecordError(f"more than {_LONGEST:,} characters are no game: {brief(text)!r}")
