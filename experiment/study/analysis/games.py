"""Games as arrays, indexed by the number of placed discs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from othello_lab.experiment.compare.match import play
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.show.wording import begun_from
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game import PASS, Board, Colour
from othello_lab.game import records as files
from othello_lab.game.batch import Positions
from othello_lab.game.errors import FailedError
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.records import Record, RecordError
from othello_lab.game.short_names import short_names

AT_START: Final = 4  # The number of discs on the board at the start.
BOTH: Final = "both"
COLOURS: Final = ("black", "white")  # The names of the sides that are colours.
PERCENTILES: Final = (5, 25, 50, 75, 95)  # The percentiles in the tables.
MANY: Final = 10_000
FEW: Final = 200  # The default number of games. If all players are policies, the default is MANY.
LARGEST: Final = 1 << 30  # The maximum memory for all games, in bytes.


@dataclass(frozen=True)
class Games:
    """Games on boards of one size. Row t of an array is the position after t placed discs.

    A decision is the choice of a square. A forced pass has no row: row t has the position after the pass.
    """

    size: int
    own: NDArray[np.uint64]  # Bitboards of the side to move, [turns + 1, games, words]. 0 after the end.
    opponent: NDArray[np.uint64]
    black_to_move: NDArray[np.bool_]  # Whether black is to move, also after the end, [turns + 1, games].
    moves: NDArray[np.int16]  # The chosen square, or PASS without a decision, [turns + 1, games].
    reached: NDArray[np.bool_]  # Whether a game reached this turn, including its end, [turns + 1, games].
    passed: NDArray[np.bool_]  # Whether the other side passed just before this position, [turns + 1, games].
    complete: NDArray[np.bool_]  # Whether a game was played to its end without a forfeit, [games].
    unit: NDArray[np.int64]  # The index of each game's unit, [games]. A unit is an opening or one game.
    players: tuple[str, str] = ("", "")  # The players' names, equal for self-play or unknown players.
    first_is_black: NDArray[np.bool_] | None = None  # Whether the first player is black, [games], if known.

    def __len__(self) -> int:
        return len(self.complete)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Whether there is a decision at this turn, [turns + 1, games]."""
        return np.asarray(self.moves != PASS)

    def positions(self, turn: int, which: NDArray[np.bool_]) -> Positions:
        """Return the positions at a turn for the games in the mask `which`, bool [games]."""
        return Positions(self.size, self.own[turn, which], self.opponent[turn, which])

    def board(self, turn: int, game: int) -> Board:
        """Return the position of one game at a turn."""
        positions = Positions(self.size, self.own[turn], self.opponent[turn])
        return positions.board(game, self.black_to_move[turn, game])

    def seats(self) -> dict[str, NDArray[np.bool_]]:
        """Return for each side whether the side plays black, and whether it plays white, bool [2, games].

        The sides are `both`, the colours, each named player, and each named player with one colour.
        """
        every, black = np.ones((2, len(self)), np.bool_), np.repeat([[True], [False]], len(self), axis=1)
        seats = {BOTH: every, "black": black, "white": ~black}
        if self.first_is_black is not None:
            first = np.stack([self.first_is_black, ~self.first_is_black])
            for name, seat in zip(self.players, (first, ~first), strict=True):
                seats |= {name: seat, f"{name} as black": seat & black, f"{name} as white": seat & ~black}
        return seats

    def groups(self) -> dict[str, NDArray[np.bool_]]:
        """Return the mask of each side's decisions, bool [turns + 1, games], by side."""
        seats = self.seats().items()
        return {side: self.decided & np.where(self.black_to_move, seat[0], seat[1]) for side, seat in seats}

    def each_turn(self) -> Iterator[tuple[int, str, NDArray[np.bool_]]]:
        """Yield (turn, side, mask [games] of the games where the side decides), without empty masks."""
        for side, decided in self.groups().items():
            for turn in np.flatnonzero(decided.any(axis=1)).tolist():
                yield turn, side, decided[turn]

    def sides(self) -> dict[str, NDArray[np.bool_]]:
        """Return whether each colour and each named player is black, bool [games], by side."""
        return {side: seat[0] for side, seat in self.seats().items() if side in (*COLOURS, *self.players)}

    def at_the_end(self) -> tuple[Positions, NDArray[np.bool_]]:
        """Return the last position of each game, and whether black would move next, bool [games]."""
        last, game = len(self.reached) - 1 - self.reached[::-1].argmax(axis=0), np.arange(len(self))
        ends = Positions(self.size, self.own[last, game], self.opponent[last, game])
        return ends, self.black_to_move[last, game]

    def final_discs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the discs of black and of white in the last position of each game, int64 [games] each."""
        ends, black = self.at_the_end()
        own, other = ends.counts()
        return np.where(black, own, other), np.where(black, other, own)


def of_records(
    records: Sequence[Record],
    unit: NDArray[np.int64] | None = None,
    players: tuple[str, str] = ("", ""),
    first_is_black: NDArray[np.bool_] | None = None,
) -> Games:
    """Return recorded games of one size as arrays, without the moves of their openings.

    By default, a unit is an opening, or a game without an opening. Raises ValueError for unsuitable games.
    """
    sizes = sorted({record.game.size for record in records})
    if len(sizes) > 1:
        several = ", ".join(f"{size}x{size}" for size in sizes)
        raise FailedError(f"there are games on boards of {several}: say which --size to look at")
    size = sizes[0]
    shape = (size * size - AT_START + 1, len(records))
    black_to_move, reached, passed = np.zeros((3, *shape), np.bool_)
    moves, discs = np.full(shape, PASS, np.int16), np.zeros((*shape, words_of(size)), np.uint64)
    games = Games(
        size,
        discs,
        discs.copy(),
        black_to_move,
        moves,
        reached,
        passed,
        np.array([record.game.board.is_over and not record.forfeit for record in records]),
        _units(records) if unit is None else unit,
        players,
        first_is_black if players[0] != players[1] else None,
    )
    for number, record in enumerate(records):
        game = record.game
        played = np.array([*game.moves, PASS])
        chosen = np.flatnonzero(played != PASS)
        chosen = chosen[chosen >= record.opening]
        plies = np.append(chosen, len(game.moves))
        positions = Positions.along(game.start, game.moves).take(plies)
        turns = positions.discs() - AT_START
        if (turns < 0).any():
            raise FailedError(f"a game begins with fewer than {AT_START} discs: that is no game of Othello")
        games.own[turns, number], games.opponent[turns, number] = positions.own, positions.opponent
        black_to_move[turns, number] = (plies % 2 == 0) == (game.start.turn is Colour.BLACK)
        moves[turns, number], reached[turns, number] = played[plies], True
        passed[turns[:-1], number] = (chosen > record.opening) & (played[chosen - 1] == PASS)
    return games


def _units(records: Sequence[Record]) -> NDArray[np.int64]:
    units: dict[object, int] = {}
    keys = (
        record.game.boards[record.opening] if record.opening else number
        for number, record in enumerate(records)
    )
    return np.array([units.setdefault(key, len(units)) for key in keys], np.int64)


@dataclass(frozen=True)
class Source:
    """Games and their origin, which is files or players."""

    games: Games
    title: str
    players: Mapping[str, str]  # The registry text of each player, by side.
    facts: Mapping[str, Any]
    missing: int = 0  # The number of games not played because of an interrupt.
    left_out: Sequence[RecordError] = ()  # The errors of unreadable games.


def meet(match: Pairing, games: int, names: tuple[str, str], workers: Workers, terminal: Console) -> Source:
    """Play `games` games of a pairing, or fewer after an interrupt. Equal players play each opening once.

    Raises WorkersError, ValueError if the players cannot play, and KeyboardInterrupt before the first result.
    """
    step, openings = 2 if match.a == match.b else 1, match.openings
    numbers = range(0, step * games, step)
    match = replace(match, repeat=-(-(numbers[-1] + 1) // (2 * len(openings))))
    records = list[Record]()
    display = Display(terminal, 0, games, "game")
    try:
        with display, closing(play(match, workers, numbers)) as played:
            for game in played:
                records.append(game.record)
                display.advance(len(records), [])
    except KeyboardInterrupt:
        if not records:
            raise
    if not any(len(record.game.moves) > record.opening for record in records):
        reasons = {record.forfeit.reason for record in records if record.forfeit}
        raise FailedError(f"no game has a move: {'; '.join(sorted(reasons))}")
    unit = [match.place(number) for number in numbers] if len(openings) > 1 else range(games)
    first_is_black = np.arange(len(records)) % 2 == 0
    finished = of_records(records, np.array(unit[: len(records)], np.int64), names, first_is_black)
    facts = {"names": names, "players": (match.a, match.b), "size": match.size, "seed": match.seed}
    facts |= {"games": len(finished), "unlike_games": unlike(finished), "openings": len(openings)}
    title = (
        f"{names[0]} against {'itself' if names[0] == names[1] else names[1]}, {match.size}x{match.size}: "
    )
    title += f"{_count(finished)} from {begun_from(openings)}, seed {match.seed}"
    sides = (BOTH,) if finished.first_is_black is None else names
    players = dict(zip(sides, (match.a, match.b), strict=False))
    return Source(finished, title, players, facts, games - len(finished))


def random_games(size: int, games: int, seed: int) -> Games:
    """Return games of the player `random` against itself from the standard start."""
    played = play_games(Pairing("random", "random", size, repeat=games, seed=seed), range(0, 2 * games, 2))
    return of_records([game.record for game in played])


def read(paths: Sequence[Path], size: int | None) -> Source:
    """Read games from files, except unreadable games and games of other sizes.

    Raises RecordError or OSError for a file without a readable game. Raises ValueError if no game has a move,
    if no game has this size, or if `size` is None and the games have several sizes.
    """
    records, left_out = list[Record](), list[RecordError]()
    for path in paths:
        readable, faults = files.readable(path, size or USUAL_SIZE)
        records += readable
        left_out += faults
    names = ", ".join(map(str, paths))
    wanted = [record for record in records if size in (None, record.game.size)]
    if not wanted:
        raise ValueError(f"there is no game{f' on {size}x{size}' if records else ''} in {names}")
    players = sorted({name for record in wanted for name in (record.black, record.white)} - {""})
    first, second, first_is_black = "", "", None
    if len(players) == 2 and all({record.black, record.white} == {*players} for record in wanted):
        first, second = short_names(players).values()
        first_is_black = np.array([record.black == players[0] for record in wanted])
    games = of_records(wanted, players=(first, second), first_is_black=first_is_black)
    if not games.decided.any():
        raise ValueError(f"there is no move in the games of {names}")
    title = f"{names}: {_count(games)} on {games.size}x{games.size}"
    facts = {"records": [*map(str, paths)], "games": len(games)}
    return Source(games, title, {}, facts, left_out=left_out)


def most_games(size: int) -> int:
    """Return how many games on boards of `size` fit into LARGEST bytes."""
    rows, octets = size * size - 3, 2 * (16 * words_of(size) + 8)  # bytes per row, including the history
    return LARGEST // (rows * octets)


def unlike(games: Games) -> int:
    """Count the distinct move sequences."""
    moves = np.ascontiguousarray(games.moves.T)  # [games, turns + 1]
    return len(np.unique(moves.view([("", moves.dtype)] * moves.shape[1])))


def _count(games: Games) -> str:
    different, complete = unlike(games), int(games.complete.sum())
    remarks = [f"{different:,} different"] if different < len(games) else []
    remarks += [f"{complete:,} to an end on the board"] if complete < len(games) else []
    return f"{len(games):,} games" + (f" ({', '.join(remarks)})" if remarks else "")
