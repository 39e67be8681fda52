"""A seat at a game: a player, its name and its own randomness; and the clocks of both sides."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from othello_lab.game import Board, Colour, Game, IllegalMoveError
from othello_lab.game.players.player import Forfeit, Player

if TYPE_CHECKING:
    import numpy as np


class Seat:
    """A player at a game, or who gives hints: it hears of a game just before it is asked.

    It hears of the moves since it was asked last, and of the whole game anew when that has gone another way:
    after a move was taken back, in another game, after a forfeit.
    """

    def __init__(self, name: str, player: Player, rng: "np.random.Generator", text: str = "") -> None:
        """`text` is what it is made from, as it was typed; "" if nobody has to make it again."""
        self.name, self.player, self.rng, self.text = name, player, rng, text
        self.in_use = Lock()
        """Held while it thinks: several threads may ask, and a player thinks of one thing at a time."""
        self._start: Board | None = None
        self._heard: list[int] = []

    def for_hints(self, game: Game) -> "Seat":
        """Return a seat of the same player with a copy of its random generator.

        The player knows the game then. Raises what the player's `start` raises.
        """
        self._hear(game)
        return Seat(self.name, self.player, deepcopy(self.rng), self.text)

    def choose(self, game: Game) -> int:
        """Return the player's move, a legal one; raise Forfeit where it cannot go on."""
        try:
            self._hear(game)
            move = self.player.choose(game, self.rng)
            game.board.play(move)
        except IllegalMoveError as error:
            self.forget()
            raise Forfeit(f"{self.name} made a wrong move: {error}") from None
        except Forfeit:
            self.forget()
            raise
        return move

    def _hear(self, game: Game) -> None:
        player, heard = self.player, self._heard
        knows = self._start is game.boards[0] and heard == game.moves[: len(heard)]
        self.forget()  # should the player fail, it is told all again
        if knows:
            for move in game.moves[len(heard) :]:
                player.observe(move)
        else:
            player.start(game)
        self._start, self._heard = game.boards[0], list(game.moves)

    def forget(self) -> None:
        """Tell the player the whole game when it is asked next."""
        self._start, self._heard = None, []


SeatFor = Callable[[str, int], Seat]
"""Makes the player that a text names, for a size of board; raises ValueError if there is none."""


class Clocks:
    """Seconds used by black and by white; at most one of the two runs."""

    def __init__(self, now: Callable[[], float], used: Mapping[Colour, float]) -> None:
        """`now` gives seconds from any start; `used` is what stood there before."""
        self._now = now
        self._used = {colour: used.get(colour, 0.0) for colour in Colour}
        self.running: Colour | None = None
        """Whose clock runs."""
        self._since = 0.0

    def run(self, colour: Colour | None) -> None:
        """Let the clock of one side run from now on and stop the other; None stops both."""
        now = self._now()
        if self.running:
            self._used[self.running] += now - self._since
        self.running, self._since = colour, now

    def used(self, colour: Colour) -> float:
        """Return the seconds of a side until now."""
        running = self._now() - self._since if colour is self.running else 0.0
        return self._used[colour] + running


@dataclass(frozen=True, slots=True)
class _Told:
    """What a side had when its clock stood at `at`."""

    seconds: float
    moves: int
    """For so many moves; 0 is for the rest of the game."""
    at: float


class GameClock:
    """Tells what is left, by what was told and what has been used since; None where there is no clock."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """`now` gives seconds from any start."""
        self._clocks = Clocks(now, {})
        self._main = 0.0
        self._period, self._moves = 0.0, 0
        self._told: dict[Colour, _Told] = {}

    def set(self, main: float, period: float = 0.0, moves: int = 0) -> None:
        """Give both sides `main` seconds, and once these are used up `period` for every `moves` moves.

        No seconds at all, or a period for no move, as GTP has it, are no clock.
        """
        is_free = (period > 0 and moves == 0) or main == period == 0
        self._main, self._period, self._moves = (0.0, 0.0, 0) if is_free else (main, period, moves)
        self.restart()

    def restart(self) -> None:
        """Begin a new game with the same settings."""
        has_clock = self._main > 0 or self._period > 0
        self._told = {side: self._now(side, self._main, 0) for side in Colour} if has_clock else {}

    def tell(self, side: Colour, seconds: float, moves: int = 0) -> None:
        """Say what a side has left, and for how many moves; 0 is for the rest of the game."""
        self._told[side] = self._now(side, seconds, moves)

    def use(self, side: Colour, seconds: float) -> None:
        """Take off what a side has used elsewhere."""
        if told := self._told.get(side):
            self._told[side] = _Told(told.seconds - seconds, told.moves, told.at)

    def left(self, side: Colour) -> tuple[float, int] | None:
        """Return the seconds of a side and for how many moves, see `tell`; None without a clock."""
        if not (told := self._told.get(side)):
            return None
        seconds = told.seconds - (self._clocks.used(side) - told.at)
        if seconds <= 0 and self._moves:
            return self._period / self._moves, 1
        return max(0.0, seconds), told.moves

    @contextmanager
    def running(self, side: Colour) -> Iterator[None]:
        """Let the clock of a side run."""
        self._clocks.run(side)
        try:
            yield
        finally:
            self._clocks.run(None)

    def _now(self, side: Colour, seconds: float, moves: int) -> _Told:
        return _Told(seconds, moves, self._clocks.used(side))
