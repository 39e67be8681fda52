"""Games for the viewer of a report: recorded ones, those of a tournament, and those of a run's policy."""

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
from othello_lab.game.drawing import turned
from othello_lab.game.notation import parse_moves
from othello_lab.game.openings import names_along, standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players.catalogue import is_built_in, make
from othello_lab.game.players.player import Forfeit
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Forfeited, Record
from othello_lab.game.review import points_of_values, values_along
from othello_lab.game.values import MoveValues, units_of

T = TypeVar("T")
_SIDE: Final = {Colour.BLACK: "X", Colour.WHITE: "O"}
_MOST_OPPONENTS: Final = 4
STAR: Final = "A star marks the moves that were given."


def viewed_game(
    record: Record, number: int, values: Sequence[MoveValues | None] = (), by: str = ""
) -> dict[str, Any]:
    """Return a game for the viewer as JSON data, with a player's values at each position.

    For each position: the side to move and its legal moves. For each move: its square, -1 for a pass, and the
    squares that it turned over. Names of openings have the number of moves that lead there. Values are texts
    and shades in the order of the legal squares.
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
    """Return the discs of both sides at the end, such as 40-24, black's first, or why there is no result."""
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
    """A player that cannot value moves of these games. No ValueError: the games are not at fault."""


@dataclass(frozen=True)
class Wish:
    """Options of a report."""

    games: int
    """The most games to step through; of a run about this number is played."""
    adviser: Named | None
    """The player whose values are shown; None: of a run its policy, else no values."""
    seed: int
    terminal: Console
    """Where progress is shown."""


def spread(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """Return at most this many things, evenly spread, each with its number from 1."""
    count = min(most, len(things))
    return [(place + 1, things[place]) for place in (i * len(things) // count for i in range(count))]


def viewed_games(records: Iterable[tuple[int, Record]], wish: Wish) -> list[dict[str, Any]]:
    """Return numbered games for the viewer; raise AdviserError."""
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
    """Return a game with a player's values of the moves of these sides; raise AdviserError."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    try:
        with closing(make(adviser.text, record.game.size)) as player:
            values = list(values_along(player, record.game, rng, sides))
    except (ValueError, Forfeit) as error:
        raise AdviserError(str(error)) from None
    return viewed_game(record, number, values, adviser.name)


def games_of_run(folder: RunFolder, policy: Named, size: int, wish: Wish) -> list[dict[str, Any]]:
    """Play about as many games as wished, half with each colour, against the opponents of the evaluations.

    Values are those of the policy for its own moves, or of another adviser for all. Raises ValueError for a
    policy that cannot play the games, AdviserError.
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
    """Return the built-in players of a run's evaluations, the opponent of training first."""
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
    """Yield numbered games of a tournament as records; raise ValueError with the number of the game."""
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
