"""Demonstration games of a run: its newest policy plays slowly, with the values of its moves."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple, Self

import numpy as np

from othello_lab.experiment.run.lifecycle import State, state_of
from othello_lab.experiment.run.names import run_names
from othello_lab.experiment.run.outcomes import SELF
from othello_lab.experiment.run.player_names import is_player, newest_first, trained
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.run_files import Following, last_change
from othello_lab.game import Board, Colour, Game
from othello_lab.game.drawing import Marks
from othello_lab.game.launching import UntrustedError, note
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, play_game
from othello_lab.game.players.catalogue import make
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import Record
from othello_lab.game.values import MoveValues, in_discs

MOVE_SECONDS = 1.5
"""Seconds between two moves."""
_STOP_AGAIN = 0.1
"""Seconds between two calls of `Player.stop`: the first may come before the search has started."""
_END_PAUSES = 5
"""The end of a game stays on the page as long as this many moves."""
_COLOURS = {"agent": (0, 2), "opponent": (1, 2)}
"""Number of the first game, and the step to the next one, by which side plays black in training."""


@dataclass(frozen=True)
class DemoPosition:
    """A position of a demonstration game."""

    board: Board
    black: str
    """Name of the player with the black discs."""
    white: str
    says: str
    """The side to move, or the result."""
    marks: Marks = field(default_factory=Marks)
    """The last move, the discs that it turned over, and the policy's values of the legal moves."""
    moves: str = ""
    """Transcript up to here."""
    unit: str = ""
    """Unit of the values."""


def newest_run(runs: Path) -> RunFolder:
    """Return the run that was written to last, of failed runs only if there is no other.

    Raises RunFolderError if the folder has no run.
    """
    folders = [RunFolder(runs / name) for name in run_names(runs)]
    if not folders:
        raise RunFolderError(f"there is no run in {runs}: start one with `othello run`, or give --runs-dir")
    folders.sort(key=lambda folder: last_change(folder.path), reverse=True)
    return next((folder for folder in folders if not _has_failed(folder)), folders[0])


def _has_failed(folder: RunFolder) -> bool:
    try:
        return state_of(folder, folder.config()) is State.FAILED
    except (RunFolderError, OSError):
        return True


class NoPolicyError(ValueError):
    """The run has no policy yet that could play."""


class DemoPlayer(NamedTuple):
    """A player of a demonstration game."""

    text: str
    """Its registry text."""
    name: str
    """Its name on the page."""


def newest_policy(folder: RunFolder, config: Mapping[str, Any]) -> DemoPlayer:
    """Return the newest policy of a run, never a program; raise NoPolicyError without any."""
    note(folder.record, config)
    agent, size = known(config).agent.text, known(config).environment_stats.size
    if agent and is_player(agent) and not _is_program(agent, size):
        return DemoPlayer(agent, short_name(agent))
    for checkpoint, path in newest_first(folder):
        return DemoPlayer(trained(path), f"policy after {checkpoint.episode:,} games")
    raise NoPolicyError("no checkpoint to show a game from")


def opponent_of(config: Mapping[str, Any], policy: DemoPlayer) -> DemoPlayer:
    """Return the opponent of training; the policy itself in self-play, or if the opponent is a program."""
    text, size = known(config).environment_stats.opponent or "", known(config).environment_stats.size
    return policy if text in ("", SELF) or _is_program(text, size) else DemoPlayer(text, short_name(text))


def _is_program(text: str, size: int | None) -> bool:
    """Return whether a player may not be made because it starts a program: the run folder names it."""
    try:
        make(text, size or USUAL_SIZE).close()
    except UntrustedError:
        return True
    except ValueError:  # the game shows this error
        return False
    return False


@dataclass(frozen=True)
class DemoGame:
    """The players and the opening of one demonstration game."""

    match: Pairing
    number: int
    """Of the game in the match."""
    names: Mapping[Colour, str]
    policy_sides: frozenset[Colour]

    @classmethod
    def of(cls, folder: RunFolder, config: Mapping[str, Any], game: int) -> Self:
        """Return game number `game`, from 0, of a run's newest policy; raise ValueError without a policy.

        The first game begins at the standard start and later ones after openings: two deterministic players
        would repeat the same game.
        """
        policy = newest_policy(folder, config)
        opponent = opponent_of(config, policy)
        stats = known(config).environment_stats
        if stats.size is None:
            raise ValueError("no game is shown: the run's environment reports no board size")
        first, step = _COLOURS.get(stats.first or "", (0, 1))
        number = first + step * game
        match = Pairing(policy.text, opponent.text, stats.size, ("", *standard_openings(stats.size)))
        side = match.colour_of_a(number)
        names = {side: policy.name, side.other: opponent.name}
        return cls(match, number, names, frozenset(Colour if opponent == policy else [side]))

    def before_move(self, game: Game, player: Player) -> DemoPosition:
        """Return the position before a player's move, with the policy's values if it is to move."""
        turn = game.board.turn
        # A separate generator: the moves are the same with and without a viewer.
        values = player.values(game, np.random.default_rng(0)) if turn in self.policy_sides else None
        return self._position(game, f"{turn.value} to move", values)

    def ended(self, record: Record) -> DemoPosition:
        """Return the position at the end of a game."""
        return self._position(record.game, _result(record), None)

    def _position(self, game: Game, says: str, values: MoveValues | None) -> DemoPosition:
        black, white = (self.names[colour] for colour in Colour)
        values = in_discs(values, game.board)
        by_square, unit = (values.by_square(game.board.legal_moves), values.unit) if values else ({}, "")
        marks = replace(Marks.of(game), values=by_square)
        return DemoPosition(game.board, black, white, says, marks, game.transcript(), unit)


def _result(record: Record) -> str:
    if record.forfeit:
        return f"{record.forfeit.by.value} gave up: {record.forfeit.reason}"
    black, white = record.game.board.counts()
    winner = f"{record.winner.value} has won" if record.winner else "drawn"
    return f"{winner}, {max(black, white)} to {min(black, white)}"


class Demonstration:
    """Plays demonstration games in a background thread; a context manager."""

    def __init__(self, run: Following, pause: float = MOVE_SECONDS) -> None:
        self.position: DemoPosition | None = None
        """The position now."""
        self.says = ""
        """Reason why there is no position."""
        self._run = run
        self._pause = pause
        self._closed = Event()
        self._players: tuple[Player, ...] = ()
        self._thread = Thread(target=self._play_games, daemon=True, name="demonstration game")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop the players and wait for the thread: compiled code must not run while the process exits."""
        self._closed.set()
        while self._thread.is_alive():
            for player in self._players:
                player.stop()
            self._thread.join(_STOP_AGAIN)

    def _play_games(self) -> None:
        played = 0
        while not self._closed.is_set():
            try:
                game = DemoGame.of(self._run.folder, self._run.config, played)
                self.says = ""
                self._play(game)
                played += 1
                self._closed.wait(_END_PAUSES * self._pause)
            except (ValueError, OSError, ImportError) as error:  # no checkpoint yet, or a deleted one
                self.position, self.says = None, str(error)
                self._closed.wait(self._pause)

    def _play(self, demo: DemoGame) -> None:
        a, b = (make(text, demo.match.size) for text in (demo.match.a, demo.match.b))
        with closing(a), closing(b):
            self._players = a, b
            watched = [_Watched(player, partial(self._show, demo)) for player in (a, b)]
            self.position = demo.ended(play_game(demo.match, demo.number, *watched).record)

    def _show(self, demo: DemoGame, game: Game, player: Player) -> None:
        """Show the position before a player's move."""
        self.position = demo.before_move(game, player)
        if self._closed.wait(self._pause):
            raise Forfeit("the page is closed")


class _Watched(Player):
    """A wrapper that calls back before each move of a player."""

    def __init__(self, player: Player, before_move: Callable[[Game, Player], None]) -> None:
        self._player = player
        self._before_move = before_move

    def start(self, game: Game) -> None:
        """Forward to the wrapped player."""
        self._player.start(game)

    def observe(self, move: int) -> None:
        """Forward to the wrapped player."""
        self._player.observe(move)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Call back, then return the wrapped player's move."""
        self._before_move(game, self._player)
        return self._player.choose(game, rng)
