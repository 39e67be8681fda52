"""Positions that are near enough to the end to be solved, reached by playing."""

from collections.abc import Iterator

import numpy as np

from game import PASS, Board, Game
from game.players import Player
from game.solver.solver import empties

TRIES = 200
"""Games in a row without a new position after which there are held to be no more."""


def sample(size: int, left: int, count: int, player: Player, rng: np.random.Generator) -> Iterator[Game]:
    """Yield `count` games, played by `player` on both sides from the start, that end in different positions
    with `left` empty squares and a legal move.

    Raises ValueError where the player's games do not reach this many.
    """
    seen: set[Board] = set()
    while len(seen) < count:
        game = next(filter(None, (_new(size, left, player, rng, seen) for _ in range(TRIES))), None)
        if game is None:
            raise ValueError(
                f"{len(seen)} positions with {left} empty squares were found on {size}x{size}, not {count}: "
                "ask for fewer, for other empty squares or for a player with more random moves"
            )
        seen.add(game.board)
        yield game


def _new(size: int, left: int, player: Player, rng: np.random.Generator, seen: set[Board]) -> Game | None:
    """Play a game; None if it ends sooner or in a position that was seen."""
    game = Game(Board.start(size))
    player.start(game)
    while game.board.legal_moves and empties(game.board) > left:
        game.play(player.choose(game, rng))
        player.observe(game.moves[-1])
        if game.pass_if_forced():
            player.observe(PASS)
    return game if game.board.legal_moves and game.board not in seen else None
