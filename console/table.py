"""A sitting, who makes its players, who gives hints, and how the game is kept. Nothing here prints."""

from dataclasses import dataclass
from datetime import UTC, datetime

from console.kept_games import Keeper, KeptGame
from console.opponent import Listener, Seat, SeatFor
from console.sitting import Seats, Sitting
from game import PASS, Colour, Game

HUMAN = "human"
"""The text of an opponent that is a person too."""


@dataclass
class Table:
    """One game after another: who plays, who gives hints, and the way to other games and players."""

    sitting: Sitting
    adviser: Listener
    seat_for: SeatFor
    keeper: Keeper

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

    def begin(self, game: Game) -> None:
        """Go on with another game, of any size; raise ValueError, and change nothing, if no seat plays it."""
        if game.size != self.size:
            self._change_size(game.size)
        self.sitting.begin(game)

    def oppose(self, text: str) -> None:
        """Have another opponent from now on; raise ValueError, and change nothing, if there is none such."""
        seat = None if text == HUMAN else self.seat_for(text, self.size)
        self.sitting.sit({**self.sitting.seats, self.theirs: seat})

    def swap(self) -> None:
        """Have each side played by who played the other."""
        seats = self.sitting.seats
        self.sitting.sit({colour: seats[colour.other] for colour in Colour})

    def seat(self, seats: Seats, adviser: Seat) -> None:
        """Have these take the place of all who played, and of who gave hints."""
        self.sitting.sit(seats)
        self.adviser.seat.player.close()
        self.adviser = Listener(adviser)

    def keep(self) -> None:
        """Have the game on disk as it stands, while there is something to lose: call it after every change.

        That is from the first move of a person on, or of anybody where no person plays, until the game is
        over. Raises OSError where it cannot be written.
        """
        record = self.sitting.record()
        if record.is_over or not self._has_begun(record.game):
            self.keeper.drop()
            return
        seats = {colour: seat.text if seat else None for colour, seat in self.sitting.seats.items()}
        used = {colour: self.sitting.clocks.used(colour) for colour in Colour}
        adviser = self.adviser.seat.text
        self.keeper.keep(KeptGame(record, self.sitting.ply, seats, adviser, used, datetime.now(UTC)))

    def _has_begun(self, game: Game) -> bool:
        """Tell whether somebody has moved whose move would be missed."""
        at, played = self.sitting, zip(game.boards, game.moves, strict=False)
        people = at.people or list(Colour)
        return any(move != PASS and board.turn in people for board, move in [*played][at.given :])

    def close(self) -> None:
        """Let all players go, and others have what is kept of the game."""
        self.sitting.close()
        self.adviser.seat.player.close()
        self.keeper.close()

    def _change_size(self, size: int) -> None:
        adviser = self._again(self.adviser.seat, size)
        seats = {colour: seat and self._again(seat, size) for colour, seat in self.sitting.seats.items()}
        self.seat(seats, adviser)

    def _again(self, seat: Seat, size: int) -> Seat:
        return self.seat_for(seat.text, size)
