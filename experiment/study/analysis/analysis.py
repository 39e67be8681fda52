"""An analysis of games: computing all tables, writing and reading them, and the tables that people see."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from dataclasses import replace as changed
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.show.tables import Column, Table, as_csv, as_json, from_csv, known
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
from othello_lab.experiment.study.analysis.games import BOTH, COLOURS, Games, Source, plays_many, random_games
from othello_lab.experiment.study.analysis.symmetry import ALL, compare, sample, symmetry_table
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.game.catalogue import make
from othello_lab.game.notation import printable, printable_values
from othello_lab.game.safe_files import DATA, read_text, replace
from rlglue.messages import json_object

SUMMARY = "analysis.json"
VERSION = 1
"""The version of the format: names and columns of the tables."""
ALWAYS = (
    *("headline", "results", "scores", "points", "points_histogram", "moves", "moves_histogram", "tree"),
    *("flow", "passes", "squares", "squares_by_turn", "corner_chances", "corners_owned"),
    *("captures", "delays"),
)
"""The tables that every analysis has."""
_NAMES = {"side", "player", "owner"}
"""Keys of columns with names. Their cells are texts even if they look like numbers."""
RANDOM = "random"
_RANDOM_GAMES = 2_000
"""Number of random games for comparison of the squares."""
_POSITIONS = 10
"""Default number of positions of each turn for testing the symmetry of a policy."""
_ROWS: Final = 11
"""Approximate number of turns in the printed table."""


class AnalysisError(ValueError):
    """The error for a folder that does not have the tables of an analysis."""


@dataclass(frozen=True)
class Analysis:
    """The tables of an analysis of games."""

    title: str
    """One line that describes the games."""
    size: int
    tables: Mapping[str, Table]
    facts: Mapping[str, Any]
    """The origin of the games, for programs."""

    @property
    def intervals(self) -> str:
        """A line that explains the intervals."""
        return str(self.facts.get("intervals", ""))

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as a dictionary for JSON."""
        tables = {name: as_json(_rounded(table)) for name, table in self.tables.items()}
        return {"title": self.title, "size": self.size, **self.facts, "tables": tables}

    def write(self, folder: Path) -> None:
        """Write each table as CSV into a folder, which is created if missing; raise OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables.items():
            replace(folder / f"{name}.csv", as_csv(_rounded(table)))
        about = {name: table.says for name, table in self.tables.items()}
        facts = {"title": self.title, "size": self.size, **self.facts, "version": VERSION, "tables": about}
        replace(folder / SUMMARY, json.dumps(facts, indent=2) + "\n")


def _rounded(table: Table) -> Table:
    rows = [[round(value, 6) if isinstance(value, float) else value for value in row] for row in table.rows]
    return changed(table, rows=rows)


def read(folder: Path, needed: Iterable[str] = ALWAYS) -> Analysis:
    """Return an analysis from its files; raise OSError, or AnalysisError if a needed table is missing."""
    try:
        facts = printable_values(json_object(read_text(folder / SUMMARY)))
        if facts.pop("version", None) != VERSION:
            raise AnalysisError(f"{folder} has tables of another version: write them again")
        title, size, about = facts.pop("title"), facts.pop("size"), facts.pop("tables")
        names = dict.fromkeys([*about, *needed])
        texts = {name: printable(read_text(folder / f"{name}.csv", DATA)) for name in names}
        tables = {name: from_csv(name, about[name], text, _NAMES) for name, text in texts.items()}
        return Analysis(str(title), int(size), tables, facts)
    except AnalysisError:
        raise
    except FileNotFoundError as error:
        name = Path(error.filename).name
        raise AnalysisError(f"{folder} has no {name}: expected a folder that --tables has written") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AnalysisError(f"{folder} has tables that cannot be read ({error}): write them again") from None


def examine(source: Source, positions: int | None, seed: int, terminal: Console) -> Analysis:
    """Return the analysis of games, including the symmetry of their players.

    For the symmetry, each player is asked about `positions` positions of each turn. None means 10 positions
    for a policy and 0 for other players. Raises the errors of the players.
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
    facts = {**source.facts, "intervals": _intervals(games)}
    return Analysis(source.title, games.size, {table.title: table for table in tables}, facts)


def _symmetries(source: Source, positions: int | None, seed: int, terminal: Console) -> Iterator[Table]:
    games = source.games
    for side, text in source.players.items():
        if text == RANDOM:
            continue
        most = positions
        if most is None:
            most = _POSITIONS if plays_many([text], games.size) else 0
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


def players_in(table: Table) -> list[str]:
    """Return the names of the two players in the column `side`; [] if it has only colours."""
    sides = [side for side in table.distinct("side") if side not in (BOTH, *COLOURS)]
    return [side for side in sides if not side.endswith((" as black", " as white"))]


def shown_turns(turns: Sequence[int], most: int) -> list[int]:
    """Return at most `most` turns, evenly spread, including the first and the last turn."""
    if len(turns) <= most:
        return [*turns]
    return sorted({turns[round(place * (len(turns) - 1) / (most - 1))] for place in range(most)})


Row = dict[str, Any]


def _text(heading: str, key: str = "") -> Column[Row]:
    return Column(heading, itemgetter(key or heading))


def _number(heading: str, key: str = "", decimals: int = 0) -> Column[Row]:
    return Column(heading, lambda row: known(row[key or heading]), f"{{:,.{decimals}f}}".format)


def _share(heading: str, key: str = "") -> Column[Row]:
    return Column(heading, lambda row: known(row[key or heading]), lambda share: f"{100 * share:,.1f} %")


def _estimate(heading: str, key: str, low: str = "", high: str = "", decimals: int = 3) -> Column[Row]:
    keys = key, low or f"{key}_low", high or f"{key}_high"

    def estimate(row: Row) -> Estimate | None:
        value, *ends = (float(row[name]) for name in keys)
        return Estimate(value, Interval(*ends)) if isfinite(value) else None

    return Column(heading, estimate, f"{{:,.{decimals}f}}".format)


_ENDS = ("low", "high")
_HEADLINE = (_text("figure"), _estimate("value", "value", *_ENDS, decimals=4), _number("of"))
_RESULTS = (_text("side"), *(_estimate(name, name) for name in (SCORE, WON, DRAWN, LOST)))
_BY_TURN = (
    _text("turn"),
    _number("moves", "mean", 2),
    _number("sd", decimals=2),
    _share("corner"),
    _share("passed", "skipped"),
    _number("black discs", "discs", 1),
    _number("boards"),
    _number("games"),
)
_TREE = (
    _text("what"),
    _number("log10", decimals=3),
    _number("from", "low", 3),
    _number("to", "high", 3),
)
_OWNED = (
    _text("owner"),
    _estimate("mean", "mean", *_ENDS),
    *(_share(f"{number}", f"share_{number}") for number in range(5)),
)
_CAPTURES = (
    _text("squares", "kind"),
    _number("chances"),
    *(_share(fate.replace("_", " "), fate) for fate in FATES),
    _number("delay", "mean_delay", 2),
)
_SYMMETRY = (
    _text("symmetry"),
    _number("pairs"),
    _estimate("R²", "r2"),
    _estimate("R² within", "within"),
    _estimate("same best move", "agrees"),
)


def printed(analysis: Analysis) -> Iterator[Table]:
    """Yield the tables for people."""
    tables = analysis.tables
    yield Table.of("In short", _HEADLINE, tables["headline"].things)
    if tables["results"].rows:
        yield Table.of("Results, as shares of the games", _RESULTS, _results(tables["results"]))
    yield Table.of("By turn, which is the number of discs placed before", _BY_TURN, _by_turn(tables))
    yield Table.of("Size of the game tree, its decimal logarithm", _TREE, _tree(tables))
    yield Table.of("Corners owned at the end", _OWNED, tables["corners_owned"].things)
    for side in players_in(tables["captures"]) or [BOTH]:
        who = "" if side == BOTH else f" of {side}"
        title = f"From the first chance{who} at a square to the disc on it, in own turns"
        yield Table.of(title, _CAPTURES, tables["captures"].where(side=side).things)
    symmetry = tables.get("symmetry")
    for player in symmetry.distinct("player") if symmetry else ():
        rows = tables["symmetry"].where(player=player, turn=ALL).things
        measures = Table.of("", _SYMMETRY, rows).without_empty()
        what = "Values" if any(column.heading == "R²" for column in measures.columns) else "Moves"
        yield changed(measures, title=f"{what} of {player} in a position and in its image; ± over positions")


def _results(table: Table) -> Iterator[Row]:
    for side in table.distinct("side"):
        row: Row = {"side": side}
        for result in table.where(side=side).things:
            name = result["result"]
            row |= {name: result["share"], f"{name}_low": result["low"], f"{name}_high": result["high"]}
        yield row


def _by_turn(tables: Mapping[str, Table]) -> Iterator[Row]:
    moves, corners = (tables[name].where(side=BOTH) for name in ("moves", "corner_chances"))
    black = tables["points"].where(side="black")
    for turn in shown_turns(moves.column("turn"), _ROWS):
        move, corner, flow, discs = (
            table.where(turn=turn).things[0] for table in (moves, corners, tables["flow"], black)
        )
        columns = {"corner": corner["share"], "discs": discs["mean"], "mean": move["mean"], "sd": move["sd"]}
        yield {**flow, **columns}


def _tree(tables: Mapping[str, Table]) -> Iterator[Row]:
    for row in tables["tree"].where(turn=tables["tree"].column("turn")[0]).things:
        yield {"what": f"means of {row['side']}, multiplied", **row}
    if "all_games" in tables:
        yield {"what": "all games (Knuth's estimate)", **tables["all_games"].things[0]}
