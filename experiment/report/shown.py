"""Games that are there already, for the viewer of a report."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, TypeVar

import numpy as np
from rich.console import Console

from experiment.display.progress import make_display
from experiment.match.values import values_along
from experiment.report.viewed import viewed_game
from experiment.results.player_names import Named
from game.players import Player, make
from game.records import Record

T = TypeVar("T")


def spread(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """Return at most so many, evenly spread, each with its number from 1."""
    count = min(most, len(things))
    return [(place + 1, things[place]) for place in (i * len(things) // count for i in range(count))]


def shown_games(
    records: Iterable[tuple[int, Record]], adviser: Named | None, seed: int, terminal: Console
) -> list[dict[str, Any]]:
    """Return numbered games for the viewer, with what the adviser says of their moves.

    Raises as the adviser does, and ValueError for one that does not play on such a board.
    """
    if adviser is None:
        return [viewed_game(record, number) for number, record in records]
    chosen = list(records)
    found, rng = list[dict[str, Any]](), np.random.default_rng(seed)
    with make_display(terminal, 0, len(chosen), watch=False, what="game") as display:
        for number, record in chosen:
            with closing(make(adviser.text, record.game.size)) as player:
                found.append(_valued(number, record, player, adviser.name, rng))
            display.advance(len(found), [])
    return found


def _valued(
    number: int, record: Record, player: Player, name: str, rng: np.random.Generator
) -> dict[str, Any]:
    return viewed_game(record, number, list(values_along(player, record.game, rng)), name)
