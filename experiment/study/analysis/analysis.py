"""Compute, write and print the tables of an analysis of games."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from dataclasses import replace as changed
from math import inf
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.show.tables import Column, Table, as_csv, as_json
from othello_lab.experiment.study.analysis.counts import (
    DRAWN,
    FATES,
    LOST,
    SCORE,
    WON,
    all_games,
    count,
    move_tables,
    result_tables,
    square_tables,
)
from othello_lab.experiment.study.analysis.games import BOTH, Games, Source, random_games
from othello_lab.experiment.study.analysis.symmetry import ALL, compare, sample, symmetry_table
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.game.catalogue import make
from othello_lab.game.play import is_policy
from othello_lab.game.safe_files import replace

SUMMARY = "analysis.json"
RANDOM = "random"
_RANDOM_GAMES = 2_000  # number of random games for the comparison of squares
_POSITIONS = 10  # default number of positions per turn in the test of a policy's symmetry
_ROWS: Final = 11  # approximate number of turns in the printed table


@dataclass(frozen=True)
class Analysis:
    """The tables of an analysis of games."""

    title: str  # One line that describes the games.
    size: int
    players: Sequence[str]  # The names of the two players, or empty if the names are equal or unknown.
    intervals: str  # A line that explains the intervals.
    tables: Mapping[str, Table]
    facts: Mapping[str, Any]  # The origin of the games, for JSON.

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as a JSON dictionary."""
        tables = {name: as_json(_rounded(table)) for name, table in self.tables.items()}
        return {"title": self.title, "size": self.size, **self.facts, "tables": tables}

    def write(self, folder: Path) -> None:
        """Write the tables as CSV and a summary as JSON. Create the folder if necessary. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables.items():
            replace(folder / f"{name}.csv", as_csv(_rounded(table)))
        about = {name: table.says for name, table in self.tables.items()}
        facts = {"title": self.title, "size": self.size, **self.facts, "tables": about}
        replace(folder / SUMMARY, json.dumps(facts, indent=2) + "\n")


def _rounded(table: Table) -> Table:
    rows = [[round(value, 6) if isinstance(value, float) else value for value in row] for row in table.rows]
    return changed(table, rows=rows)


def examine(source: Source, positions: int | None, seed: int, terminal: Console) -> Analysis:
    """Analyse games and the symmetry of their players. Raises the players' errors.

    The test uses `positions` positions per turn. None means 10 for a policy and 0 for any other player.
    """
    games, players = source.games, source.players
    counts = count(games)
    tables = [*result_tables(games, counts.choices), *move_tables(games, counts)]
    if {*players.values()} == {RANDOM}:
        tables.append(all_games(games, counts.choices))
    else:
        other = random_games(games.size, _RANDOM_GAMES, seed)
        for table in square_tables(other, count(other)):
            says = f"{table.says}; {_RANDOM_GAMES:,} random games"
            tables.append(changed(table.where(side=BOTH), title=f"{table.title}_random", says=says))
    symmetries = list(_symmetries(source, positions, seed, terminal))
    if symmetries:
        rows = [row for table in symmetries for row in table.rows]
        tables.append(changed(symmetries[0], rows=rows))
    intervals = _intervals(games)
    return Analysis(
        source.title,
        games.size,
        games.players if games.first_is_black is not None else (),
        intervals,
        {table.title: table for table in tables},
        {**source.facts, "intervals": intervals},
    )


def _symmetries(source: Source, positions: int | None, seed: int, terminal: Console) -> Iterator[Table]:
    games = source.games
    for side, text in source.players.items():
        if text == RANDOM:
            continue
        most = positions
        if most is None:
            most = _POSITIONS if is_policy(text, games.size) else 0
        boards = sample(games, games.groups()[side], most, seed)
        watched = counted(boards, len(boards), terminal, "position under all symmetries")
        with closing(make(text, games.size)) as player:
            compared = compare(player, watched, seed)
        if compared:
            yield symmetry_table(games.players[0] if side == BOTH else side, compared)


def _intervals(games: Games) -> str:
    units = len(set(games.unit.tolist()))
    over = f"{units:,} games" if units == len(games) else f"{units:,} openings, each with all its games"
    return f"95 % intervals over {over}: Wilson's for shares, Student's t for means"


def shown_turns(turns: Sequence[int], most: int) -> list[int]:
    """Return at most `most` evenly spaced turns, including the first and the last turn."""
    if len(turns) <= most:
        return [*turns]
    return sorted({turns[round(place * (len(turns) - 1) / (most - 1))] for place in range(most)})


Row = dict[str, Any]


def _number(heading: str, decimals: int = 0) -> Column[Any]:
    return Column(heading, write=f"{{:,.{decimals}f}}".format)


def _share(heading: str) -> Column[Any]:
    return Column(heading, write=lambda share: f"{100 * share:,.1f} %")


def _estimate(row: Row, key: str, low: str = "", high: str = "") -> Estimate | None:
    value, *ends = (row[name] for name in (key, low or f"{key}_low", high or f"{key}_high"))
    interval = Interval(-inf, inf) if None in ends else Interval(*ends)
    return None if value is None else Estimate(value, interval)


def _mean(row: Row, key: str) -> Estimate | None:
    return _estimate(row, key, "low", "high")


def printed(analysis: Analysis) -> Iterator[Table]:
    """Yield a short form of the tables for the terminal."""
    tables = analysis.tables
    rows = [(row["figure"], _mean(row, "value"), row["of"]) for row in tables["headline"].records]
    yield Table("In short", [Column("figure"), _number("value", 4), _number("of")], rows)
    if tables["results"].rows:
        columns = [Column("side"), *(_number(name, 3) for name in (SCORE, WON, DRAWN, LOST))]
        yield Table("Results, as shares of the games", columns, [*_results(tables["results"])])
    yield _by_turn(tables)
    columns = [Column("what"), *(_number(name, 3) for name in ("log10", "from", "to"))]
    yield Table("Size of the game tree, its decimal logarithm", columns, [*_tree(tables)])
    shares = [f"share_{number}" for number in range(5)]
    columns = [Column("owner"), _number("mean", 3), *(_share(f"{number}") for number in range(5))]
    owned = tables["corners_owned"].records
    rows = [(row["owner"], _mean(row, "mean"), *(row[share] for share in shares)) for row in owned]
    yield Table("Corners owned at the end", columns, rows)
    for side in analysis.players or [BOTH]:
        who = "" if side == BOTH else f" of {side}"
        title = f"From the first chance{who} at a square to the disc on it, in own turns"
        fates = [_share(fate.replace("_", " ")) for fate in FATES]
        keys = ("kind", "chances", *FATES, "mean_delay")
        rows = [tuple(row[key] for key in keys) for row in tables["captures"].where(side=side).records]
        yield Table(title, [Column("squares"), _number("chances"), *fates, _number("delay", 2)], rows)
    symmetry = tables.get("symmetry")
    for player in symmetry.distinct("player") if symmetry else ():
        yield _symmetry(player, tables["symmetry"].where(player=player, turn=ALL))


def _results(table: Table) -> Iterator[tuple[Any, ...]]:
    for side in table.distinct("side"):
        rows = {row["result"]: row for row in table.where(side=side).records}
        yield side, *(_mean(rows[result], "share") for result in (SCORE, WON, DRAWN, LOST))


def _by_turn(tables: Mapping[str, Table]) -> Table:
    columns = [Column("turn"), _number("moves", 2), _number("sd", 2), _share("corner"), _share("passed")]
    columns += [_number("black discs", 1), _number("boards"), _number("games")]
    moves, corners = (tables[name].where(side=BOTH) for name in ("moves", "corner_chances"))
    black, rows = tables["points"].where(side="black"), []
    for turn in shown_turns(moves.column("turn"), _ROWS):
        move, corner, flow, discs = (
            table.where(turn=turn).records[0] for table in (moves, corners, tables["flow"], black)
        )
        means = move["mean"], move["sd"], corner["share"], flow["skipped"], discs["mean"]
        rows.append((turn, *means, flow["boards"], flow["games"]))
    return Table("By turn, which is the number of discs placed before", columns, rows)


def _tree(tables: Mapping[str, Table]) -> Iterator[tuple[Any, ...]]:
    for row in tables["tree"].where(turn=tables["tree"].column("turn")[0]).records:
        yield f"means of {row['side']}, multiplied", *(row[key] for key in ("log10", "low", "high"))
    if "all_games" in tables:
        yield "all games (Knuth's estimate)", *tables["all_games"].values[0]


def _symmetry(player: str, table: Table) -> Table:
    columns = [Column("symmetry"), _number("pairs")]
    columns += [_number(measure, 3) for measure in ("R²", "R² within", "same best move")]
    rows = [
        (row["symmetry"], row["pairs"], *(_estimate(row, key) for key in ("r2", "within", "agrees")))
        for row in table.records
    ]
    measures = Table("", columns, rows).without_empty()
    what = "Values" if any(column.heading == "R²" for column in measures.columns) else "Moves"
    return changed(measures, title=f"{what} of {player} in a position and in its image; ± over positions")
