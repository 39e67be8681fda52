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
    share, discs = tables.forms(len(results.names), width)
    scores, finals = results.scores(), results.final_scores()
    for title, numbers, form in (
        ("Wins of the row against the column", results.wins(), tables.COUNT),
        ("Score as black: the row's wins and half the draws, as a share", scores.as_black, share),
        ("Score as white", scores.as_white, share),
        ("Score, fair to colour: the mean of both", scores.fair, share),
        ("Mean final score as black: the row's discs minus the column's at the end", finals.as_black, discs),
        ("Mean final score as white", finals.as_white, discs),
        ("Mean final score, fair to colour", finals.fair, discs),
    ):
        yield ""
        yield from tables.lines(title, numbers, results.names, form, width)


def _rating_lines(results: Results, ratings: Ratings) -> Iterator[str]:
    yield "  # rating    ±  ahead of next score  games  player"
    totals, games, forfeits = results.totals(), results.games().sum(1), results.forfeits()
    for place, name in enumerate(results.names):
        found = ratings.of(place)
        yield (
            f"{place + 1:3} {found.value:+6.0f} {found.reach:4.0f}  {_ahead(ratings, place):>13}"
            f" {totals[place]:5.3f} {games[place]:6.0f}  {name}{_forfeited(forfeits[place])}"
        )
    yield f"rating: Elo's scale, 400 points are odds of 10 to 1; {zero(results, ratings)}"
    yield f"±: {RATED}"


def _forfeited(count: float) -> str:
    return f"  ({count:.0f} forfeited)" if count else ""


def _ahead(ratings: Ratings, place: int) -> str:
    if place + 1 == len(ratings.points):
        return ""
    apart = ratings.difference(place, place + 1)
    return f"{apart.value:.0f} ± {apart.reach:.0f}"


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
