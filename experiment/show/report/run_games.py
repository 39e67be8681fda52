"""Games of a run's policy for its report: played now, by the match loop, with a seed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from experiment.compare.match.play_match import play
from experiment.run.evaluation.opponents import FROM_OPENINGS, SELF, STAND_IN
from experiment.run.record import known
from experiment.run.results.player_names import Named
from experiment.run.results.run_folder import RunFolder
from experiment.show.progress import make_display
from experiment.show.report.advice import Wish, advised_game
from experiment.workers.pool import Pool
from game import Colour
from game.openings import standard_openings
from game.play.pairing import Pairing, Played
from game.players import catalogue as registry
from game.records import Record

MOST_OPPONENTS = 4


def opponents_of(folder: RunFolder, size: int) -> list[str]:
    """Return whom a policy is shown against: those of the run's evaluations that are players of ours."""
    own = known(folder.config()).environment_stats.opponent or STAND_IN
    names = [STAND_IN if own == SELF else own]
    names += [result.opponent.removesuffix(FROM_OPENINGS) for result in folder.evaluations()]
    found = [name for name in dict.fromkeys(names) if _is_ours(name, size)]
    return found[:MOST_OPPONENTS] or [STAND_IN]


def _is_ours(name: str, size: int) -> bool:
    try:
        return registry.is_built_in(name, size)
    except ValueError:
        return False


def run_games(policy: Named, size: int, opponents: Sequence[str], wish: Wish) -> list[dict[str, Any]]:
    """Play about as many games as are wished, as many with each colour and against each opponent.

    Values are those of the policy for its own moves, or another adviser's for all. Raises ValueError for a
    policy that cannot play them, AdviserError.
    """
    pairs = -(-wish.games // (2 * len(opponents)))
    openings = ("",) if pairs == 1 else standard_openings(size, pairs)
    matches = [Pairing(policy.text, other, size, openings, 1, wish.seed) for other in opponents]
    total, shown = sum(match.games for match in matches), list[dict[str, Any]]()
    with make_display(wish.terminal, 0, total, watch=False, what="game") as display:
        for played in (each for match in matches for each in play(match, Pool())):
            shown.append(_shown(played, len(shown) + 1, policy, wish))
            display.advance(len(shown), [])
    return shown


def _shown(played: Played, number: int, policy: Named, wish: Wish) -> dict[str, Any]:
    record, adviser = _with_name(played, policy.name), wish.adviser
    if adviser is None:
        return advised_game(record, number, policy, wish.seed, {played.colour})
    return advised_game(record, number, adviser, wish.seed)


def _with_name(played: Played, name: str) -> Record:
    """Return a game with player A called by a name."""
    if played.colour is Colour.BLACK:
        return replace(played.record, black=name)
    return replace(played.record, white=name)
