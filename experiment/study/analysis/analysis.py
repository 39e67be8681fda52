"""The whole analysis of some games."""

from collections.abc import Mapping
from typing import Any

from experiment.study.analysis import choices, corners, delays, flow, headline, results, squares, tree
from experiment.study.analysis.choices import count_choices
from experiment.study.analysis.findings import Analysis
from experiment.study.analysis.games import Games


def analyse(games: Games, title: str, facts: Mapping[str, Any]) -> Analysis:
    """Return what can be counted in the games themselves."""
    counts, chances, where = count_choices(games), delays.find(games), squares.count(games)
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
        flow.passes(games),
        where.overall(),
        where.each_turn(),
        corners.chances(games),
        corners.owned(games),
        delays.captures(games, chances),
        delays.delays(games, chances),
    ]
    every = {table.title: table for table in tables}
    return Analysis(title, games.size, every, {**facts, "intervals": intervals(games)})


def intervals(games: Games) -> str:
    """Say what the intervals of some games are."""
    units = len(set(games.unit.tolist()))
    over = f"{units:,} games" if units == len(games) else f"{units:,} openings, each with all its games"
    return f"95 % intervals over {over}: Wilson's for shares, Student's t for means"
