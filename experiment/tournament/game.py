"""One game of a tournament: which it is decides its randomness, so it can be played anywhere, anytime."""

import hashlib
import json
from typing import NamedTuple

import numpy as np

from experiment.match.loop import Seat, play_on
from game import Colour, Game
from game.players import Player
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


def play_game(key: Key, size: int, black: Player, white: Player) -> Played:
    """Play a game; raises UnplayableError. Its randomness comes from its key alone."""
    entropy = int.from_bytes(hashlib.sha256(json.dumps(key).encode()).digest(), "big")
    streams = np.random.SeedSequence(entropy).spawn(2)  # what one draws does not change the luck of the other
    players = zip(Colour, (black, white), streams, strict=True)
    game = Game.from_transcript(key.opening, size)
    seats = {colour: Seat(player, np.random.default_rng(stream)) for colour, player, stream in players}
    forfeit = play_on(game, seats)
    outcome = None if forfeit else game.board.outcome()
    winner = Record(game, forfeit=forfeit).winner
    return Played(
        key,
        game.transcript(),
        winner.value if winner else DRAW,
        outcome.disc_diff if outcome else None,
        outcome.final_score if outcome else None,
        forfeit.reason if forfeit else None,
    )
