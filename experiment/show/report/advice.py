"""Games for the viewer of a report, with what somebody says of their moves."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from rich.console import Console

from experiment.compare.match.values import values_along
from experiment.run.results.player_names import Named
from experiment.show.progress import make_display
from experiment.show.report.viewer_games import viewed_game
from game import Colour
from game.players import make
from game.players.base import Forfeit
from game.records import Record

T = TypeVar("T")


class AdviserError(Exception):
    """A player that cannot value moves of these games. No ValueError: the games are not at fault."""


@dataclass(frozen=True)
class Wish:
    """What a report is to have besides tables and plots."""

    games: int
    """To step through, at most; of a run about this many are played."""
    adviser: Named | None
    """Who values the moves; None: nobody, of a run its policy."""
    seed: int
    """Of all randomness."""
    terminal: Console
    """Where progress is shown."""


def spread(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """Return at most this many, evenly spread, each with its number from 1."""
    count = min(most, len(things))
    return [(place + 1, things[place]) for place in (i * len(things) // count for i in range(count))]


def shown_games(records: Iterable[tuple[int, Record]], wish: Wish) -> list[dict[str, Any]]:
    """Return numbered games for the viewer; raise AdviserError."""
    if wish.adviser is None:
        return [viewed_game(record, number) for number, record in records]
    chosen, found = list(records), list[dict[str, Any]]()
    with make_display(wish.terminal, 0, len(chosen), watch=False, what="game") as display:
        for number, record in chosen:
            found.append(advised_game(record, number, wish.adviser, wish.seed))
            display.advance(len(found), [])
    return found


def advised_game(
    record: Record, number: int, adviser: Named, seed: int, sides: Collection[Colour] = tuple(Colour)
) -> dict[str, Any]:
    """Return a game for the viewer, with what a player says of these sides' moves; raise AdviserError."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    try:
        with closing(make(adviser.text, record.game.size)) as player:
            values = list(values_along(player, record.game, rng, sides))
    except (ValueError, Forfeit) as error:
        raise AdviserError(str(error)) from None
    return viewed_game(record, number, values, adviser.name)
