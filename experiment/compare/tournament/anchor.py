"""Ratings of a tournament, and their anchor: a player whose rating is known."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from experiment.compare.ratings.elo import Ratings, UnratedError
from experiment.compare.tournament.entrants import Entrant
from experiment.compare.tournament.labels import labels
from experiment.compare.tournament.results import Results


class Anchor(NamedTuple):
    """A player and its rating."""

    who: Entrant
    points: float


def anchored(entrants: Sequence[Entrant], text: str) -> Anchor:
    """Return what a text such as `random=0` says, by a player's name or registry text; raises ValueError."""
    name, _, points = text.rpartition("=")
    names = labels(entrants)
    called = {who.text: who for who in entrants} | dict(zip(names, entrants, strict=True))
    if name not in called or not re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,6})?", points, re.ASCII):
        raise ValueError(f"{text!r} is no PLAYER=RATING with one of {', '.join(names)}, such as random=0")
    return Anchor(called[name], float(points))


def ratings_of(results: Results, anchor: Anchor | None = None) -> Ratings | None:
    """Return the ratings, relative to the anchor if there is one; None where the games do not link all."""
    try:
        found = results.ratings()
    except UnratedError:
        return None
    return found if anchor is None else found.anchored(results.entrants.index(anchor.who), anchor.points)
