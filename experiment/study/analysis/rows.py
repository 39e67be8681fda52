"""The sides and turns of a table that are shown, on the terminal and in pictures."""

from collections.abc import Sequence

from experiment.show.tables import Table, Value
from experiment.study.analysis.games import BOTH, COLOURS


def players_in(table: Table) -> list[str]:
    """Return the sides of a table that are one of two players with both colours; none where one player met
    itself.
    """
    sides = map(str, table.distinct("side"))
    return [side for side in sides if side != BOTH and not side.endswith(COLOURS)]


def shown_turns(turns: Sequence[Value], most: int) -> list[int]:
    """Return about this many of some turns, evenly spread, the first and the last among them."""
    every = [int(turn) for turn in turns]
    if len(every) <= most:
        return every
    return sorted({every[round(place * (len(every) - 1) / (most - 1))] for place in range(most)})
