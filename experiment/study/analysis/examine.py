"""An analysis from games to tables, shown as it goes on."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from rich.console import Console

from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.study.analysis import corners, delays, moves, results, squares, symmetry
from othello_lab.experiment.study.analysis.findings import Analysis
from othello_lab.experiment.study.analysis.games import BOTH, Games
from othello_lab.experiment.study.analysis.sources import Source, plays_many, random_games
from othello_lab.game.players.catalogue import make

RANDOM = "random"
"""The player of whose games the number of all games can be told."""
_RANDOM_GAMES = 2_000
"""Those beside which the squares of other games are seen."""
_SYMMETRY = 10
"""Positions a turn that players are asked about unless told otherwise."""


def examine(source: Source, symmetry_positions: int | None, seed: int, terminal: Console) -> Analysis:
    """Return the analysis of games; raise as players do.

    Each player is asked about `symmetry_positions` positions a turn; None means as many as go quickly.
    """
    analysis = analyse(source.games, source.title, source.facts)
    if set(source.players.values()) == {RANDOM}:
        analysis = analysis.with_tables([moves.all_games(source.games, moves.count_choices(source.games))])
    analysis = analysis.with_tables(_beside_random(source, seed))
    if found := list(_symmetric(source, symmetry_positions, seed, terminal)):
        rows = [row for table in found for row in table.rows]
        analysis = analysis.with_tables([replace(found[0], rows=rows)])
    return analysis


def _beside_random(source: Source, seed: int) -> Iterator[Table]:
    """Yield where random play can move and moves, to be seen beside other games."""
    if set(source.players.values()) != {RANDOM}:
        games = random_games(source.games.size, _RANDOM_GAMES, seed)
        for each in squares.tables(games):
            table, says = each.where(side=BOTH), f"{each.says}; {_RANDOM_GAMES:,} random games"
            yield replace(table, title=f"{each.title}_random", says=says)


def _symmetric(source: Source, positions: int | None, seed: int, terminal: Console) -> Iterator[Table]:
    """Yield a table for each player; lots have no symmetry."""
    groups = source.games.groups()
    for name, text in source.players.items():
        if text == RANDOM:
            continue
        most = positions
        if most is None:
            most = _SYMMETRY if plays_many([text], source.games.size) else 0
        boards = symmetry.sample(source.games, groups[name], most, seed)
        asked = counted(boards, len(boards), terminal, "position under all symmetries")
        with closing(make(text, source.games.size)) as player:
            found = symmetry.compare(player, asked, seed)
        if found:
            yield symmetry.table(source.games.players[0] if name == BOTH else name, found)


def analyse(games: Games, title: str, facts: Mapping[str, Any]) -> Analysis:
    """Return what can be counted in the games themselves."""
    counts = moves.count_choices(games)
    tables = [
        *results.tables(games, counts),
        *moves.tables(games, counts),
        *squares.tables(games),
        *corners.tables(games),
        *delays.tables(games),
    ]
    every = {table.title: table for table in tables}
    return Analysis(title, games.size, every, {**facts, "intervals": intervals(games)})


def intervals(games: Games) -> str:
    """Say what the intervals of some games are."""
    units = len(set(games.unit.tolist()))
    over = f"{units:,} games" if units == len(games) else f"{units:,} openings, each with all its games"
    return f"95 % intervals over {over}: Wilson's for shares, Student's t for means"
