"""`Record`, and helper functions of all formats."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from othello_lab.game.board import Colour
from othello_lab.game.game import Game
from othello_lab.game.notation import brief

# A year alone, or the year at the beginning of a date such as 20030615 or 200306151324.
_YEAR = re.compile(r"(?<![0-9])([12][0-9]{3})(?:[01][0-9](?:[0-3][0-9](?:[0-9]{4}|[0-9]{6})?)?)?(?![0-9])")


class RecordError(ValueError):
    """A record cannot be read or written. The message names the place of the fault."""


@dataclass(frozen=True)
class Forfeited:
    """A forfeit: the loss of an unfinished game."""

    by: Colour  # The side that lost.
    reason: str


@dataclass(frozen=True)
class Record:
    """A finished or unfinished game with players, date and result. A text is empty if a fact is unknown."""

    game: Game
    black: str = ""  # The name of the black player.
    white: str = ""
    opening: int = 0  # The number of opening plies, which the players did not choose.
    seed: int | None = None  # The seed of the match.
    number: int | None = None  # The number of the game in the match, from 0.
    forfeit: Forfeited | None = None
    event: str = ""  # The tournament or the place.
    date: str = ""  # A year, a day, or a day and a time, in the format of the file.
    warning: str = ""  # The contradiction between the result in the file and the moves. The moves decide.

    @property
    def year(self) -> int | None:
        """The year of the date, or None if it is unknown."""
        year = _YEAR.search(self.date)
        return int(year[1]) if year else None

    @property
    def is_over(self) -> bool:
        """Whether the game has a result."""
        return self.forfeit is not None or self.game.board.is_over

    @property
    def winner(self) -> Colour | None:
        """The winner, or None for a draw or a game without a result."""
        if self.forfeit:
            return self.forfeit.by.other
        outcome = self.game.board.outcome()
        return outcome.winner if outcome else None


Entry = Record | RecordError  # A game of a file, or an error if the game cannot be read.
_FEW = 3


def first_few(
    lines: Sequence[object], title: str = "left out", rest: str = "that cannot be read"
) -> Iterator[str]:
    """Yield the first _FEW lines with the prefix `title`, and then the number of the remaining lines."""
    for line in lines[:_FEW]:
        yield f"{title}: {line}"
    if len(lines) > _FEW:
        yield f"{title}: {len(lines) - _FEW:,} more {rest}"


def compare_result(
    game: Game, lead: float, result: str, reason: str = "unknown", in_discs: bool = True
) -> tuple[Forfeited | None, str]:
    """Compare black's `lead` with the moves. Return the forfeit or None, and the contradiction or ""."""
    outcome = game.board.outcome()
    if not outcome:
        return Forfeited(Colour.BLACK if lead < 0 else Colour.WHITE, reason) if lead else None, ""
    if in_discs:
        fits = abs(lead - outcome.disc_diff) in (0, game.board.empties)
    else:  # only the sign of `lead` counts
        fits = lead * outcome.disc_diff > 0 or lead == outcome.disc_diff
    return None, "" if fits else f"{result}, but by the moves {result_text(game)}"


def result_text(game: Game) -> str:
    """Return the result on the board, for messages."""
    outcome = game.board.outcome()
    if not outcome:
        return "the game is not finished"
    return f"{outcome.disc_diff:+d}, {outcome.final_score:+d} with the empty squares for the winner"


_LONGEST = 100_000  # The maximum number of characters of a game with comments.


def check_length(text: str) -> None:
    """Raise RecordError if a text is too long for a game."""
    if len(text) > _LONGEST:
        raise RecordError(f"more than {_LONGEST:,} characters are no game: {brief(text)!r}")
