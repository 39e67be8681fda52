"""Measured results of a random mover against training opponents."""

from collections.abc import Mapping
from typing import Final

from othello_lab.experiment.run.outcomes import SELF, STAND_IN, Tally
from othello_lab.experiment.run.record import RunRecord

_GAMES: Final = 5000
_MEASURED: Final[Mapping[tuple[int, str], tuple[int, int, int, int]]] = {
    (4, "corner-greedy"): (147, 48, 1767, 708),
    (4, "greedy"): (2019, 423, 2664, 582),
    (4, "mobility"): (352, 6, 1351, 483),
    (4, "positional"): (372, 17, 1685, 396),
    (4, "random"): (1794, 514, 2753, 477),
    (4, "weights:swh"): (263, 33, 1765, 450),
    (6, "corner-greedy"): (642, 144, 1132, 221),
    (6, "greedy"): (1597, 223, 1940, 257),
    (6, "mobility"): (566, 107, 866, 129),
    (6, "positional"): (440, 131, 431, 148),
    (6, "random"): (2236, 275, 2519, 296),
    (6, "weights:swh"): (503, 166, 698, 246),
    (8, "corner-greedy"): (966, 128, 996, 119),
    (8, "greedy"): (1897, 165, 1828, 176),
    (8, "mobility"): (964, 104, 1012, 95),
    (8, "positional"): (439, 93, 496, 117),
    (8, "random"): (2272, 203, 2542, 215),
    (8, "weights:swh"): (851, 180, 1010, 212),
    (10, "corner-greedy"): (984, 104, 1086, 122),
    (10, "greedy"): (1705, 133, 1639, 135),
    (10, "random"): (2244, 169, 2579, 163),
}
"""By board size and opponent, the games won and drawn as black, then the games won and drawn as white.

The 5,000 games with each colour are from `Pairing("random", opponent, size, repeat=5000)`.
"""
# The agent's colours, by the side that always begins. In other runs, the agent has both colours.
_COLOURS: Final = {"agent": ("black",), "opponent": ("white",)}


def random_mover(record: RunRecord, opponent: str, colour: str) -> Tally | None:
    """Return a random mover's result as `colour` against an opponent of a run, or None if it is unknown."""
    measured = _MEASURED.get((record.environment_stats.size or 0, opponent))
    if measured is None or record.environment.random_opening or colour not in ("black", "white"):
        return None
    win, draw = measured[:2] if colour == "black" else measured[2:]
    return Tally(win, draw, _GAMES - win - draw)


def random_mover_in(record: RunRecord) -> Tally | None:
    """Return a random mover's result in the training games of a run. Return None if the result is unknown.

    In self-play, return the random mover's result as black against STAND_IN.
    """
    stats = record.environment_stats
    opponent, colours = stats.opponent or "", _COLOURS.get(stats.first or "", ("black", "white"))
    if opponent == SELF:
        opponent, colours = STAND_IN, ("black",)
    tallies = [random_mover(record, opponent, colour) for colour in colours]
    return sum((tally for tally in tallies if tally), Tally()) if all(tallies) else None
