"""The schedule of a tournament: all pairs, every opening with both colours; and its missing games."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rich.console import Console

from othello_lab.experiment.compare.tournament.entrants import Entrant, labels, make_entrant
from othello_lab.experiment.compare.tournament.store import Key, Played, Store, finished, writing
from othello_lab.experiment.show.progress import make_display
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game.play import TOGETHER, Pairing, is_policy, play_some
from othello_lab.game.players.player import Player

Tell: TypeAlias = Callable[[int, int], object]
"""A callback for progress: the number of finished games, and of all games."""


class Shard(NamedTuple):
    """Some games of two players, played and stored together."""

    a: Entrant
    b: Entrant
    pairing: Pairing
    numbers: tuple[int, ...]
    """The numbers of the games in the pairing."""

    def key(self, number: int) -> Key:
        """Return the key of a game of the pairing."""
        ids = (self.a.id, self.b.id) if number % 2 == 0 else (self.b.id, self.a.id)
        luck = self.pairing.luck(number)
        return Key(*ids, luck.seed, luck.opening, luck.repeat)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of the games."""
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
    """Whether every player also plays itself, once at each opening."""

    @property
    def games(self) -> int:
        """The number of games."""
        players = len(self.entrants)
        return players * (players - 1 + self.diagonal) * len(self.openings) * self.repeat

    def shards(self) -> Iterator[Shard]:
        """Yield shards: a pair at an opening, both colours, all repeats; two policies at several openings."""
        pairs = combinations_with_replacement if self.diagonal else combinations
        for a, b in pairs(self.entrants, 2):
            pairing = Pairing(a.text, b.text, self.size, tuple(self.openings), self.repeat, self.seed)
            several = max(1, TOGETHER // (2 * self.repeat)) if {a, b} <= self._policies else 1
            for first in range(0, len(self.openings), several):
                places = range(first, min(first + several, len(self.openings)))
                numbers = (number for place in places for number in pairing.at(place))
                yield Shard(a, b, pairing, tuple(n for n in numbers if a != b or n % 2 == 0))

    @cached_property
    def _policies(self) -> set[Entrant]:
        """The players that play many games at once; finding out makes them."""
        return {who for who in self.entrants if is_policy(who.text, self.size)}

    def missing(self, played: Collection[Key]) -> list[Shard]:
        """Return the shards with games that were not played yet, each with these games only."""
        shards = []
        for shard in self.shards():
            numbers = tuple(number for number in shard.numbers if shard.key(number) not in played)
            shards += [shard._replace(numbers=numbers)] if numbers else []
        return shards


def play_shards(shards: Sequence[Shard], size: int, which: Iterable[int]) -> Iterator[list[Played]]:
    """Play the shards at some indices one after another; yield the games of each.

    Raises ValueError for a player that cannot be made, has changed, or cannot play these games.
    """
    players: dict[tuple[Entrant, bool], Player] = {}
    """The players of the last shard: the next often has the same. A player against itself is made twice."""
    with ExitStack() as stack:
        for place in which:
            shard = shards[place]
            seats = ((shard.a, False), (shard.b, shard.a == shard.b))
            if any(seat not in players for seat in seats):
                stack.close()
                players = {seat: make_entrant(seat[0], size) for seat in seats}
                for player in players.values():
                    stack.callback(player.close)
            games = play_some(shard.pairing, shard.numbers, *(players[seat] for seat in seats))
            yield [
                finished(shard.key(number), game.record)
                for number, game in zip(shard.numbers, games, strict=True)
            ]


class Session(NamedTuple):
    """The result of playing a tournament, perhaps in part."""

    games: list[Played]
    """The finished games of the plan, from this session and before, in the order of their keys."""
    exit_status: int
    """Not 0 after an interrupt."""


def play_tournament(
    plan: Plan, path: Path, workers: Workers, terminal: Console, tell: Tell = lambda *_: None
) -> Session:
    """Play the games that the database at `path` lacks, and return all games of the plan.

    A shard is stored as soon as it and all shards before it are finished. `tell` is called with the progress.
    Raises StoreError, InUseError and OSError; ValueError for players that cannot play; WorkersError.
    """
    with writing(path, plan.size) as store:
        store.add_entrants(plan.entrants)
        shards = plan.missing({game.key for game in store.games()})
        done = plan.games - sum(len(shard.numbers) for shard in shards)
        line = f"{path}: {plan.games:,} games, {done:,} played before"
        terminal.print(line, soft_wrap=True, highlight=False, markup=False)
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
    display = make_display(terminal, done, plan.games, watch=False, what="game")
    playing = closing(workers.in_order(partial(play_shards, shards, plan.size), len(shards)))
    with suppress(KeyboardInterrupt), Interrupts() as interrupts, display, playing as played:
        for shard, games in zip(shards, played, strict=True):
            store.add(games)
            done += len(games)
            display.advance(done, [f"{names[shard.a]} - {names[shard.b]}"])
            tell(done, plan.games)
    return interrupts.exit_status
