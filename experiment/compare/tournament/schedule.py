"""Plan a tournament, and play its missing games. Each pair plays every opening with both colours."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from othello_lab.experiment.compare.tournament.entrants import Entrant, labels, make_entrant
from othello_lab.experiment.compare.tournament.store import Key, Played, finished, writing
from othello_lab.experiment.show.progress import Display, Tell
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game.play import TOGETHER, Pairing, is_policy, play_some
from othello_lab.game.players.player import Player


class Shard(NamedTuple):
    """A batch of games between two players, played in one task and stored in one transaction."""

    a: Entrant
    b: Entrant
    pairing: Pairing
    numbers: tuple[int, ...]  # The games' numbers in the pairing.

    def key(self, number: int) -> Key:
        """Return the key of a game by its number in the pairing."""
        ids = (self.a.id, self.b.id) if number % 2 == 0 else (self.b.id, self.a.id)
        luck = self.pairing.luck(number)
        return Key(*ids, luck.seed, luck.opening, luck.repeat)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of the games in this shard."""
        return tuple(map(self.key, self.numbers))


@dataclass(frozen=True)
class Plan:
    """All games of a tournament."""

    entrants: Sequence[Entrant]
    size: int
    openings: Sequence[str]  # The transcripts of the openings.
    repeat: int = 1  # How often a pair plays each opening with both colours.
    seed: int = 0
    diagonal: bool = False  # Whether each player also plays itself, once per opening and repetition.

    @property
    def games(self) -> int:
        """The number of games."""
        players = len(self.entrants)
        return players * (players - 1 + self.diagonal) * len(self.openings) * self.repeat

    def shards(self) -> Iterator[Shard]:
        """Yield a shard per pair and opening. For a pair of policies, a shard has several openings."""
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
        """The entrants that play games in batches."""
        return {who for who in self.entrants if is_policy(who.text, self.size)}

    def missing(self, played: Collection[Key]) -> list[Shard]:
        """Return the shards without the games in `played`, except empty shards."""
        shards = []
        for shard in self.shards():
            numbers = tuple(number for number in shard.numbers if shard.key(number) not in played)
            shards += [shard._replace(numbers=numbers)] if numbers else []
        return shards


def play_shards(shards: Sequence[Shard], size: int, which: Iterable[int]) -> Iterator[list[Played]]:
    """Yield the games of the shards with the indices `which`. Raises ValueError if a player cannot play."""
    # A cache, because consecutive shards often share players. A player against itself has two instances.
    players: dict[tuple[Entrant, bool], Player] = {}
    try:
        for place in which:
            shard = shards[place]
            seats = ((shard.a, False), (shard.b, shard.a == shard.b))
            for seat in players.keys() - {*seats}:
                players.pop(seat).close()
            for seat in seats:
                if seat not in players:
                    players[seat] = make_entrant(seat[0], size)
            games = play_some(shard.pairing, shard.numbers, *(players[seat] for seat in seats))
            yield [
                finished(shard.key(number), game.record)
                for number, game in zip(shard.numbers, games, strict=True)
            ]
    finally:
        for player in players.values():
            player.close()


class Session(NamedTuple):
    """The result of a session, which may be incomplete after an interrupt."""

    games: list[Played]  # All finished games of the plan, from all sessions, in the order of their keys.
    exit_status: int  # The exit code of the process, nonzero after an interrupt.


def play_tournament(
    plan: Plan, path: Path, workers: Workers, terminal: Console, tell: Tell | None = None
) -> Session:
    """Play the missing games of a plan, store them at `path`, and return all games of the plan.

    Raises StoreError, InUseError, OSError, WorkersError, and ValueError for players that cannot play.
    """
    with writing(path, plan.size) as store:
        store.add_entrants(plan.entrants)
        shards = plan.missing({game.key for game in store.games()})
        done = plan.games - sum(len(shard.numbers) for shard in shards)
        line = f"{path}: {plan.games:,} games, {done:,} played before"
        terminal.print(line, soft_wrap=True, highlight=False, markup=False)
        if done and tell:
            tell(done, plan.games)
        exit_status = 0
        if shards:
            names = dict(zip(plan.entrants, labels(plan.entrants), strict=True))
            display = Display(terminal, done, plan.games, "game", tell)
            playing = closing(workers.in_order(partial(play_shards, shards, plan.size), len(shards)))
            with suppress(KeyboardInterrupt), Interrupts() as interrupts, display, playing as played:
                for shard, games in zip(shards, played, strict=True):
                    store.add(games)
                    done += len(games)
                    display.advance(done, [f"{names[shard.a]} - {names[shard.b]}"])
            exit_status = interrupts.exit_status
        wanted = {key for shard in plan.shards() for key in shard.keys}
        return Session([game for game in store.games() if game.key in wanted], exit_status)
