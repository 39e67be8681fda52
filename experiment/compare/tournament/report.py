"""Results of a tournament for a person at a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from othello_lab.experiment.compare.ratings import RATED, Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.meetings import (
    Circle,
    Meeting,
    about_circles,
    against_ratings,
    circles,
    meetings,
)
from othello_lab.experiment.compare.tournament.results import Results, zero
from othello_lab.experiment.show.tables import lines, matrix_lines
from othello_lab.experiment.show.wording import ordinal
from rlglue.messages import truncate_middle

_CIRCLES, _OPPONENTS = 10, 2
"""The most that are shown, and that a sentence names."""
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
        called = truncate_middle(name, max(_SHORTEST, width // 2))
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
    yield from every[:_CIRCLES]
    if len(every) > _CIRCLES:
        yield f"  and {len(every) - _CIRCLES} more"


def _circle(circle: Circle, names: Sequence[str], width: int) -> str:
    """Return who was ahead of whom."""
    room = max(_SHORTEST, (width - 31) // 3 - len("#99 "))
    way = " > ".join(f"#{player + 1} {truncate_middle(names[player], room)}" for player in circle.players)
    return f"  {way} > #{circle.players[0] + 1}" + ("" if circle.is_clear else "  (may be chance)")


def sentence(place: int, ratings: Ratings, found: Sequence[Meeting]) -> str:
    """Return what there is to say about a player, players being in the order of their ratings.

    Such as `3rd of 12; loses to 2nd more often than its rating says (0.212, not 0.300)`.
    """
    odd = [meeting for meeting in found if meeting.is_upset or meeting.is_unexpected]
    own = sorted((each for each in odd if place in each[:2]), key=lambda each: -each.surprise)
    return "; ".join([_place(place, ratings), *_against(place, own)])


def _place(place: int, ratings: Ratings) -> str:
    """Return the place, and whether it is in doubt."""
    last = len(ratings.points) - 1
    doubt = place < last and ratings.difference(place, place + 1).interval.low <= 0
    unsure = f", but perhaps no better than {ordinal(place + 2)}" if doubt else ""
    return f"{ordinal(place + 1)} of {last + 1}{unsure}"


def _against(place: int, odd: Sequence[Meeting]) -> Iterator[str]:
    for meeting in odd[:_OPPONENTS]:
        yield _said(place, meeting)
    if len(odd) > _OPPONENTS:
        yield f"and {len(odd) - _OPPONENTS} more like that"


def _said(place: int, meeting: Meeting) -> str:
    """Return what is odd about a pair, from the side of one of them."""
    is_first = place == meeting.first
    score = meeting.score.value if is_first else 1 - meeting.score.value
    expected = meeting.expected if is_first else 1 - meeting.expected
    other = ordinal((meeting.second if is_first else meeting.first) + 1)
    if meeting.is_upset:
        chance = "" if meeting.is_clear else ", perhaps by chance"
        said = (
            f"loses to {other}, which is rated lower" if is_first else f"beats {other}, which is rated higher"
        )
        return f"{said} ({score:.3f}{chance})"
    wins = score > 0.5 or (score == 0.5 and is_first)
    often = "more" if (score > expected) == wins else "less"
    said = f"beats {other}" if wins else f"loses to {other}"
    return f"{said} {often} often than its rating says ({score:.3f}, not {expected:.3f})"
