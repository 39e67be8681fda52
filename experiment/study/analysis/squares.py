"""Squares: where moves are possible and where they are made."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import HeatMap, HeatMaps
from othello_lab.experiment.show.tables import Table, Value
from othello_lab.experiment.study.analysis.findings import Analysis, keys, shown_turns
from othello_lab.experiment.study.analysis.games import BOTH, COLOURS, Games
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.experiment.study.statistics.units import share_over
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.notation import square_name

ALL: Final = "all"
"""In place of a turn or of a number: all of them together."""
_COLUMNS = "side square decisions possible possible_low possible_high played played_low played_high"
_TURNS = 12
"""About this many are drawn."""
_EXAMPLE = 0.1
"""A share of which is said how far it can be trusted."""


class Counts(NamedTuple):
    """How often the squares could be played, and how often they were: the first axis of both arrays."""

    by_turn: NDArray[np.int64]
    """[2, sides, turns + 1, squares]"""
    by_game: NDArray[np.uint8]
    """[2, sides, games, squares]"""


def count(games: Games) -> Counts:
    """Count where moves are possible and where they are made."""
    groups, squares = list(games.groups().values()), games.size**2
    counts = Counts(
        np.zeros((2, len(groups), len(games.moves), squares), np.int64),
        np.zeros((2, len(groups), len(games), squares), np.uint8),
    )
    for turn, decided in enumerate(games.decided):
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        made = games.moves[turn, decided][:, None] == np.arange(squares)
        for place, group in enumerate(groups):
            there = np.stack([legal, made])[:, group[turn, decided]]
            counts.by_turn[:, place, turn] = there.sum(axis=1)
            # A game has one decision a turn: no number stands twice.
            counts.by_game[:, place, np.flatnonzero(group[turn])] += there
    return counts


def tables(games: Games) -> list[Table]:
    """Return all that is told of squares."""
    counts = count(games)
    return [overall(games, counts), each_turn(games, counts)]


def overall(games: Games, counts: Counts) -> Table:
    """Return in what share of a side's own turns each square could be played and was, with intervals."""
    rows = list[tuple[Value, ...]]()
    for place, (side, decided) in enumerate(games.groups().items()):
        units, unit = np.unique(games.unit, return_inverse=True)
        decisions = np.bincount(unit, decided.sum(axis=0), len(units)).astype(float)
        shares = [_estimates(kind[place], decisions, unit) for kind in counts.by_game]
        for square, found in enumerate(zip(*shares, strict=True)):
            rows.append((side, square_name(square, games.size), int(decisions.sum()), *found[0], *found[1]))
    about = "share of a side's decisions in which a square could be played and was, 95 % intervals"
    return Table("squares", keys(_COLUMNS), rows, about)


def _estimates(
    by_game: NDArray[np.uint8], decisions: NDArray[np.float64], unit: NDArray[np.int64]
) -> Iterator[tuple[float, float, float]]:
    """Yield the share of each square and the ends of its interval."""
    there = decisions > 0
    for square in by_game.T:
        times = np.bincount(unit, square, len(decisions)).astype(float)
        share = share_over(times[there], decisions[there])
        yield (share.value, *share.interval)


def each_turn(games: Games, counts: Counts) -> Table:
    """Return the same shares at each turn."""
    rows = list[tuple[Value, ...]]()
    names, sides = [square_name(square, games.size) for square in range(games.size**2)], [*games.groups()]
    for turn, side, which in games.each_turn():
        number, place = int(which.sum()), sides.index(side)
        possible, played = (counts.by_turn[:, place, turn] / number).tolist()
        rows += [
            (turn, side, name, number, *each) for name, *each in zip(names, possible, played, strict=True)
        ]
    about = "share of a side's decisions at a turn in which a square could be played, and in which it was"
    return Table("squares_by_turn", keys("turn side square decisions possible played"), rows, about)


def maps_by_turn(analysis: Analysis) -> HeatMaps:
    """Return where a move is possible, turn by turn, on one scale."""
    table = analysis.tables["squares_by_turn"].where(side=BOTH)
    maps = [
        HeatMap(f"turn {turn}", _shares(table.where(turn=turn), "possible", analysis.size))
        for turn in shown_turns(table.distinct("turn"), _TURNS)
    ]
    # By the square root: else the few squares of the first turn would leave all others dark.
    return HeatMaps(maps, "decisions in which a square could be played", rooted=True)


def spread(analysis: Analysis) -> str:
    """Say how far the shares of a turn can be trusted."""
    table = analysis.tables["squares_by_turn"].where(side=BOTH)
    fewest = int(table.numbers("decisions").min())
    reach = 100 * wilson(_EXAMPLE, fewest).reach(_EXAMPLE)
    return (
        f"{fewest:,} decisions a turn at least: a share of {100 * _EXAMPLE:.0f} % is ± {reach:.1f} ({WILSON})"
    )


def _shares(table: Table, column: str, size: int) -> NDArray[np.float64]:
    """Return a column of all squares as a board, float64 [size, size]."""
    return table.numbers(column).reshape(size, size)


def compared_maps(analysis: Analysis, player: str | None) -> list[HeatMaps]:
    """Return a player as black, random play and the player as white, a scale for possible and one for played
    moves; without a player black, both or random play, and white.
    """
    return [
        HeatMaps(
            [
                _compared(label, table, kind, words, analysis.size)
                for label, table in _sides(analysis, player, "squares")
            ],
            f"decisions in which a square {words}",
        )
        for kind, words in (("possible", "could be played"), ("played", "was played"))
    ]


def _sides(analysis: Analysis, player: str | None, name: str) -> list[tuple[str, Table]]:
    """Return what `compared_maps` and `maps_of_own_turns` compare, of the table of a name."""
    own, base = analysis.tables[name], analysis.tables.get(f"{name}_random")
    black, white = (f"{player} as {colour}" if player else colour for colour in COLOURS)
    middle = ("both sides", own.where(side=BOTH)) if base is None else ("random play", base.where(side=BOTH))
    return [(black, own.where(side=black)), middle, (white, own.where(side=white))]


def maps_of_own_turns(analysis: Analysis, player: str | None) -> dict[int, HeatMaps]:
    """Return where a move is possible at each of a side's own turns, by its number from 0, on a scale each.

    The n-th is black's turn 2n and white's turn 2n + 1; between them stands, of both turns, what
    `compared_maps` has there. What a map says has its number of decisions, and Wilson's interval over them.
    """
    black, middle, white = _sides(analysis, player, "squares_by_turn")
    # After a pass a side is at turns of the other parity, which these maps have not.
    blacks, whites = ({*table.distinct("turn")} for _, table in (black, white))
    owns = sorted(turn // 2 for turn in blacks if turn % 2 == 0 and turn + 1 in whites)
    return {
        own: HeatMaps(
            [
                _at_turns(*black, [2 * own], analysis.size),
                _at_turns(*middle, [2 * own, 2 * own + 1], analysis.size),
                _at_turns(*white, [2 * own + 1], analysis.size),
            ],
            "decisions in which a square could be played",
        )
        for own in owns
    }


def _at_turns(label: str, table: Table, turns: Sequence[int], size: int) -> HeatMap:
    """Return where a side could play at some turns taken together."""
    place = table.place("turn")
    found = table.only(lambda row: row[place] in turns)
    decisions = found.numbers("decisions").reshape(-1, size * size)
    possible = (found.numbers("possible").reshape(-1, size * size) * decisions).sum(axis=0)
    number = int(decisions[:, 0].sum())
    shares = possible / max(1, number)
    reach = 100 * max(wilson(share, number).reach(share) for share in shares.tolist())
    says = f"percent of {number:,} decisions at turn {' and '.join(map(str, turns))}; ± {reach:.1f} at most"
    return HeatMap(label, shares.reshape(size, size), says)


def _compared(label: str, table: Table, kind: str, words: str, size: int) -> HeatMap:
    reach = 100 * float((table.numbers(f"{kind}_high") - table.numbers(kind)).max())
    number = f"{table.numbers('decisions')[0]:,.0f} decisions"
    says = f"percent of {number} in which it {words}; ± {reach:.1f} at most"
    return HeatMap(label, _shares(table, kind, size), says)
