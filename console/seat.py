"""A seat at a game: a player, its name and its own randomness; and the clocks of both sides."""

from collections.abc import Callable, Mapping
from copy import deepcopy
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
