"""The schedule of a tournament: all pairs, every opening with both colours; and which games are missing."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from experiment.compare.tournament.entrants import Entrant, seated
from experiment.compare.tournament.game import Key, Played, play_game
from game.players import Player


class Shard(NamedTuple):
    """The games of two players at one opening."""

    a: Entrant
    b: Entrant
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class Plan:
    """All games of a tournament."""

    entrants: Sequence[Entrant]
    size: int
    openings: Sequence[str]
    """Transcripts."""
    repeat: int = 1
    """Rounds of all openings with both colours."""
    seed: int = 0

    @property
    def games(self) -> int:
        """How many there are."""
        pairs = len(self.entrants) * (len(self.entrants) - 1) // 2
        return 2 * pairs * len(self.openings) * self.repeat

    def shards(self) -> Iterator[Shard]:
        """Yield the games in parts: a pair at an opening, both colours and every repeat."""
        for a, b in combinations(self.entrants, 2):
            for opening in self.openings:
                yield Shard(a, b, tuple(self._keys(a, b, opening)))

    def _keys(self, a: Entrant, b: Entrant, opening: str) -> Iterator[Key]:
        for repeat in range(self.repeat):
            yield Key(a.id, b.id, self.seed, opening, repeat)
            yield Key(b.id, a.id, self.seed, opening, repeat)

    def missing(self, played: Collection[Key]) -> list[Shard]:
        """Return the parts that have games that are not among those played, and of each only these."""
        left = (Shard(a, b, tuple(key for key in keys if key not in played)) for a, b, keys in self.shards())
        return [shard for shard in left if shard.keys]


def play_shards(shards: Sequence[Shard], size: int, numbers: Iterable[int]) -> Iterator[list[Played]]:
    """Play the parts with the given numbers one after another; yield the games of each.

    Raises ValueError for a player that cannot be made, has changed, or cannot play these games.
    """
    with closing(_Seats(size)) as seats:
        for number in numbers:
            a, b, keys = shards[number]
            players = seats.taken_by(a, b)
            yield [play_game(key, size, players[key.black], players[key.white]) for key in keys]


class _Seats:
    """Keeps two players, since the next part is often of the same."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._players: dict[str, Player] = {}

    def taken_by(self, *entrants: Entrant) -> dict[str, Player]:
        """Return these players by their ids; others leave."""
        wanted = {who.id: who for who in entrants}
        for leaving in self._players.keys() - wanted.keys():
            self._players.pop(leaving).close()
        for coming in wanted.keys() - self._players.keys():
            self._players[coming] = seated(wanted[coming], self._size)
        return self._players

    def close(self) -> None:
        """Have everybody leave."""
        self.taken_by()
