"""Seats at a game: the player against a person, and the giver of hints."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from game import Board, Game, IllegalMoveError
from game.players import Player
from game.players.base import Forfeit
from game.players.values import MoveValues

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Seat:
    """A player with the name to call it by and its own randomness."""

    name: str
    player: Player
    rng: "np.random.Generator"
    text: str = ""
    """What it is made from, as it was typed; "" if nobody has to make it again."""

    def choose(self, game: Game) -> int:
        """Return the player's move."""
        return self.player.choose(game, self.rng)

    def values(self, game: Game) -> MoveValues | None:
        """Return what each legal move is worth, None from a player that only chooses."""
        return self.player.values(game, self.rng)


SeatFor = Callable[[str, int], Seat]
"""Makes the player that a text names, for a size of board; raises ValueError if there is none."""


class Listener:
    """A seat whose player hears of a game just before it is asked.

    It hears of the moves since it was asked last, and of the whole game anew when that has gone another way:
    after a move was taken back, in another game, after a forfeit.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.in_use = Lock()
        """For whoever asks from several threads: a player thinks of one thing at a time."""
        self._start: Board | None = None
        self._heard: list[int] = []

    def told(self, game: Game) -> Seat:
        """Return the seat, whose player now knows the game; raise what the player's `start` raises."""
        player, heard = self.seat.player, self._heard
        knows = self._start is game.boards[0] and heard == game.moves[: len(heard)]
        self.forget()  # should the player fail, it is told all again
        if knows:
            for move in game.moves[len(heard) :]:
                player.observe(move)
        else:
            player.start(game)
        self._start, self._heard = game.boards[0], list(game.moves)
        return self.seat

    def aside(self, game: Game) -> Seat:
        """Return the same with a copy of its randomness: what is asked of it changes no later move."""
        return replace(self.told(game), rng=deepcopy(self.seat.rng))

    def choose(self, game: Game) -> int:
        """Return the player's move, a legal one; raise Forfeit where it cannot go on."""
        return self._legal(self.told, game)

    def consider(self, game: Game) -> int:
        """Return what `choose` would, and leave the player's randomness as it is."""
        return self._legal(self.aside, game)

    def _legal(self, seat_in: Callable[[Game], Seat], game: Game) -> int:
        try:
            move = seat_in(game).choose(game)
            game.board.play(move)
        except IllegalMoveError as error:
            self.forget()
            raise Forfeit(f"{self.seat.name} made a wrong move: {error}") from None
        except Forfeit:
            self.forget()
            raise
        return move

    def forget(self) -> None:
        """Tell the player the whole game when it is asked next."""
        self._start, self._heard = None, []
