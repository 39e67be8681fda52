"""The clock of a game that another program keeps: what each side has left, as far as it was told."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from othello_lab.console.seat import Clocks
from othello_lab.game.board import Colour


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
