"""Yardsticks: what a random mover reaches in the same games, and gtp-rhino, a program of other people."""

from collections.abc import Callable, Iterator, Mapping

from othello_lab.experiment.run.outcomes import SELF, STAND_IN, Evaluation, Tally, total
from othello_lab.experiment.run.record import RunRecord
from othello_lab.game.players import RegistryError
from othello_lab.game.players import catalogue as registry

SIZE = 8
"""The board that gtp-rhino plays on."""
LEVELS = {f"gtp-rhino level {level}": f"engine:gtp-rhino -l {level} -b 0 -r 0" for level in (1, 2, 3)}
"""Registry texts, from weak to strong; -b 0: no book, -r 0: the same moves each time."""
OPENINGS = 20
"""Each is played as black and as white: under 20 seconds a level."""
PASS_SCORE = 0.25
"""The score against a level below which the next one is not played."""


def is_available(size: int | None) -> bool:
    """Tell whether this machine has a yardstick for boards of that size."""
    return _missing(size) is None


def why_unavailable(size: int | None, wanted: bool, own_environment: bool) -> str | None:
    """Say why a run has no yardstick, "" if it was turned off; None if it has one.

    `own_environment`: only one that the run makes takes a program by message.
    """
    if wanted:
        return _missing(size)
    if own_environment:
        return ""
    return "the environment is not of this run's making, so it takes no program as its opponent"


def _missing(size: int | None) -> str | None:
    """Say why gtp-rhino is not played on boards of that size, None if it is."""
    if size != SIZE:
        return f"it plays on {SIZE}x{SIZE} only"
    try:
        for text in LEVELS.values():
            registry.make(text, SIZE).close()
    except RegistryError:
        return "it is not installed (on Debian and Ubuntu: apt install grhino)"
    return None


def measure(play: Callable[[str, int], list[Evaluation]]) -> Iterator[list[Evaluation]]:
    """Play level after level, as long as the agent passes, and yield each one's results by colour.

    `play` plays from this many openings against a player given by its registry text.
    """
    for text in LEVELS.values():
        results = play(text, OPENINGS)
        if results:
            yield results
        if total(results).score < PASS_SCORE:
            return


_GAMES = 5000
_RANDOM_MOVER: Mapping[tuple[int, str], tuple[int, int, int, int]] = {
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
"""Board size and opponent: how many of 5,000 games a random mover won and drew as black, and as white.

From the standard start; measured by playing `Pairing("random", opponent, size, repeat=5000)`,
with luck that came from the number of the game. Luck of another kind gives other games of the same chances.
"""
_COLOURS: Mapping[str, tuple[str, ...]] = {"agent": ("black",), "opponent": ("white",)}
"""Who begins: which colours the agent has, if not both."""


def random_mover(record: RunRecord, opponent: str, colour: str) -> Tally | None:
    """Return what a random mover gets in the games of a run against an opponent.

    None where nobody has measured it.
    """
    measured = _RANDOM_MOVER.get((record.environment_stats.size or 0, opponent))
    if measured is None or record.environment.random_opening or colour not in ("black", "white"):
        return None
    win, draw = measured[:2] if colour == "black" else measured[2:]
    return Tally(win, draw, _GAMES - win - draw)


def random_mover_in(record: RunRecord) -> Tally | None:
    """Return what a random mover gets in the training games of a run; None where that is not known.

    Where the agent plays itself, in the first games that it is evaluated with.
    """
    stats = record.environment_stats
    opponent, colours = stats.opponent or "", _COLOURS.get(stats.first or "", ("black", "white"))
    if opponent == SELF:
        opponent, colours = STAND_IN, ("black",)
    found = [random_mover(record, opponent, colour) for colour in colours]
    return sum((tally for tally in found if tally), Tally()) if all(found) else None
