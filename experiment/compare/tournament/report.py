"""Results of a tournament for a person at a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from experiment.compare.ratings.elo import RATED, Ratings
from experiment.compare.tournament import tables
from experiment.compare.tournament.meetings import (
    Circle,
    Meeting,
    about_circles,
    against_ratings,
    circles,
    meetings,
)
from experiment.compare.tournament.results import Results, zero
from experiment.compare.tournament.sentences import sentence
from experiment.show.terminal_tables import lines, matrix_lines
from rlglue.messages import shortened

_MOST = 10
"""Circles that are shown."""
_SHORTEST = 10
"""Letters of a name."""


def text(results: Results, ratings: Ratings | None, width: int, matrices: bool = False) -> Iterator[str]:
    """Yield the lines about players in the order of their ratings: who is strongest first, matrices last."""
    if ratings is None:
        yield "No ratings: there are no games that link all players"
    else:
        found = meetings(results, ratings)
        yield from _rating_lines(results, ratings)
        yield ""
        yield from _player_lines(results, ratings, found, width)
        yield ""
        yield from _against_lines(results, found, width)
    yield from _forfeit_lines(results)
    if matrices:
        yield from _matrix_lines(results, width)
    else:
        yield ""
        yield "--matrices shows who beat whom: wins, scores and discs of every pair"


def _matrix_lines(results: Results, width: int) -> Iterator[str]:
    for table in tables.matrices(results, tables.has_room(len(results.names), width)).values():
        yield ""
        yield from matrix_lines(table, width)


def _rating_lines(results: Results, ratings: Ratings) -> Iterator[str]:
    yield from lines(tables.players(results, ratings))
    yield f"rating: Elo's scale, 400 points are odds of 10 to 1; {zero(results, ratings)}"
    yield f"±: {RATED}"


def _forfeit_lines(results: Results) -> Iterator[str]:
    for name, count in zip(results.names, results.forfeits().tolist(), strict=True):
        if count:
            yield f"forfeits: {count:.0f} by {name}, counted as lost; the mean final scores leave them out"


def _player_lines(results: Results, ratings: Ratings, found: Sequence[Meeting], width: int) -> Iterator[str]:
    """Yield a sentence for each player."""
    yield "In words"
    for place, name in enumerate(results.names):
        called = shortened(name, max(_SHORTEST, width // 2))
        yield from wrap(
            f"{called}: {sentence(place, ratings, found)}",
            width,
            initial_indent="  ",
            subsequent_indent="    ",
        )


def _against_lines(results: Results, found: Sequence[Meeting], width: int) -> Iterator[str]:
    every = circles(found)
    yield from wrap(against_ratings(found), width)
    if len(results.names) > 2:
        yield about_circles(every)
    yield from _some([_circle(circle, results.names, width) for circle in every])


def _some(every: list[str]) -> Iterator[str]:
    yield from every[:_MOST]
    if len(every) > _MOST:
        yield f"  and {len(every) - _MOST} more"


def _circle(circle: Circle, names: Sequence[str], width: int) -> str:
    """Return who was ahead of whom."""
    room = max(_SHORTEST, (width - 31) // 3 - len("#99 "))
    way = " > ".join(f"#{player + 1} {shortened(names[player], room)}" for player in circle.players)
    return f"  {way} > #{circle.players[0] + 1}" + ("" if circle.is_clear else "  (may be chance)")
