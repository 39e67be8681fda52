"""Clocks: how long each side has thought."""

import time
from collections.abc import Callable, Mapping

from game import Colour


class Clocks:
    """Seconds used by black and by white; at most one of the two runs."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, used: Mapping[Colour, float] | None = None
    ) -> None:
        """`now` gives seconds from any start; `used` is what stood there before."""
        self._now = now
        self._used = {colour: (used or {}).get(colour, 0.0) for colour in Colour}
        self._running: Colour | None = None
        self._since = 0.0

    def run(self, colour: Colour | None) -> None:
        """Let the clock of one side run from now on and stop the other; None stops both."""
        now = self._now()
        if self._running:
            self._used[self._running] += now - self._since
        self._running, self._since = colour, now

    def used(self, colour: Colour) -> float:
        """Return the seconds of a side until now."""
        running = self._now() - self._since if colour is self._running else 0.0
        return self._used[colour] + running
