"""An analysis as a person reads it in a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Final

import numpy as np

from experiment.show.tables import Column, Table, Value
from experiment.study.analysis.findings import Analysis, players_in, shown_turns
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.squares import ALL

_ROWS: Final = 11
"""About this many turns are shown."""


def printed(analysis: Analysis) -> Iterator[Table]:
    """Yield the tables that are printed."""
    tables = analysis.tables
    yield _headline(tables["headline"])
    if tables["results"].rows:
        yield _results(tables["results"])
    yield _by_turn(analysis)
    yield _tree(tables)
    yield _corners(tables["corners_owned"])
    yield from _captures(tables["captures"])
    if "solver" in tables:
        yield _solver(tables["solver"])
    if "symmetry" in tables:
        yield from _symmetry(tables["symmetry"])


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table, its first column flush left."""
    first, *others = columns
    return Table(title, [Column(first), *(Column(heading, write="{}".format) for heading in others)], rows)


def number(value: Value, decimals: int = 3) -> str:
    """Return a number as it is printed; a dash where nothing is known."""
    known = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return f"{value:,.{decimals}f}" if known else "-"


def estimate(found: Sequence[Value], decimals: int = 3) -> str:
    """Return a number with how far its interval reaches; `found` is the number and both ends."""
    value, low, high = found
    reach = max(float(value) - float(low), float(high) - float(value))
    return f"{number(value, decimals)} ± {number(reach, decimals)}"


def percent(share: Value, decimals: int = 1) -> str:
    """Return a share in percent; a dash where nothing is known."""
    return number(100 * float(share), decimals) + " %" if isfinite(float(share)) else "-"


def _headline(table: Table) -> Table:
    rows = [(str(name), estimate(found, 4), f"{of:,}") for name, *found, of in table.rows]
    return _table("In short", ("figure", "value", "of"), rows)


def _results(table: Table) -> Table:
    rows = []
    for side in table.distinct("side"):
        rows.append((str(side), *(estimate(found) for _, _, _, *found in table.where(side=side).rows)))
    return _table("Results, as shares of the games", ("side", "score", "won", "drawn", "lost"), rows)


def _by_turn(analysis: Analysis) -> Table:
    """Return what there is at some turns."""
    tables = analysis.tables
    moves, corners = (tables[name].where(side=BOTH) for name in ("moves", "corner_chances"))
    rows = []
    for turn in shown_turns(moves.column("turn"), _ROWS):
        (mean, sd), (corner,), (skipped, boards, games), (discs,) = (
            [table.where(turn=turn).column(name)[0] for name in names]
            for table, *names in (
                (moves, "mean", "sd"),
                (corners, "share"),
                (tables["flow"], "skipped", "boards", "games"),
                (tables["points"].where(side="black"), "mean"),
            )
        )
        cells = (number(mean, 2), number(sd, 2), percent(corner), percent(skipped), number(discs, 1))
        rows.append((f"{turn}", *cells, f"{boards:,}", f"{games:,}"))
    columns = ("turn", "moves", "sd", "corner", "passed", "black discs", "boards", "games")
    return _table("By turn, which is the number of discs placed before", columns, rows)


def _tree(tables: Mapping[str, Table]) -> Table:
    whole = tables["tree"].where(turn=tables["tree"].column("turn")[0])
    rows = [(f"means of {side}, multiplied", *map(number, found)) for _, side, *found in whole.rows]
    if "all_games" in tables:
        rows += [("all games (Knuth's estimate)", *map(number, tables["all_games"].rows[0]))]
    return _table("Size of the game tree, its decimal logarithm", ("what", "log10", "from", "to"), rows)


def _corners(table: Table) -> Table:
    rows = [(str(row[0]), estimate(row[2:5]), *(percent(share) for share in row[5:])) for row in table.rows]
    return _table("Corners owned at the end", ("owner", "mean", *(f"{count}" for count in range(5))), rows)


def _captures(table: Table) -> Iterator[Table]:
    """Yield a table for each player, or one for both sides of a player."""
    for side in players_in(table) or [BOTH]:
        rows = [
            (str(kind), f"{chances:,}", *(percent(share) for share in shares[::3]), number(delay, 2))
            for _, kind, chances, *shares, delay in table.where(side=side).rows
        ]
        columns = ("squares", "chances", "at once", "later", "by the other", "never", "delay")
        who = "" if side == BOTH else f" of {side}"
        yield _table(f"From the first chance{who} at a square to the disc on it, in own turns", columns, rows)


def _solver(table: Table) -> Table:
    rows = []
    for side, empties, count, *found in table.rows:
        if side == BOTH or (empties == ALL and side in (players_in(table) or [BOTH])):
            cells = (estimate(found[:3], 2), estimate(found[3:6], 2), estimate(found[6:9], 2))
            label = f"{empties if side == BOTH else side}"
            rows.append((label, f"{count:,}", *cells, f"{number(found[9], 2)} {number(found[11], 2):>5}"))
    columns = ("empty squares", "moves", "best", "result kept", "discs lost", "at random")
    return _table("Beside the exact solver; at random: share of best moves, discs lost", columns, rows)


def _symmetry(table: Table) -> Iterator[Table]:
    for player in table.distinct("player"):
        own = table.where(player=player, turn=ALL)
        headings = {"r2": "R²", "within": "R² within", "agrees": "same best move"}
        known = [kind for kind in headings if np.isfinite(own.numbers(kind)).any()]
        labels = zip(own.column("symmetry"), own.column("pairs"), strict=True)
        rows: list[tuple[str, ...]] = [(str(symmetry), f"{pairs:,}") for symmetry, pairs in labels]
        for kind in known:
            ends = zip(*(own.column(kind + end) for end in ("", "_low", "_high")), strict=True)
            rows = [(*row, estimate(found)) for row, found in zip(rows, ends, strict=True)]
        what = "Values" if "r2" in known else "Moves"
        columns = ("symmetry", "pairs", *(headings[kind] for kind in known))
        yield _table(f"{what} of {player} in a position and in its image; ± over positions", columns, rows)
