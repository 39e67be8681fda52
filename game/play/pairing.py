"""A pairing: who meets whom, from which openings, with which colours and luck; and a game of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from othello_lab.game.board import Colour
from othello_lab.game.play.luck import Luck
from othello_lab.game.records.record import Record


@dataclass(frozen=True)
class Pairing:
    """Two players, where their games begin, and the seed of all randomness.

    Each opening is played twice, with exchanged colours, and all of that `repeat` times. What is drawn in a
    game follows from its `luck`, so none depends on those before it, nor on who is A.
    """

    a: str
    """A registry text; b likewise."""
    b: str
    size: int = 8
    openings: tuple[str, ...] = ("",)
    """Transcripts, each there once; "" is the standard start."""
    repeat: int = 1
    seed: int = 0

    @property
    def games(self) -> int:
        """How many games are played."""
        return 2 * len(self.openings) * self.repeat

    def colour_of_a(self, number: int) -> Colour:
        """Return who A is in a game: black in those with an even number."""
        return Colour.WHITE if number % 2 else Colour.BLACK

    def place(self, number: int) -> int:
        """Return the place of a game's opening among the openings."""
        return number // 2 % len(self.openings)

    def opening(self, number: int) -> str:
        """Return where a game begins."""
        return self.openings[self.place(number)]

    def at(self, place: int) -> Iterator[int]:
        """Yield the numbers of the games from an opening, by its place."""
        for repeat in range(self.repeat):
            first = 2 * (repeat * len(self.openings) + place)
            yield from (first, first + 1)

    def luck(self, number: int) -> Luck:
        """Return what decides all that is drawn in a game."""
        repeat = number // (2 * len(self.openings))
        return Luck(self.seed, self.opening(number), repeat, turned=self.a == self.b and number % 2 == 1)


@dataclass(frozen=True)
class Played:
    """A finished game of a pairing."""

    record: Record
    colour: Colour
    """A's."""

    @property
    def opening(self) -> str:
        """Where it began: the position and who was to move."""
        return str(self.record.game.boards[self.record.opening])

    @property
    def points(self) -> float:
        """What it brought A: 1, 0.5 or 0."""
        winner = self.record.winner
        return 0.5 if winner is None else float(winner is self.colour)

    @property
    def disc_diff(self) -> int | None:
        """A's discs minus B's; None if the game was forfeited before its end."""
        outcome = self.record.game.board.outcome()
        if outcome is None or self.record.forfeit:
            return None
        return outcome.disc_diff if self.colour is Colour.BLACK else -outcome.disc_diff
