"""A game for whoever watches a run: its newest policy plays, slowly, with values over the board."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple, Self

import numpy as np

from othello_lab.experiment.run.names import run_names
from othello_lab.experiment.run.outcomes import SELF
from othello_lab.experiment.run.player_names import is_player, newest_first, trained
from othello_lab.experiment.run.programs import programs_in
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.run_files import Following, last_change
from othello_lab.game import Board, Colour, Game
from othello_lab.game.drawing import Marks
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.loop import play_game
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players import Player, make
from othello_lab.game.players.base import Forfeit, MoveValues, in_discs
from othello_lab.game.records import Record

MOVE_SECONDS = 1.5
"""Between two moves."""
_ASK_AGAIN = 0.1
"""Seconds from one request to stop thinking to the next: the first may come too early."""
_END_PAUSES = 5
"""A finished game stays as long as this many moves."""
_COLOURS = {"agent": (0, 2), "opponent": (1, 2)}
"""By who begins in training: the number of the first game, and of how many games each next one is."""


@dataclass(frozen=True)
class Shown:
    """A position of a game that somebody watches."""

    board: Board
    black: str
    """Who plays black; white likewise."""
    white: str
    says: str
    """Whose turn it is, or how the game ended."""
    marks: Marks = field(default_factory=Marks)
    """The last move, what it turned over, and what the player to move says of squares, if it does."""
    moves: str = ""
    """All of them so far."""
    unit: str = ""
    """What the values are."""


def newest_run(runs: Path) -> RunFolder:
    """Return the run in a folder in which something happened last; raise RunFolderError without any."""
    names = run_names(runs)
    if not names:
        raise RunFolderError(f"there is no run in {runs}: start one with `othello run`, or say --runs-dir")
    return RunFolder(runs / max(names, key=lambda name: last_change(runs / name)))


class NoPolicyError(ValueError):
    """There is nobody yet who could play for a run."""


class Seated(NamedTuple):
    """A player of a run."""

    text: str
    """Its registry text."""
    name: str
    """What to call it."""


def newest_policy(folder: RunFolder, config: Mapping[str, Any]) -> Seated:
    """Return the newest policy of a run; raise NoPolicyError without any.

    No program is started for it: the folder may be a stranger's.
    """
    agent = known(config).agent.text
    if agent and is_player(agent) and not programs_in("agent", agent):
        return Seated(agent, agent)
    for checkpoint, path in newest_first(folder):
        return Seated(trained(path), f"policy after {checkpoint.episode:,} games")
    raise NoPolicyError("no checkpoint to show a game from")


def opponent_of(config: Mapping[str, Any], policy: Seated) -> Seated:
    """Return whom the policy of a run trains against; itself where that is so, or is a program to start."""
    text = known(config).environment_stats.opponent or ""
    return policy if text in ("", SELF) or programs_in("opponent", text) else Seated(text, text)


@dataclass(frozen=True)
class Table:
    """A game that is to be played."""

    match: Pairing
    number: int
    """Of the game in the match."""
    names: Mapping[Colour, str]
    ours: frozenset[Colour]
    """Which sides the policy plays."""

    @classmethod
    def of(cls, folder: RunFolder, config: Mapping[str, Any], game: int) -> Self:
        """Return the table of a run's newest policy; `game` counts from 0. Raises ValueError without one.

        The first game begins at the standard start, others after openings: some players would play the same
        game again.
        """
        policy = newest_policy(folder, config)
        opponent = opponent_of(config, policy)
        stats = known(config).environment_stats
        if stats.size is None:
            raise ValueError("no game is shown: the run's environment does not tell the size of its board")
        first, step = _COLOURS.get(stats.first or "", (0, 1))
        match = Pairing(policy.text, opponent.text, stats.size, ("", *standard_openings(stats.size)))
        mine = match.colour_of_a(first + step * game)
        ours = Colour if opponent == policy else [mine]
        names = {mine: policy.name, mine.other: opponent.name}
        return cls(match, first + step * game, names, frozenset(ours))

    def before_move(self, game: Game, player: Player) -> Shown:
        """Return the position in which a player is to move, with what the policy says of its moves."""
        turn = game.board.turn
        # Randomness of its own: the game is the same whether or not it is looked at.
        values = player.values(game, np.random.default_rng(0)) if turn in self.ours else None
        return self._shown(game, f"{turn.value} to move", values)

    def ended(self, record: Record) -> Shown:
        """Return the position at the end of a game."""
        return self._shown(record.game, _result(record), None)

    def _shown(self, game: Game, says: str, values: MoveValues | None) -> Shown:
        black, white = (self.names[colour] for colour in Colour)
        values = in_discs(values, game.board)
        told, unit = (values.by_square(game.board.legal_moves), values.unit) if values else ({}, "")
        marks = replace(Marks.of(game), values=told)
        return Shown(game.board, black, white, says, marks, game.transcript(), unit)


def _result(record: Record) -> str:
    if record.forfeit:
        return f"{record.forfeit.by.value} gave up: {record.forfeit.reason}"
    black, white = record.game.board.counts()
    winner = f"{record.winner.value} has won" if record.winner else "drawn"
    return f"{winner}, {max(black, white)} to {min(black, white)}"


class GameShow:
    """Plays game after game in a thread of its own; `shown` is the position now. A context."""

    def __init__(self, run: Following, pause: float = MOVE_SECONDS) -> None:
        self.shown: Shown | None = None
        self.says = ""
        """Why nothing is shown."""
        self._run = run
        self._pause = pause
        self._closed = Event()
        self._players: tuple[Player, ...] = ()
        self._thread = Thread(target=self._play_on, daemon=True, name="shown game")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """End the game, and wait for that: compiled code does not outlive the end of its process."""
        self._closed.set()
        while self._thread.is_alive():
            for player in self._players:
                player.stop()
            self._thread.join(_ASK_AGAIN)

    def _play_on(self) -> None:
        played = 0
        while not self._closed.is_set():
            try:
                table = Table.of(self._run.folder, self._run.config, played)
                self.says = ""
                self._play(table)
                played += 1
                self._closed.wait(_END_PAUSES * self._pause)
            except (ValueError, OSError, ImportError) as error:  # no checkpoint yet, or one that has gone
                self.shown, self.says = None, str(error)
                self._closed.wait(self._pause)

    def _play(self, table: Table) -> None:
        a, b = (make(text, table.match.size) for text in (table.match.a, table.match.b))
        with closing(a), closing(b):
            self._players = a, b
            seats = [_Watched(player, partial(self._show, table)) for player in (a, b)]
            self.shown = table.ended(play_game(table.match, table.number, *seats).record)

    def _show(self, table: Table, game: Game, player: Player) -> None:
        """Show the position before a player's move."""
        self.shown = table.before_move(game, player)
        if self._closed.wait(self._pause):
            raise Forfeit("nobody watches any more")


class _Watched(Player):
    """A player that is looked at before each of its moves."""

    def __init__(self, player: Player, look: Callable[[Game, Player], None]) -> None:
        self._player = player
        self._look = look

    def start(self, game: Game) -> None:
        """Hand it on."""
        self._player.start(game)

    def observe(self, move: int) -> None:
        """Hand it on."""
        self._player.observe(move)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Let it be looked at, then choose."""
        self._look(game, self._player)
        return self._player.choose(game, rng)
