"""Sources of games: played here, thousands side by side where both players can, or read from files."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from othello_lab.experiment.compare.match import play
from othello_lab.experiment.show.progress import make_display
from othello_lab.experiment.show.wording import begun_from
from othello_lab.experiment.study.analysis.games import BOTH, Games, between, of_records
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game import records as files
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.play import Pairing, is_policy, play_games
from othello_lab.game.players.short_names import short_names
from othello_lab.game.records import Record, RecordError

MANY: Final = 10_000
FEW: Final = 200
"""Games that are played by default: of players that choose in many positions at once, of others."""
LARGEST: Final = 1 << 30
"""Bytes that games may take."""


@dataclass(frozen=True)
class Meeting:
    """Two players, and from where and how often they meet."""

    players: tuple[str, str]
    """Registry texts; the first has black in the games with an even number."""
    names: tuple[str, str]
    """What to call them."""
    size: int
    games: int
    openings: tuple[str, ...] = ("",)
    """Transcripts; "" is the standard start. Each is played twice, with exchanged colours, then the next; but
    once by a player that meets itself, for which the second were often the first again.
    """
    seed: int = 0

    @property
    def match(self) -> Pairing:
        """The match that these are games of."""
        rounds = -(-(self.numbers[-1] + 1) // (2 * len(self.openings)))
        return Pairing(*self.players, self.size, self.openings, rounds, self.seed)

    @property
    def numbers(self) -> range:
        """Which games of the match these are."""
        step = 2 if self.players[0] == self.players[1] else 1
        return range(0, step * self.games, step)

    def units(self, games: int) -> NDArray[np.int64]:
        """Return the opening of each of the first games; where all begin at the start, the game itself."""
        if len(self.openings) == 1:
            return np.arange(games)
        return np.array([self.match.place(number) for number in self.numbers[:games]], np.int64)


@dataclass(frozen=True)
class Source:
    """Games, and what is known of where they come from."""

    games: Games
    title: str
    players: Mapping[str, str]
    """The registry text of each player that made the moves, by the name of its side in the games."""
    facts: Mapping[str, Any]
    missing: int = 0
    """Games that were wished for and not played, since an interrupt came before."""
    left_out: Sequence[RecordError] = ()
    """Why games of files cannot be read."""


def most_games(size: int) -> int:
    """Return how many games on boards of a size fit into LARGEST bytes."""
    rows, octets = size * size - 3, 2 * (16 * words_of(size) + 8)  # a history and its rows
    return LARGEST // (rows * octets)


def unlike(games: Games) -> int:
    """Count the games that are not the same, move by move, as another."""
    moves = np.ascontiguousarray(games.moves.T)  # [games, turns + 1]
    return len(np.unique(moves.view([("", moves.dtype)] * moves.shape[1])))


def meet(meeting: Meeting, workers: Workers, terminal: Console) -> Source:
    """Play the games.

    An interrupt ends it with the games so far. Raises ValueError for players that cannot play them,
    WorkersError, and KeyboardInterrupt before there is a game.
    """
    games = _play(meeting, workers, terminal)
    facts = {name: getattr(meeting, name) for name in ("names", "players", "size", "seed")}
    counts = {"games": len(games), "unlike_games": unlike(games), "openings": len(meeting.openings)}
    sides = (BOTH,) if games.first_is_black is None else games.players
    players = dict(zip(sides, meeting.players, strict=False))
    missing = meeting.games - len(games)
    return Source(games, _title(meeting, games), players, {**facts, **counts}, missing)


def _title(meeting: Meeting, games: Games) -> str:
    first, second = meeting.names
    who = f"{first} against {'itself' if first == second else second}"
    where = begun_from(meeting.openings)
    return f"{who}, {meeting.size}x{meeting.size}: {_count(games)} from {where}, seed {meeting.seed}"


def _count(games: Games) -> str:
    """Say how many games there are, and how many of them repeat others or have no end."""
    same, ended = unlike(games), int(games.complete.sum())
    remarks = [f"{same:,} different"] if same < len(games) else []
    remarks += [f"{ended:,} to an end on the board"] if ended < len(games) else []
    return f"{len(games):,} games" + (f" ({', '.join(remarks)})" if remarks else "")


def plays_many(players: Sequence[str], size: int) -> bool:
    """Tell whether all players choose in many positions at once; raises RegistryError."""
    return all(is_policy(text, size) for text in players)


def random_games(size: int, games: int, seed: int) -> Games:
    """Return random games from the start."""
    meeting = Meeting(("random", "random"), ("random", "random"), size, games, seed=seed)
    return of_records([game.record for game in play_games(meeting.match, meeting.numbers)])


def _play(meeting: Meeting, workers: Workers, terminal: Console) -> Games:
    found = list[Record]()
    display = make_display(terminal, 0, meeting.games, watch=False, what="game")
    playing = closing(play(meeting.match, workers, meeting.numbers))
    try:
        with display, playing as played:
            for game in played:
                found.append(game.record)
                display.advance(len(found), [])
    except KeyboardInterrupt:
        if not found:
            raise
    if not any(len(record.game.moves) > record.opening for record in found):
        why = {record.forfeit.reason for record in found if record.forfeit}
        raise ValueError(f"no game has a move: {'; '.join(sorted(why))}")
    return between(
        of_records(found, meeting.units(len(found))), meeting.names, np.arange(len(found)) % 2 == 0
    )


def read(paths: Sequence[Path], size: int | None) -> Source:
    """Return the games of files, those on boards of `size` alone if that is given.

    Games that cannot be read are left out. Raises RecordError and OSError for a file of which none can;
    ValueError where no game is of that size, or games of several sizes and no `size`.
    """
    every, left_out = list[Record](), list[RecordError]()
    for path in paths:
        records, faults = files.readable(path, size or files.SIZE)
        every += records
        left_out += faults
    found = [record for record in every if size in (None, record.game.size)]
    if not found:
        there = f" on {size}x{size}" if every else ""
        raise ValueError(f"there is no game{there} in {', '.join(map(str, paths))}")
    games = _with_names(found)
    names = ", ".join(map(str, paths))
    if not games.decided.any():
        raise ValueError(f"there is no move in the games of {names}")
    title = f"{names}: {_count(games)} on {games.size}x{games.size}"
    facts = {"records": [*map(str, paths)], "games": len(games)}
    return Source(games, title, {}, facts, left_out=left_out)


def _with_names(records: Sequence[Record]) -> Games:
    """Return recorded games; where two players met in all of them, with their names."""
    games = of_records(records)
    names = sorted({name for record in records for name in (record.black, record.white)} - {""})
    if len(names) == 2 and all({record.black, record.white} == {*names} for record in records):
        a, b = short_names(names).values()
        return between(games, (a, b), np.array([record.black == names[0] for record in records]))
    return games
