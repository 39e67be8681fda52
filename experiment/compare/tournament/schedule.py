"""The schedule of a tournament: all pairs, every opening with both colours; and its missing games played.

On its diagonal a player meets itself.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rich.console import Console

from othello_lab.experiment.compare.tournament.entrants import Entrant, labels, seated
from othello_lab.experiment.compare.tournament.store import Key, Played, Store, finished, writing
from othello_lab.experiment.show.progress import make_display
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game.play import TOGETHER, Pairing, is_policy, play_some
from othello_lab.game.players.player import Player

Tell: TypeAlias = Callable[[int, int], object]
"""Is told how many games are done, and of how many."""


class Shard(NamedTuple):
    """Some games of two players, which are played in one go."""

    a: Entrant
    b: Entrant
    pairing: Pairing
    numbers: tuple[int, ...]
    """Of the games in the pairing."""

    def key(self, number: int) -> Key:
        """Return which game of the tournament a game of the pairing is."""
        ids = (self.a.id, self.b.id) if number % 2 == 0 else (self.b.id, self.a.id)
        luck = self.pairing.luck(number)
        return Key(*ids, luck.seed, luck.opening, luck.repeat)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Which games of the tournament these are."""
        return tuple(map(self.key, self.numbers))


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
    diagonal: bool = False
    """Whether every player meets itself too, once at each opening: it has both colours at once."""

    @property
    def games(self) -> int:
        """How many there are."""
        players = len(self.entrants)
        return players * (players - 1 + self.diagonal) * len(self.openings) * self.repeat

    def shards(self) -> Iterator[Shard]:
        """Yield the games in parts: a pair at an opening, both colours and every repeat; where both are
        policies at some openings.
        """
        pairs = combinations_with_replacement if self.diagonal else combinations
        for a, b in pairs(self.entrants, 2):
            pairing = Pairing(a.text, b.text, self.size, tuple(self.openings), self.repeat, self.seed)
            several = max(1, TOGETHER // (2 * self.repeat)) if {a, b} <= self._policies else 1
            for first in range(0, len(self.openings), several):
                places = range(first, min(first + several, len(self.openings)))
                numbers = (number for place in places for number in pairing.at(place))
                yield Shard(a, b, pairing, tuple(each for each in numbers if a != b or each % 2 == 0))

    @cached_property
    def _policies(self) -> set[Entrant]:
        """Those that play many games at once; to know it they have to be made."""
        return {who for who in self.entrants if is_policy(who.text, self.size)}

    def missing(self, played: Collection[Key]) -> list[Shard]:
        """Return the parts that have games that are not among those played, and of each only these."""
        left = [
            shard._replace(
                numbers=tuple(number for number in shard.numbers if shard.key(number) not in played)
            )
            for shard in self.shards()
        ]
        return [shard for shard in left if shard.numbers]


def play_shards(shards: Sequence[Shard], size: int, which: Iterable[int]) -> Iterator[list[Played]]:
    """Play some of the parts one after another; yield the games of each.

    Raises ValueError for a player that cannot be made, has changed, or cannot play these games.
    """
    with closing(_Seats(size)) as seats:
        for place in which:
            shard = shards[place]
            games = play_some(shard.pairing, shard.numbers, *seats.taken_by(shard.a, shard.b))
            yield [
                finished(shard.key(number), game.record)
                for number, game in zip(shard.numbers, games, strict=True)
            ]


class _Seats:
    """Keeps two players, since the next part is often of the same."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._players: dict[tuple[Entrant, int], Player] = {}

    def taken_by(self, *entrants: Entrant) -> list[Player]:
        """Return these players; others leave. One that meets itself is there twice."""
        wanted = [(who, entrants[:place].count(who)) for place, who in enumerate(entrants)]
        for leaving in self._players.keys() - wanted:
            self._players.pop(leaving).close()
        for who, copy in wanted:
            if (who, copy) not in self._players:
                self._players[who, copy] = seated(who, self._size)
        return [self._players[each] for each in wanted]

    def close(self) -> None:
        """Have everybody leave."""
        self.taken_by()


class Session(NamedTuple):
    """What there is after it."""

    games: list[Played]
    """Those of the plan that were played, now or before, in the order of their keys."""
    exit_status: int
    """Not 0 after an interrupt."""


def play_tournament(
    plan: Plan, path: Path, workers: Workers, terminal: Console, tell: Tell = lambda *_: None
) -> Session:
    """Play what is missing in the database at `path`, and return all games of the plan.

    The games of a pair at an opening are written together as soon as they and all before them are played.
    `tell` is called where some were there before, and as more are played.
    Raises StoreError, InUseError and OSError; ValueError for players that cannot play; WorkersError.
    """
    with writing(path, plan.size) as store:
        store.add_entrants(plan.entrants)
        shards = plan.missing(store.keys())
        done = plan.games - sum(len(shard.numbers) for shard in shards)
        terminal.print(
            f"{path}: {plan.games:,} games, {done:,} played before",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
        if done:
            tell(done, plan.games)
        exit_status = _play(plan, shards, store, workers, terminal, tell) if shards else 0
        wanted = {key for shard in plan.shards() for key in shard.keys}
        return Session([game for game in store.games() if game.key in wanted], exit_status)


def _play(
    plan: Plan, shards: list[Shard], store: Store, workers: Workers, terminal: Console, tell: Tell
) -> int:
    names = dict(zip(plan.entrants, labels(plan.entrants), strict=True))
    done = plan.games - sum(len(shard.numbers) for shard in shards)
    work = partial(play_shards, shards, plan.size)
    display = make_display(terminal, done, plan.games, watch=False, what="game")
    playing = closing(workers.in_order(work, len(shards)))
    with suppress(KeyboardInterrupt), Interrupts() as interrupts, display, playing as played:
        for shard, games in zip(shards, played, strict=True):
            store.add(games)
            done += len(games)
            display.advance(done, [f"{names[shard.a]} - {names[shard.b]}"])
            tell(done, plan.games)
    return interrupts.exit_status
