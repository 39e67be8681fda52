"""The tables of an analysis that a person reads in a terminal: a line for each of their columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from operator import itemgetter
from typing import Any, Final, TypeAlias

from experiment.show.tables import Column, Table, Value
from experiment.study.analysis.findings import Analysis, players_in, shown_turns
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.results import DRAWN, LOST, SCORE, WON
from experiment.study.analysis.squares import ALL

_ROWS: Final = 11
"""About this many turns are shown."""
Row: TypeAlias = Mapping[str, Any]
"""A row of a table by its keys."""


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


def _name(heading: str, key: str = "") -> Column[Row]:
    return Column(heading, lambda row: str(row[key or heading]))


def _number(heading: str, key: str = "", decimals: int = 0) -> Column[Row]:
    return Column(heading, itemgetter(key or heading), partial(number, decimals=decimals))


def _share(heading: str, key: str = "") -> Column[Row]:
    return Column(heading, itemgetter(key or heading), percent)


def _estimate(heading: str, key: str, decimals: int = 3, low: str = "", high: str = "") -> Column[Row]:
    """Return a column of a number with its interval; None where it is not known."""
    found = itemgetter(key, low or f"{key}_low", high or f"{key}_high")
    write = partial(estimate, decimals=decimals)
    return Column(heading, lambda row: found(row) if isfinite(row[key]) else None, write)


_HEADLINE = (_name("figure"), _estimate("value", "value", 4, "low", "high"), _number("of"))
_RESULTS = (
    _name("side"),
    *(Column[Row](result, itemgetter(result), estimate) for result in (SCORE, WON, DRAWN, LOST)),
)
_BY_TURN = (
    _name("turn"),
    _number("moves", "mean", 2),
    _number("sd", decimals=2),
    _share("corner", "share"),
    _share("passed", "skipped"),
    _number("black discs", "discs", 1),
    _number("boards"),
    _number("games"),
)
_TREE = (_name("what"), _number("log10", decimals=3), _number("from", "low", 3), _number("to", "high", 3))
_CORNERS = (
    _name("owner"),
    _estimate("mean", "mean", 3, "low", "high"),
    *(_share(f"{count}", f"share_{count}") for count in range(5)),
)
_CAPTURES = (
    _name("squares", "kind"),
    _number("chances"),
    _share("at once", "at_once"),
    _share("later"),
    _share("by the other", "by_the_other"),
    _share("never"),
    _number("delay", "mean_delay", 2),
)
_SOLVER = (
    _name("empty squares", "empties"),
    _number("moves", "positions"),
    _estimate("best", "best", 2),
    _estimate("result kept", "kept", 2),
    _estimate("discs lost", "loss", 2),
    Column[Row]("at random", itemgetter("best_at_random", "loss_at_random"), "{0[0]:.2f} {0[1]:5.2f}".format),
)
_SYMMETRY = (
    _name("symmetry"),
    _number("pairs"),
    _estimate("R²", "r2"),
    _estimate("R² within", "within"),
    _estimate("same best move", "agrees"),
)


def printed(analysis: Analysis) -> Iterator[Table]:
    """Yield the tables that are printed."""
    tables = analysis.tables
    yield Table.of("In short", _HEADLINE, tables["headline"].things)
    if tables["results"].rows:
        yield Table.of("Results, as shares of the games", _RESULTS, _results(tables["results"]))
    title = "By turn, which is the number of discs placed before"
    yield Table.of(title, _BY_TURN, _by_turn(tables))
    yield Table.of("Size of the game tree, its decimal logarithm", _TREE, _tree(tables))
    yield Table.of("Corners owned at the end", _CORNERS, tables["corners_owned"].things)
    for side in players_in(tables["captures"]) or [BOTH]:
        who = "" if side == BOTH else f" of {side}"
        title = f"From the first chance{who} at a square to the disc on it, in own turns"
        yield Table.of(title, _CAPTURES, tables["captures"].where(side=side).things)
    if "solver" in tables:
        title = "Beside the exact solver; at random: share of best moves, discs lost"
        yield Table.of(title, _SOLVER, _solver(tables["solver"]))
    if "symmetry" in tables:
        yield from _symmetry(tables["symmetry"])


def _results(table: Table) -> Iterator[Row]:
    for side in table.distinct("side"):
        own = {
            row["result"]: (row["share"], row["low"], row["high"]) for row in table.where(side=side).things
        }
        yield {"side": side, **own}


def _by_turn(tables: Mapping[str, Table]) -> Iterator[Row]:
    """Yield what there is at some turns, from several tables."""
    moves, corners = (tables[name].where(side=BOTH) for name in ("moves", "corner_chances"))
    black = tables["points"].where(side="black")
    for turn in shown_turns(moves.column("turn"), _ROWS):
        move, corner, flow, disc = (
            each.where(turn=turn).things[0] for each in (moves, corners, tables["flow"], black)
        )
        shown = {"share": corner["share"], "discs": disc["mean"], "mean": move["mean"], "sd": move["sd"]}
        yield {**flow, **shown}


def _tree(tables: Mapping[str, Table]) -> Iterator[Row]:
    for row in tables["tree"].where(turn=tables["tree"].column("turn")[0]).things:
        yield {"what": f"means of {row['side']}, multiplied", **row}
    if "all_games" in tables:
        yield {"what": "all games (Knuth's estimate)", **tables["all_games"].things[0]}


def _solver(table: Table) -> Iterator[Row]:
    """Yield both sides by empty squares, and each player over all of them."""
    for row in table.things:
        if row["side"] == BOTH:
            yield row
        elif row["empties"] == ALL and row["side"] in players_in(table):
            yield {**row, "empties": row["side"]}


def _symmetry(table: Table) -> Iterator[Table]:
    for player in table.distinct("player"):
        own = Table.of("", _SYMMETRY, table.where(player=player, turn=ALL).things).without_empty()
        what = "Values" if any(column.heading == "R²" for column in own.columns) else "Moves"
        title = f"{what} of {player} in a position and in its image; ± over positions"
        yield Table(title, own.columns, own.rows)
