"""Games of a run's policy for its report: played now, by the match loop, with a seed."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console

from experiment.display.progress import make_display
from experiment.evaluation.opponents import FROM_OPENINGS, SELF, STAND_IN
from experiment.match.loop import Match, Played, play
from experiment.match.values import values_along
from experiment.report.viewed import viewed_game
from experiment.results.player_names import Named
from experiment.results.run_folder import RunFolder
from game import Colour
from game.openings import standard_openings
from game.players import Player, make
from game.players import catalogue as registry
from game.records import Record

MOST_OPPONENTS = 4
_VALUES = 1 << 20
"""The place of the values' randomness among the streams of a seed; games have those before it."""


@dataclass(frozen=True)
class Sides:
    """Who plays in the games of a report, and who values the moves."""

    policy: Named
    adviser: Named
    size: int
    opponents: Sequence[str]


def opponents_of(folder: RunFolder, size: int) -> list[str]:
    """Return whom a policy is shown against: those of the run's evaluations that are players of ours."""
    config = folder.config()
    own = str((config.get("environment_stats") or {}).get("opponent") or STAND_IN)
    names = [STAND_IN if own == SELF else own]
    names += [result.opponent.removesuffix(FROM_OPENINGS) for result in folder.evaluations()]
    found = [name for name in dict.fromkeys(names) if _is_ours(name, size)]
    return found[:MOST_OPPONENTS] or [STAND_IN]


def _is_ours(name: str, size: int) -> bool:
    try:
        return registry.is_built_in(name, size)
    except ValueError:
        return False


def run_games(sides: Sides, games: int, seed: int, terminal: Console) -> list[dict[str, Any]]:
    """Play about so many games, as many with each colour and against each opponent, and value their moves.

    Raises ValueError where a player cannot play them, WorkerDiedError.
    """
    pairs = -(-games // (2 * len(sides.opponents)))
    openings = ("",) if pairs == 1 else standard_openings(sides.size, pairs)
    matches = [Match(sides.policy.text, other, sides.size, openings, 1, seed) for other in sides.opponents]
    total, shown = sum(match.games for match in matches), list[dict[str, Any]]()
    display = make_display(terminal, 0, total, watch=False, what="game")
    with display, closing(make(sides.adviser.text, sides.size)) as adviser:
        for played in (each for match in matches for each in play(match)):
            shown.append(_shown(played, len(shown) + 1, adviser, sides))
            display.advance(len(shown), [])
    return shown


def _shown(played: Played, number: int, adviser: Player, sides: Sides) -> dict[str, Any]:
    """Return a game with the values of the policy's moves, or of all moves where another values them."""
    record, is_own = played.record, sides.adviser == sides.policy
    rng = np.random.default_rng(np.random.SeedSequence(record.seed, spawn_key=(_VALUES, record.number or 0)))
    valued = {played.colour} if is_own else set(Colour)
    values = list(values_along(adviser, record.game, rng, valued))
    return viewed_game(_with_name(played, sides.policy.name), number, values, sides.adviser.name)


def _with_name(played: Played, name: str) -> Record:
    """Return a game with player A called by a name."""
    if played.colour is Colour.BLACK:
        return replace(played.record, black=name)
    return replace(played.record, white=name)
