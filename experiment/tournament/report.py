"""What a tournament says, for a person at a terminal."""

import re
from collections.abc import Iterator

from experiment.ratings.elo import RATED, Ratings, UnratedError
from experiment.statistics.paired import PAIRED
from experiment.tournament import tables
from experiment.tournament.meetings import Circle, Meeting, circles, meetings
from experiment.tournament.results import Results, zero

_MOST = 10
"""Lines of each kind of thing that is against the rating."""


def text(results: Results, ratings: Ratings | None, width: int) -> Iterator[str]:
    """Yield the lines about players in the order of their ratings: matrices first, what they come to last."""
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
        yield from tables.lines(title, numbers, results.names, form, width)
        yield ""
    if ratings is None:
        yield "No ratings: there are no games that link all players"
        return
    yield from _rating_lines(results, ratings)
    yield ""
    yield from _against_lines(results, ratings)


def ratings_of(results: Results, anchor: str | None = None) -> Ratings | None:
    """Return the ratings; None where the games do not link all players.

    With an anchor such as `random=0` they are relative to that; raises ValueError for another text.
    """
    known = None if anchor is None else _anchor(results, anchor)
    try:
        found = results.ratings()
    except UnratedError:
        return None
    return found if known is None else found.anchored(*known)


def _anchor(results: Results, text: str) -> tuple[int, float]:
    """Return which player has which rating."""
    player, _, points = text.rpartition("=")
    texts = [who.text for who in results.entrants]
    for names in (results.names, texts):
        if player in names and re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]+)?", points, re.ASCII):
            return list(names).index(player), float(points)
    raise ValueError(f"{text!r} is no PLAYER=RATING with one of {', '.join(results.names)}, such as random=0")


def _rating_lines(results: Results, ratings: Ratings) -> Iterator[str]:
    yield f"Ratings: Elo's scale, 400 points are odds of 10 to 1, {zero(results, ratings)}; ± {RATED}"
    yield "  #  rating     ±   ahead of the next   score   games  player"
    totals, games = results.totals(), results.games().sum(1)
    for place, name in enumerate(results.names):
        found = ratings.of(place)
        yield (
            f"{place + 1:3} {found.value:+7.0f} {found.reach:5.0f}   {_ahead(ratings, place):>17}"
            f"   {totals[place]:5.3f}  {games[place]:6.0f}  {name}"
        )


def _ahead(ratings: Ratings, place: int) -> str:
    if place + 1 == len(ratings.points):
        return ""
    apart = ratings.difference(place, place + 1)
    return f"{apart.value:.0f} ± {apart.reach:.0f}"


def _against_lines(results: Results, ratings: Ratings) -> Iterator[str]:
    found = meetings(results, ratings)
    upsets = [meeting for meeting in found if meeting.is_upset]
    yield f"Against the rating, ± {PAIRED}:"
    yield f"lower-rated player ahead: {len(upsets)} of {len(found)} pairs"
    yield from _some([_upset_line(results, meeting) for meeting in upsets])
    surprises = sorted(
        (meeting for meeting in found if meeting.is_unexpected), key=lambda it: it.surprise, reverse=True
    )
    yield (
        f"what the ratings say is outside the interval: {len(surprises)} of {len(found)} pairs, "
        f"of which chance alone makes about {len(found) / 20:.0f}"
    )
    yield from _some([_meeting_line(results, meeting) for meeting in surprises])
    round_ = circles(found)
    clear = sum(circle.is_clear for circle in round_)
    yield f"circles of three, each ahead of the next: {len(round_)}, {clear} of them beyond doubt"
    yield from _some([_circle_line(results, circle) for circle in round_])


def _some(every: list[str]) -> Iterator[str]:
    yield from every[:_MOST]
    if len(every) > _MOST:
        yield f"  and {len(every) - _MOST} more"


def _upset_line(results: Results, meeting: Meeting) -> str:
    score = meeting.score
    doubt = "" if meeting.is_clear else " (may be chance)"
    return (
        f"  {_named(results, meeting.second)} {1 - score.value:.3f} ± {score.reach:.3f} "
        f"{_named(results, meeting.first)}, expected {1 - meeting.expected:.3f}{doubt}"
    )


def _meeting_line(results: Results, meeting: Meeting) -> str:
    first, second = _named(results, meeting.first), _named(results, meeting.second)
    return f"  {first} {meeting.score} {second}, expected {meeting.expected:.3f}"


def _circle_line(results: Results, circle: Circle) -> str:
    way = " > ".join(_named(results, player) for player in (*circle.players, circle.players[0]))
    return f"  {way}" + ("" if circle.is_clear else " (may be chance)")


def _named(results: Results, player: int) -> str:
    return f"#{player + 1} {results.names[player]}"
