"""Games for the viewer of a report: recorded ones, those of a tournament, and those of a run's policy."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from rich.console import Console

from othello_lab.experiment.compare.match import play
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.compare.tournament.store import Played as TournamentGame
from othello_lab.experiment.compare.values import values_along
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.show.report.page import shades_of
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Colour, Game
from othello_lab.game.drawing import turned
from othello_lab.game.notation import parse_moves
from othello_lab.game.openings import names_along, standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players import catalogue as registry
from othello_lab.game.players.catalogue import make
from othello_lab.game.players.player import Forfeit
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Forfeited, Record
from othello_lab.game.review import points_of_values
from othello_lab.game.values import MoveValues, units_of, value_text

_SIDE = {Colour.BLACK: "X", Colour.WHITE: "O"}
T = TypeVar("T")
MOST_OPPONENTS = 4
STAR = "A star marks the moves that were given."


def viewed_game(
    record: Record, number: int, values: Sequence[MoveValues | None] = (), by: str = ""
) -> dict[str, Any]:
    """Return a game for the viewer, as what JSON can hold; with values at each position, those `by` whom.

    Of each position whose turn it is and where that side may move; of each move its square, -1 for a pass,
    and the squares that it turned over; the names of its openings, each with how many moves lead there; of
    values their texts and shades in the order of the legal squares; the points of a graph of them.
    """
    game = record.game
    black, white = short_name(record.black) or "black", short_name(record.white) or "white"
    boards = list(zip(game.boards, game.boards[1:], strict=False))
    unit = units_of(values)
    return {
        "label": f"{number}. {black} against {white}: {score_of(record)}",
        "size": game.size,
        "start": str(game.boards[0]).split()[0],
        "turns": "".join(_SIDE[board.turn] for board in game.boards),
        "legal": [[*board.legal_moves] for board in game.boards],
        "moves": [int(move) for move in game.moves],
        "flips": [[*turned(before, after)] for before, after in boards],
        "opening": record.opening,
        "names": [*names_along(game).items()],
        "result": result_of(record),
        "values": [_shaded(each) for each in values] if unit else None,
        "graph": [point._asdict() for point in points_of_values(values, game)],
        "says": f"Values: what {by} says of the moves ({unit})" if unit else "",
    }


def _shaded(found: MoveValues | None) -> list[tuple[str, int]] | None:
    if found is None:
        return None
    values = found.values.tolist()
    return list(zip(map(value_text, values), shades_of(values), strict=True))


def score_of(record: Record) -> str:
    """Return the discs of both at the end, such as 40-24, black's first; a word where there is no result."""
    if record.forfeit:
        return f"{record.forfeit.by.value} forfeits"
    black, white = record.game.board.counts()
    return f"{black}-{white}" if record.is_over else f"{black}-{white}, unfinished"


def result_of(record: Record) -> str:
    """Say how a game ended."""
    if forfeit := record.forfeit:
        return f"{forfeit.by.value} forfeits the game: {forfeit.reason}"
    if not record.is_over:
        return "Here the record ends; the game is not over."
    winner = record.winner
    return f"{winner.value} wins." if winner else "A draw."


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
    chosen = list(records)
    return [
        advised_game(record, number, wish.adviser, wish.seed)
        for number, record in counted(chosen, len(chosen), wish.terminal, "game")
    ]


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
    total = sum(match.games for match in matches)
    games = (played for match in matches for played in play(match, Pool()))
    return [
        _shown(played, number, policy, wish)
        for number, played in enumerate(counted(games, total, wish.terminal, "game"), 1)
    ]


def _shown(played: Played, number: int, policy: Named, wish: Wish) -> dict[str, Any]:
    colour, record = played.colour, played.record
    black = colour is Colour.BLACK
    record = replace(record, black=policy.name) if black else replace(record, white=policy.name)
    if wish.adviser is None:
        return advised_game(record, number, policy, wish.seed, {colour})
    return advised_game(record, number, wish.adviser, wish.seed)


def records_of(
    games: Iterable[tuple[int, TournamentGame]], results: Results, size: int
) -> Iterator[tuple[int, Record]]:
    """Yield numbered games, players called by their names; raise ValueError, which names the game."""
    names = {who.id: name for who, name in zip(results.entrants, results.names, strict=True)}
    for number, played in games:
        key = played.key
        try:
            game, opening = Game.from_transcript(played.moves, size), len(parse_moves(key.opening, size))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        yield number, Record(game, names[key.black], names[key.white], opening, forfeit=_forfeit(played))


def _forfeit(played: TournamentGame) -> Forfeited | None:
    if played.forfeit is None:
        return None
    return Forfeited(Colour(played.winner).other, played.forfeit)
