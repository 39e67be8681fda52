"""Record: a game with what is known about it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from game.board import Board, Colour, IllegalMoveError
from game.game import Game
from game.game import replay as replayed

_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])", re.ASCII)


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

    @property
    def year(self) -> int | None:
        """The year of its date; None if unknown."""
        found = _YEAR.search(self.date)
        return int(found[0]) if found else None

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


def result_text(game: Game) -> str:
    """Return how a game ended on the board, for messages."""
    outcome = game.board.outcome()
    if not outcome:
        return "the game is not finished"
    return f"{outcome.disc_diff:+d}, {outcome.final_score:+d} with the empty squares for the winner"
