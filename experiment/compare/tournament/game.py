"""One game of a tournament: which it is, and what is kept of it."""

from typing import NamedTuple

from game import Colour
from game.records import Record

DRAW = "draw"


class Key(NamedTuple):
    """Which game it is."""

    black: str
    """The player's id, as is `white`."""
    white: str
    seed: int
    opening: str
    """The transcript of the moves that are given; "" is the standard start."""
    repeat: int
    """Counts from 0 the games that are alike in all else."""


class Played(NamedTuple):
    """A finished game."""

    key: Key
    moves: str
    """The whole transcript, the opening included; forced passes are not written."""
    winner: str
    """black, white or draw."""
    disc_diff: int | None
    """Black's discs minus white's at the end; None if the game was forfeited."""
    final_score: int | None
    """The same with the empty squares for the winner."""
    forfeit: str | None
    """Why the loser could not go on; None for a game that came to its end on the board."""

    @property
    def points(self) -> float:
        """What it brought black: 1, 1/2 or 0."""
        return {Colour.BLACK.value: 1.0, DRAW: 0.5}.get(self.winner, 0.0)


def finished(key: Key, record: Record) -> Played:
    """Return what is kept of a game that was played."""
    outcome = None if record.forfeit else record.game.board.outcome()
    return Played(
        key,
        record.game.transcript(),
        record.winner.value if record.winner else DRAW,
        outcome.disc_diff if outcome else None,
        outcome.final_score if outcome else None,
        record.forfeit.reason if record.forfeit else None,
    )
