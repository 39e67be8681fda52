"""Settings of a game: who plays on which board, as texts that can be typed."""

from collections.abc import Mapping
from dataclasses import dataclass

from console.opponent import Seat, SeatFor
from console.sitting import Seats
from console.table import HUMAN, Table
from game import Colour, Game

Cast = tuple[Seats, Seat]
"""Who plays, and who gives hints."""


@dataclass(frozen=True)
class Settings:
    """The board and who sits at it."""

    size: int
    players: Mapping[Colour, str]
    """The texts of the players, HUMAN for a person."""
    adviser: str
    """The text of who gives hints."""

    @classmethod
    def of(cls, table: Table) -> "Settings":
        """Return what is played with now."""
        players = {colour: seat.text if seat else HUMAN for colour, seat in table.sitting.seats.items()}
        return cls(table.size, players, table.adviser.seat.text)

    def cast(self, seat_for: SeatFor) -> Cast:
        """Return players of these texts; raise ValueError where there is none."""
        seats = {
            colour: None if text == HUMAN else seat_for(text, self.size)
            for colour, text in self.players.items()
        }
        return seats, seat_for(self.adviser, self.size)


@dataclass(frozen=True)
class Wish:
    """What is to be played, by whom."""

    settings: Settings
    game: Game | None
    """Where to begin; None to go on with the game that is played."""
