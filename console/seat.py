"""A seat is a player with a name and its own random generator. Settings name the players of a game."""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from othello_lab.game import Board, Colour, Game, IllegalMoveError
from othello_lab.game.players.noisy import STRONGEST
from othello_lab.game.players.player import Forfeit, Player

if TYPE_CHECKING:
    import numpy as np

HUMAN = "human"  # The player text of a person in the settings.
_ADVISER = "search:time=1"


class Seat:
    """A player of a game, or the adviser, with its own random generator.

    Before each query, the seat sends the player the moves since the last query, or the whole game.
    """

    def __init__(self, name: str, player: Player, rng: "np.random.Generator", text: str = "") -> None:
        """Create a seat. `text` is the registry text of the player, such as `level:3`."""
        self.name, self.player, self.rng, self.text = name, player, rng, text
        self.in_use = Lock()  # Guards the player, which several threads may use.
        self._start: Board | None = None
        self._known: list[int] = []

    def for_hints(self, game: Game) -> "Seat":
        """Send the game to the player. Return a seat with a copied generator: hints do not affect moves."""
        self._tell(game)
        return Seat(self.name, self.player, deepcopy(self.rng), self.text)

    def choose(self, game: Game) -> int:
        """Return the player's move. Raises Forfeit if the player fails or the move is illegal."""
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
        self.forget()  # the seat stays reset if the player raises an error
        if continues:
            for move in game.moves[len(known) :]:
                player.observe(move)
        else:
            player.start(game)
        self._start, self._known = game.boards[0], list(game.moves)

    def forget(self) -> None:
        """Reset the seat. The next query sends the player the whole game."""
        self._start, self._known = None, []


def close(seats: Iterable[Seat | None]) -> None:
    """Close the players of the seats. A seat of None is a person."""
    for seat in seats:
        if seat:
            seat.player.close()


SeatFor = Callable[[str, int], Seat]  # Makes a seat for a player text and a board size. Raises ValueError.
Seats = Mapping[Colour, Seat | None]  # Each side's seat, or None for a person. Seats must not share a player.


def offered(people: bool) -> dict[str, str]:
    """Return the labels of the offered players, by player text. With `people`, include a person."""
    labels = {1: ", near-random", STRONGEST: ", the strongest"}
    first = {HUMAN: "a person"} if people else {_ADVISER: "search, a second a move"}
    levels = range(1, STRONGEST + 1)
    return first | {f"level:{level}": f"level {level}{labels.get(level, '')}" for level in levels}


@dataclass(frozen=True)
class Settings:
    """The board size, and the texts of the players and the adviser, such as `level:3`."""

    size: int
    players: Mapping[Colour, str]  # The text of the player of each side, or HUMAN for a person.
    adviser: str


@dataclass(frozen=True)
class Wish:
    """A request for players, in a new game or in the current game."""

    settings: Settings
    game: Game | None  # The game to begin, or None to continue the current game.
