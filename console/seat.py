"""Seats: players with a name and randomness of their own; settings and requests for them as texts."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from othello_lab.game import Board, Colour, Game, IllegalMoveError
from othello_lab.game.players.noisy import STRONGEST
from othello_lab.game.players.player import Forfeit, Player

if TYPE_CHECKING:
    import numpy as np

HUMAN = "human"
"""The text of a person as a player."""
_ADVISER = "search:time=1"


class Seat:
    """A player at a game, or the adviser.

    It learns of the moves since its last question just before the next one, and of the whole game if that has
    changed: after undo, in another game, after a forfeit.
    """

    def __init__(self, name: str, player: Player, rng: "np.random.Generator", text: str = "") -> None:
        """`text` is the text that the player is made from; "" if nobody needs to make it again."""
        self.name, self.player, self.rng, self.text = name, player, rng, text
        self.in_use = Lock()
        """Held while the player thinks: several threads may ask it."""
        self._start: Board | None = None
        self._known: list[int] = []

    def for_hints(self, game: Game) -> "Seat":
        """Return a seat of the same player, which knows the game, with a copy of its random generator.

        Raises what the player's `start` raises.
        """
        self._tell(game)
        return Seat(self.name, self.player, deepcopy(self.rng), self.text)

    def choose(self, game: Game) -> int:
        """Return the player's move, a legal one; raise Forfeit if the player fails."""
        try:
            self._tell(game)
            move = self.player.choose(game, self.rng)
            game.board.play(move)
        except IllegalMoveError as error:
            self.forget()
            raise Forfeit(f"{self.name} made a wrong move: {error}") from None
        except Forfeit:
            self.forget()
            raise
        return move

    def _tell(self, game: Game) -> None:
        player, known = self.player, self._known
        continues = self._start is game.boards[0] and known == game.moves[: len(known)]
        self.forget()  # in case the player fails
        if continues:
            for move in game.moves[len(known) :]:
                player.observe(move)
        else:
            player.start(game)
        self._start, self._known = game.boards[0], list(game.moves)

    def forget(self) -> None:
        """Tell the player the whole game before the next question."""
        self._start, self._known = None, []


SeatFor = Callable[[str, int], Seat]
"""Makes the player of a text for a board size; raises ValueError if there is none."""
Seats = Mapping[Colour, Seat | None]
"""The player of each side; None is a person. Two seats must not share a player."""


def offered(people: bool) -> dict[str, str]:
    """Return the players that a dialog offers, labels by texts; with `people` a person, else an adviser."""
    labels = {1: ", near-random", STRONGEST: ", the strongest"}
    first = {HUMAN: "a person"} if people else {_ADVISER: "search, a second a move"}
    levels = range(1, STRONGEST + 1)
    return first | {f"level:{level}": f"level {level}{labels.get(level, '')}" for level in levels}


@dataclass(frozen=True)
class Settings:
    """The board size, the players and the adviser, as texts that can be typed."""

    size: int
    players: Mapping[Colour, str]
    """HUMAN for a person."""
    adviser: str


@dataclass(frozen=True)
class Wish:
    """A request for other players."""

    settings: Settings
    game: Game | None
    """The game to begin; None to go on with the present one."""
    is_loaded: bool = False
    """Whether that game was loaded or set up."""
