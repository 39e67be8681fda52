"""All that is found out about some games, as tables; each picture is drawn from these and nothing else."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiment.analysis import choices, corners, delays, flow, headline, results, squares, tree
from experiment.analysis.choices import count_choices
from experiment.analysis.games import Games
from experiment.analysis.table import Table
from experiment.results.files import replace

SUMMARY = "analysis.json"


@dataclass(frozen=True)
class Analysis:
    """What was found out."""

    title: str
    """Which games, in a line."""
    size: int
    tables: Mapping[str, Table]
    facts: Mapping[str, Any]
    """Where the games come from, for programs."""

    def with_tables(self, tables: Iterable[Table]) -> "Analysis":
        """Return this with more tables."""
        more = {table.name: table for table in tables}
        return Analysis(self.title, self.size, {**self.tables, **more}, self.facts)

    def as_json(self) -> dict[str, Any]:
        """Return everything for programs."""
        tables = {name: table.as_json() for name, table in self.tables.items()}
        return {"title": self.title, "size": self.size, **self.facts, "tables": tables}

    def write(self, folder: Path) -> None:
        """Write each table as CSV into a folder, which may have to be made; raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self.tables.items():
            replace(folder / f"{name}.csv", table.as_csv())
        about = {name: table.about for name, table in self.tables.items()}
        facts = {"title": self.title, "size": self.size, **self.facts, "tables": about}
        replace(folder / SUMMARY, json.dumps(facts, indent=2) + "\n")


def analyse(games: Games, title: str, facts: Mapping[str, Any]) -> Analysis:
    """Return what can be counted in the games themselves."""
    counts, chances = count_choices(games), delays.find(games)
    tables = [
        headline.headline(games, counts),
        results.shares(games),
        results.histogram(games),
        results.points(games),
        results.points_histogram(games),
        choices.per_turn(games, counts),
        choices.histogram(games, counts),
        tree.remaining(games, counts),
        flow.per_turn(games),
        squares.heat(games),
        corners.chances(games),
        corners.owned(games),
        delays.captures(games, chances),
        delays.delays(games, chances),
    ]
    return Analysis(title, games.size, {table.name: table for table in tables}, facts)
