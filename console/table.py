"""A sitting, who makes its players, and who gives hints. Nothing here prints."""

from dataclasses import dataclass

from console.opponent import Listener, Seat, SeatFor
from console.sitting import Sitting
from game import Board, Colour, Game

HUMAN = "human"
"""The text of an opponent that is a person too."""


@dataclass
class Table:
    """One game after another: who plays, who gives hints, and the way to other games and players."""

    sitting: Sitting
    adviser: Listener
    seat_for: SeatFor

    @property
    def size(self) -> int:
        """The length of a side of the board."""
        return self.sitting.game.size

    @property
    def theirs(self) -> Colour:
        """The side of the opponent: of two persons the one that is not to move, of two players white."""
        people = self.sitting.people
        if len(people) == 1:
            return people[0].other
        return self.sitting.game.board.turn.other if people else Colour.WHITE

    def new(self) -> None:
        """Begin a game on the same board."""
        self.sitting.begin(Game(Board.start(self.size)))

    def begin(self, game: Game) -> None:
        """Go on with another game, of any size; raise ValueError, and change nothing, if no seat plays it."""
        if game.size != self.size:
            self._change_size(game.size)
        self.sitting.begin(game)

    def oppose(self, text: str) -> None:
        """Have another opponent from now on; raise ValueError, and change nothing, if there is none such."""
        seat = None if text == HUMAN else self.seat_for(text, self.size)
        self.sitting.sit({**self.sitting.seats, self.theirs: seat})

    def close(self) -> None:
        """Let all players go."""
        self.sitting.close()
        self.adviser.seat.player.close()

    def _change_size(self, size: int) -> None:
        adviser = self._again(self.adviser.seat, size)
        seats = {colour: seat and self._again(seat, size) for colour, seat in self.sitting.seats.items()}
        self.sitting.sit(seats)
        self.adviser.seat.player.close()
        self.adviser = Listener(adviser)

    def _again(self, seat: Seat, size: int) -> Seat:
        return self.seat_for(seat.text, size)
