"""Games for the viewer of a report, from files, from a tournament, or from a run's policy."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np
from rich.console import Console

from othello_lab.experiment.compare.match import play
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.compare.tournament.store import Played as TournamentGame
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.pages.page import shaded
from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Colour, Game
from othello_lab.game.catalogue import is_built_in, make
from othello_lab.game.drawing import turned
from othello_lab.game.notation import parse_moves
from othello_lab.game.openings import names_along, standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players.player import Forfeit
from othello_lab.game.records import Forfeited, Record
from othello_lab.game.registry import short_name
from othello_lab.game.review import points_of_values, values_along
from othello_lab.game.values import MoveValues, units_of

T = TypeVar("T")
_SIDE: Final = {Colour.BLACK: "X", Colour.WHITE: "O"}
_MOST_OPPONENTS: Final = 4
STAR: Final = "A star marks the moves that were given."


def viewed_game(
    record: Record, number: int, values: Sequence[MoveValues | None] = (), by: str = ""
) -> dict[str, Any]:
    """Return a game as JSON data for the viewer, with the values of the player named `by`.

    `turns`, `legal` and `values` have an entry for each position. `moves` and `flips` have an entry for each
    move, where a pass is -1 in `moves`. An entry of `names` is a number of moves and the name of the opening
    after these moves.
    """
    game, unit = record.game, units_of(values)
    black, white = short_name(record.black) or "black", short_name(record.white) or "white"
    boards = list(zip(game.boards, game.boards[1:], strict=False))
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
        "values": [shaded(row.values.tolist()) if row else None for row in values] if unit else None,
        "graph": [point._asdict() for point in points_of_values(values, game)],
        "says": f"Values: what {by} says of the moves ({unit})" if unit else "",
    }


def score_of(record: Record) -> str:
    """Return the score of a game as text, such as 40-24 with black first, or the side that forfeits."""
    if record.forfeit:
        return f"{record.forfeit.by.value} forfeits"
    black, white = record.game.board.counts()
    return f"{black}-{white}" if record.is_over else f"{black}-{white}, unfinished"


def result_of(record: Record) -> str:
    """Return the result of a game as a sentence."""
    if forfeit := record.forfeit:
        return f"{forfeit.by.value} forfeits the game: {forfeit.reason}"
    if not record.is_over:
        return "Here the record ends; the game is not over."
    return f"{record.winner.value} wins." if record.winner else "A draw."


class AdviserError(Exception):
    """A player that cannot compute values. This error is no ValueError, because the games are valid."""


@dataclass(frozen=True)
class Wish:
    """The options of a report."""

    games: int
    """The largest number of games in the viewer. A run's policy plays about this number of games."""
    adviser: Named | None
    """The player that computes the values. None means the run's policy. Other games then have no values."""
    seed: int
    terminal: Console


def spread(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """Return at most `most` things, evenly spread. Each thing has its number, from 1."""
    count = min(most, len(things))
    return [(place + 1, things[place]) for place in (i * len(things) // count for i in range(count))]


def viewed_games(records: Iterable[tuple[int, Record]], wish: Wish) -> list[dict[str, Any]]:
    """Return numbered games for the viewer. Raises AdviserError if the adviser cannot compute values."""
    if wish.adviser is None:
        return [viewed_game(record, number) for number, record in records]
    chosen = list(records)
    return [
        _advised_game(record, number, wish.adviser, wish.seed)
        for number, record in counted(chosen, len(chosen), wish.terminal, "game")
    ]


def _advised_game(
    record: Record, number: int, adviser: Named, seed: int, sides: Collection[Colour] = tuple(Colour)
) -> dict[str, Any]:
    """Return a game with the adviser's values for the moves of `sides`. Raises AdviserError."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    try:
        with closing(make(adviser.text, record.game.size)) as player:
            values = list(values_along(player, record.game, rng, sides))
    except (ValueError, Forfeit) as error:
        raise AdviserError(str(error)) from None
    return viewed_game(record, number, values, adviser.name)


def games_of_run(folder: RunFolder, policy: Named, size: int, wish: Wish) -> list[dict[str, Any]]:
    """Play about `wish.games` games of a policy against the evaluations' opponents, half with each colour.

    Without an adviser, the values are for the policy's moves only. Raises ValueError if the policy cannot
    play, and AdviserError if the adviser cannot compute values.
    """
    opponents = _opponents(folder, size)
    pairs = -(-wish.games // (2 * len(opponents)))
    openings = ("",) if pairs == 1 else standard_openings(size, pairs)
    matches = [Pairing(policy.text, other, size, openings, 1, wish.seed) for other in opponents]
    games = (played for match in matches for played in play(match, Pool()))
    total = sum(match.games for match in matches)
    return [
        _of_policy(played, number, policy, wish)
        for number, played in enumerate(counted(games, total, wish.terminal, "game"), 1)
    ]


def _opponents(folder: RunFolder, size: int) -> list[str]:
    """Return the built-in players among a run's opponents. The training opponent is the first."""
    first = known(folder.config()).environment_stats.opponent or STAND_IN
    names = [STAND_IN if first == SELF else first]
    names += [result.opponent.removesuffix(FROM_OPENINGS) for result in folder.evaluations()]
    return [name for name in dict.fromkeys(names) if _is_built_in(name, size)][:_MOST_OPPONENTS] or [STAND_IN]


def _is_built_in(name: str, size: int) -> bool:
    try:
        return is_built_in(name, size)
    except ValueError:
        return False


def _of_policy(played: Played, number: int, policy: Named, wish: Wish) -> dict[str, Any]:
    colour, record = played.colour, played.record
    is_black = colour is Colour.BLACK
    record = replace(record, black=policy.name) if is_black else replace(record, white=policy.name)
    if wish.adviser is None:
        return _advised_game(record, number, policy, wish.seed, {colour})
    return _advised_game(record, number, wish.adviser, wish.seed)


def records_of(
    games: Iterable[tuple[int, TournamentGame]], results: Results, size: int
) -> Iterator[tuple[int, Record]]:
    """Yield numbered games of a tournament as records. Raises ValueError for a game with invalid moves."""
    names = {who.id: name for who, name in zip(results.entrants, results.names, strict=True)}
    for number, played in games:
        key, forfeit = played.key, None
        try:
            game, opening = Game.from_transcript(played.moves, size), len(parse_moves(key.opening, size))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        if played.forfeit is not None:
            forfeit = Forfeited(Colour(played.winner).other, played.forfeit)
        yield number, Record(game, names[key.black], names[key.white], opening, forfeit=forfeit)
