"""Sentences about the players of a tournament: the place of each, and where its rating does not fit."""

from collections.abc import Iterator, Sequence
from typing import Final

from experiment.compare.ratings.elo import Ratings
from experiment.compare.tournament.meetings import Meeting
from experiment.show.wording import ordinal

_MOST: Final = 2
"""Opponents that a sentence names."""


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
    for meeting in odd[:_MOST]:
        yield _said(place, meeting)
    if len(odd) > _MOST:
        yield f"and {len(odd) - _MOST} more like that"


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
