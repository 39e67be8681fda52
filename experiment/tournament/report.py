"""Results of a tournament for a person at a terminal."""

from collections.abc import Iterator, Sequence

from experiment.ratings.elo import RATED, Ratings, UnratedError
from experiment.statistics.means import Estimate
from experiment.statistics.paired import PAIRED
from experiment.statistics.shares import Interval
from experiment.tournament import tables
from experiment.tournament.anchor import Anchor
from experiment.tournament.meetings import Circle, Meeting, circles, meetings
from experiment.tournament.results import Results, zero
from rlglue.messages import shortened

_MOST = 10
"""Lines of each kind of thing that is against the rating."""
_SHORTEST = 10
"""Letters of a name."""


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
    yield from _forfeit_lines(results)
    if ratings is None:
        yield "No ratings: there are no games that link all players"
        return
    yield from _rating_lines(results, ratings)
    yield ""
    yield from _against_lines(results, ratings, width)


def ratings_of(results: Results, anchor: Anchor | None = None) -> Ratings | None:
    """Return the ratings, relative to the anchor if there is one; None where the games do not link all."""
    try:
        found = results.ratings()
    except UnratedError:
        return None
    return found if anchor is None else found.anchored(results.entrants.index(anchor.who), anchor.points)


def _rating_lines(results: Results, ratings: Ratings) -> Iterator[str]:
    yield f"Ratings on Elo's scale: 400 points are odds of 10 to 1; {zero(results, ratings)}"
    yield f"± {RATED}"
    yield "  # rating    ±  ahead of next score  games  player"
    totals, games, forfeits = results.totals(), results.games().sum(1), results.forfeits()
    for place, name in enumerate(results.names):
        found = ratings.of(place)
        yield (
            f"{place + 1:3} {found.value:+6.0f} {found.reach:4.0f}  {_ahead(ratings, place):>13}"
            f" {totals[place]:5.3f} {games[place]:6.0f}  {name}{_forfeited(forfeits[place])}"
        )


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
            yield f"forfeits: {count:.0f} by {name}, counted as lost; they are in no mean final score"


def _against_lines(results: Results, ratings: Ratings, width: int) -> Iterator[str]:
    found = meetings(results, ratings)
    upsets = [meeting for meeting in found if meeting.is_upset]
    unexpected = [meeting for meeting in found if meeting.is_unexpected]
    unexpected.sort(key=lambda meeting: meeting.surprise, reverse=True)
    round_ = circles(found)
    clear = sum(circle.is_clear for circle in round_)
    names = _Names(results.names, width)
    yield "Against the rating"
    yield f"± {PAIRED}"
    yield f"the lower-rated was ahead: {len(upsets)} of {len(found)} pairs"
    yield from _some([names.upset(meeting) for meeting in upsets])
    by_chance = f"by chance alone about {len(found) / 20:.0f}"
    yield f"not what the ratings say: {len(unexpected)} of {len(found)} pairs ({by_chance})"
    yield from _some([names.meeting(meeting) for meeting in unexpected])
    yield f"circles of three, each ahead of the next: {len(round_)}, of which {clear} beyond doubt"
    yield from _some([names.circle(circle) for circle in round_])


def _some(every: list[str]) -> Iterator[str]:
    yield from every[:_MOST]
    if len(every) > _MOST:
        yield f"  and {len(every) - _MOST} more"


def _turned(score: Estimate) -> Estimate:
    """Return the other's score."""
    return Estimate(1 - score.value, Interval(1 - score.interval.high, 1 - score.interval.low))


class _Names:
    """Says things about players in lines of a width."""

    def __init__(self, names: Sequence[str], width: int) -> None:
        self._names, self._width = names, width

    def _of(self, player: int, others: int, room: int) -> str:
        """Return number and name of one of several players, between whom other words take some room."""
        longest = (self._width - room) // others - len("#99 ")
        return f"#{player + 1} {shortened(self._names[player], max(_SHORTEST, longest))}"

    def upset(self, meeting: Meeting) -> str:
        """Return how the lower-rated was ahead."""
        score, doubt = meeting.score, "" if meeting.is_clear else "  (may be chance)"
        first, second = (self._of(player, 2, 36) for player in (meeting.second, meeting.first))
        return f"  {first}  {_turned(score)}  {second}{doubt}"

    def meeting(self, meeting: Meeting) -> str:
        """Return what was scored, and what the ratings say."""
        first, second = (self._of(player, 2, 30) for player in (meeting.first, meeting.second))
        return f"  {first}  {meeting.score}  {second}  not {meeting.expected:.3f}"

    def circle(self, circle: Circle) -> str:
        """Return who was ahead of whom."""
        way = " > ".join(self._of(player, 3, 31) for player in circle.players)
        return f"  {way} > #{circle.players[0] + 1}" + ("" if circle.is_clear else "  (may be chance)")
