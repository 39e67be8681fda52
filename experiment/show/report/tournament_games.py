"""Games of a tournament's database as records."""

from collections.abc import Iterable, Iterator

from experiment.compare.tournament.game import Played
from experiment.compare.tournament.results import Results
from game import Colour, Game
from game.notation import parse_moves
from game.records import Forfeited, Record


def records_of(
    games: Iterable[tuple[int, Played]], results: Results, size: int
) -> Iterator[tuple[int, Record]]:
    """Yield numbered games, players called by their names."""
    names = {who.id: name for who, name in zip(results.entrants, results.names, strict=True)}
    for number, played in games:
        key = played.key
        yield (
            number,
            Record(
                Game.from_transcript(played.moves, size),
                names[key.black],
                names[key.white],
                len(parse_moves(key.opening, size)),
                forfeit=_forfeit(played),
            ),
        )


def _forfeit(played: Played) -> Forfeited | None:
    if played.forfeit is None:
        return None
    return Forfeited(Colour(played.winner).other, played.forfeit)
