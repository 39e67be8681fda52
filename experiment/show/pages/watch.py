"""The page of `othello watch`, with the state of a run and games of the run's newest policy."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from threading import Event, Lock, Thread
from typing import Any, Final, Self

import msgspec
import numpy as np

from othello_lab.experiment.run.outcomes import SELF
from othello_lab.experiment.run.player_names import of_folder
from othello_lab.experiment.run.record import RunRecord, agent_colours
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.pages.page import shaded, style_of_pages, web_file
from othello_lab.experiment.show.run_curves import (
    MEANS,
    PANELS,
    POOL,
    Curve,
    RunFiles,
    last_change,
    panels,
    rates,
    read,
    stamps_of,
)
from othello_lab.experiment.show.run_end import sums, table
from othello_lab.experiment.show.run_states import phase_of
from othello_lab.experiment.show.site import Files, Site
from othello_lab.experiment.show.wording import result_of
from othello_lab.experiment.study.statistics.intervals import WILSON
from othello_lab.game import Colour, Game
from othello_lab.game.catalogue import make
from othello_lab.game.drawing import Marks, as_data
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, play_game
from othello_lab.game.players.player import Forfeit, MoveValues, Player
from othello_lab.game.program_trust import UntrustedError, note
from othello_lab.game.short_names import short_name
from othello_lab.game.values import in_discs

_FRESH_SECONDS: Final = 0.9
_READING_SHARE: Final = 0.1  # maximum share of the time for reading the run's growing files
# Names in metrics.jsonl that the page shows elsewhere or not at all.
_ELSEWHERE: Final = {"time", "seconds", "episode", "win_rate", "score", "black", "white", "drawn"}


class RunPage:
    """The page of one run."""

    def __init__(self, folder: RunFolder, game: "Demonstration") -> None:
        """Read the run's files. Raises OSError, or RunFolderError if config.json cannot be read."""
        self._folder, self._game = folder, game
        self._stamps, self._changed = stamps_of(folder.path), last_change(folder.path)
        self._run = read(folder)
        self._lock = Lock()
        self._state, self._next = b"", 0.0

    @property
    def site(self) -> Site:
        """The page as a read-only WSGI application."""
        return Site(_files, {"/state.json": self._json})

    def _json(self) -> bytes:
        """Return the cached state of the run as JSON. If reading is slow, the cache is valid longer."""
        with self._lock:
            if (begin := time.monotonic()) >= self._next:
                self._state = msgspec.json.encode(self._read())
                end = time.monotonic()
                self._next = end + max(_FRESH_SECONDS, (end - begin) / _READING_SHARE)
            return self._state

    def _read(self) -> dict[str, Any]:
        try:
            self._folder.check_there()
            if (stamps := stamps_of(self._folder.path)) != self._stamps:
                self._run = read(self._folder)
                self._stamps, self._changed = stamps, time.time()
        except (RunFolderError, OSError) as error:
            return {"error": str(error)}
        state = run_state(self._run, silent=max(0.0, time.time() - self._changed))
        return {**state, "game": self._game.position, "game_says": self._game.says}


@cache
def _files() -> Files:
    """Return the page's files by path, each with its media type and content."""
    scripts = ("watch.js", "charts.js", "board.js")
    return {
        "/": ("text/html", web_file("watch.html").encode()),
        **{f"/{name}": ("text/javascript", web_file(name).encode()) for name in scripts},
        "/style.css": ("text/css", (style_of_pages() + web_file("watch.css")).encode()),
    }


def run_state(run: RunFiles, silent: float) -> dict[str, Any]:
    """Return the state of a run for watch.js. The run's files last changed `silent` seconds ago."""
    record, last = run.record, run.last
    results = table("", sums(last, record))
    return {
        "title": record.headline,
        "run": run.folder.path.resolve().name,
        "seed": "" if record.seed is None else str(record.seed),
        "phase": phase_of(run, silent),
        "rates": replace(rates(run, MEANS, by_colour=False), title="Share of games won"),
        "charts": list(panels(run.curves)),
        "results": {"headings": [column.heading for column in results.visible], "rows": results.cells},
        "results_say": f"Won % with its {WILSON}.",
        "after": last[0].episode if last else 0,
        "numbers": _newest(run.curves),
    }


def _newest(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return the last value of each metric that has no chart, by name."""
    drawn = {name for panel in PANELS for name in panel.lines}
    names = sorted(name for name in curves.keys() - drawn - _ELSEWHERE if not name.startswith(POOL))
    return {name.replace("_", " "): _plain(curves[name][1][-1]) for name in names}


def _plain(value: float) -> str:
    """Format a number with four significant digits, or as an integer from 1000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


# The demonstration: the newest policy plays slowly, and the page shows the values of its moves.

_MOVE_SECONDS: Final = 1.5  # the time between two moves, in seconds
_STOP_AGAIN: Final = 0.1  # retry interval of `Player.stop`: a call before the search starts has no effect
_END_PAUSES: Final = 5  # length of the pause at the end of a game, in moves


def opponent_of(record: RunRecord, policy: str) -> str:
    """Return the training opponent, or `policy` if the opponent is SELF or an untrusted program."""
    opponent, size = record.environment_stats.opponent or SELF, record.environment_stats.size
    if opponent == SELF:
        return policy
    try:
        make(opponent, size or USUAL_SIZE).close()
    except UntrustedError:  # do not start a program of an untrusted run folder
        return policy
    except ValueError:  # the demonstration game reports this error
        pass
    return opponent


def demo_match(folder: RunFolder, game: int) -> tuple[Pairing, int, dict[Colour, str]]:
    """Return pairing (A: the policy), number and names of demonstration game `game`. Raises ValueError."""
    record = folder.read_record()
    policy, stats = of_folder(folder.path).text, record.environment_stats
    note(folder.record, [stats.opponent])
    opponent = opponent_of(record, policy)
    if stats.size is None:
        raise ValueError("no game is shown: the run's environment reports no board size")
    colours = agent_colours(stats.first)
    # Player A is black in games with an even number.
    number = game if len(colours) == 2 else 2 * game + (colours == ("white",))
    # Later games start from openings, because deterministic players would repeat the first game.
    match = Pairing(policy, opponent, stats.size, ("", *standard_openings(stats.size)))
    side = match.colour_of_a(number)
    return match, number, {side: short_name(policy), side.other: short_name(opponent)}


class Demonstration:
    """A context manager that plays demonstration games in a background thread."""

    def __init__(self, folder: RunFolder, pause: float = _MOVE_SECONDS) -> None:
        self.position: dict[str, Any] | None = None
        """The current position for watch.js, or None."""
        self.says = ""
        """The reason for a missing position, otherwise an empty string."""
        self._folder, self._pause = folder, pause
        self._closed = Event()
        self._players: tuple[Player, ...] = ()
        self._thread = Thread(target=self._play_games, daemon=True, name="demonstration game")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._closed.set()
        while self._thread.is_alive():  # compiled code must not run while the process exits
            for player in self._players:
                player.stop()
            self._thread.join(_STOP_AGAIN)

    def _play_games(self) -> None:
        played = 0
        while not self._closed.is_set():
            try:
                self._play(*demo_match(self._folder, played))
                played += 1
                self._closed.wait(_END_PAUSES * self._pause)
            except (ValueError, OSError, ImportError) as error:  # for example, a missing checkpoint
                self.position, self.says = None, str(error)
                self._closed.wait(self._pause)

    def _play(self, match: Pairing, number: int, names: Mapping[Colour, str]) -> None:
        """Play a game. Before each move, show the position with the policy's values, and pause."""
        self.says, side = "", match.colour_of_a(number)

        def before_move(game: Game, player: Player) -> None:
            turn, values = game.board.turn, None
            if turn is side or match.a == match.b:
                # A separate random generator keeps the moves the same with and without a viewer.
                values = in_discs(player.values(game, np.random.default_rng(0)), game.board)
            self.position = _position(game, names, f"{turn.value} to move", values)
            if self._closed.wait(self._pause):
                raise Forfeit("the page is closed")

        with closing(make(match.a, match.size)) as a, closing(make(match.b, match.size)) as b:
            self._players = a, b
            record = play_game(match, number, a, b, before_move).record
        self.position = _position(record.game, names, result_of(record))


def _position(
    game: Game, names: Mapping[Colour, str], says: str, values: MoveValues | None = None
) -> dict[str, Any]:
    numbers = [*values.by_square(game.board.legal_moves).values()] if values else []
    return {
        **as_data(game.board, Marks.of(game, legal=True)),
        "values": shaded(numbers) if numbers else None,
        "discs": game.board.counts(),
        "moves": game.transcript(),
        **{colour.value: name for colour, name in names.items()},
        "says": says,
        "unit": values.unit if values else "",
    }
