"""The tables of an analysis that a person reads in a terminal: a line for each of their columns."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Final

from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.analysis import corners, delays, results, symmetry
from othello_lab.experiment.study.analysis.findings import (
    Analysis,
    Row,
    estimate,
    number_column,
    players_in,
    share_column,
    shown_turns,
    text_column,
)
from othello_lab.experiment.study.analysis.games import BOTH
from othello_lab.experiment.study.analysis.results import DRAWN, LOST, SCORE, WON
from othello_lab.experiment.study.analysis.squares import ALL

_ROWS: Final = 11
"""About this many turns are shown."""


_RESULTS = (
    text_column("side"),
    *(Column[Row](result, itemgetter(result), estimate) for result in (SCORE, WON, DRAWN, LOST)),
)
_BY_TURN = (
    text_column("turn"),
    number_column("moves", "mean", 2),
    number_column("sd", decimals=2),
    share_column("corner", "share"),
    share_column("passed", "skipped"),
    number_column("black discs", "discs", 1),
    number_column("boards"),
    number_column("games"),
)
_TREE = (
    text_column("what"),
    number_column("log10", decimals=3),
    number_column("from", "low", 3),
    number_column("to", "high", 3),
)


def printed(analysis: Analysis) -> Iterator[Table]:
    """Yield the tables that are printed."""
    tables = analysis.tables
    yield Table.of("In short", results.HEADLINE, tables["headline"].things)
    if tables["results"].rows:
        yield Table.of("Results, as shares of the games", _RESULTS, _results(tables["results"]))
    title = "By turn, which is the number of discs placed before"
    yield Table.of(title, _BY_TURN, _by_turn(tables))
    yield Table.of("Size of the game tree, its decimal logarithm", _TREE, _tree(tables))
    yield Table.of("Corners owned at the end", corners.OWNED, tables["corners_owned"].things)
    for side in players_in(tables["captures"]) or [BOTH]:
        who = "" if side == BOTH else f" of {side}"
        title = f"From the first chance{who} at a square to the disc on it, in own turns"
        yield Table.of(title, delays.CAPTURES, tables["captures"].where(side=side).things)
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
    moves, offers = (tables[name].where(side=BOTH) for name in ("moves", "corner_chances"))
    black = tables["points"].where(side="black")
    for turn in shown_turns(moves.column("turn"), _ROWS):
        move, corner, flow, disc = (
            each.where(turn=turn).things[0] for each in (moves, offers, tables["flow"], black)
        )
        shown = {"share": corner["share"], "discs": disc["mean"], "mean": move["mean"], "sd": move["sd"]}
        yield {**flow, **shown}


def _tree(tables: Mapping[str, Table]) -> Iterator[Row]:
    for row in tables["tree"].where(turn=tables["tree"].column("turn")[0]).things:
        yield {"what": f"means of {row['side']}, multiplied", **row}
    if "all_games" in tables:
        yield {"what": "all games (Knuth's estimate)", **tables["all_games"].things[0]}


def _symmetry(table: Table) -> Iterator[Table]:
    for player in table.distinct("player"):
        own = Table.of("", symmetry.SYMMETRY, table.where(player=player, turn=ALL).things).without_empty()
        what = "Values" if any(column.heading == "R²" for column in own.columns) else "Moves"
        title = f"{what} of {player} in a position and in its image; ± over positions"
        yield replace(own, title=title)
