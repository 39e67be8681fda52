"""One game of a tournament: which it is decides its luck, so it can be played anywhere, anytime."""

from typing import NamedTuple

from experiment.compare.match.loop import play_out
from game import Colour
from game.luck import Luck
from game.players import Player

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

    @property
    def luck(self) -> Luck:
        """What decides all that is drawn: as in a match of these two."""
        return Luck(self.seed, self.opening, self.repeat)


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


def play_game(key: Key, size: int, black: Player, white: Player) -> Played:
    """Play a game; raises UnplayableError."""
    record = play_out(key.luck, size, {Colour.BLACK: black, Colour.WHITE: white})
    outcome = None if record.forfeit else record.game.board.outcome()
    return Played(
        key,
        record.game.transcript(),
        record.winner.value if record.winner else DRAW,
        outcome.disc_diff if outcome else None,
        outcome.final_score if outcome else None,
        record.forfeit.reason if record.forfeit else None,
    )
