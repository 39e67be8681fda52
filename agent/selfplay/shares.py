"""Shares of the pool: how much each opponent plays, as a text names it."""

import math
from typing import NamedTuple

PAST = "past"
"""The learner as it was, several times."""
NONE = "none"
"""The pool without anybody."""
STANDARD = "random=0.05,corner-greedy=0.2,positional=0.1,mobility=0.1,random-weights=0.1,past=0.05"
"""The pool of those who name none."""


class Share(NamedTuple):
    """How much a player of the pool plays."""

    name: str
    games: float
    """The share of the games in which it plays one side, 0 to 1."""


def read_shares(text: str) -> tuple[Share, ...]:
    """Return the shares of a text such as `random=0.1,positional=0.2,past=0.1`; raises ValueError.

    Who the names are is for others to say.
    """
    shares = tuple(_share(part) for part in text.split(",")) if text != NONE else ()
    if (total := sum(share.games for share in shares)) >= 1:
        raise ValueError(f"the shares of the pool come to {total:g}, expected less than 1")
    return shares


def _share(part: str) -> Share:
    name, said, games = part.strip().rpartition("=")
    try:
        share = float(games) if said else math.nan
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise ValueError(f"{part[:80]!r} is no player with a share, such as random=0.1")
    return Share(name, share)
