"""A player's values of the moves in a game."""

from collections.abc import Collection, Iterator

import numpy as np

from othello_lab.game import Colour, Game
from othello_lab.game.players.player import Player
from othello_lab.game.values import MoveValues, in_discs


def values_along(
    player: Player, game: Game, rng: np.random.Generator, sides: Collection[Colour] = tuple(Colour)
) -> Iterator[MoveValues | None]:
    """Yield a player's values of the moves in each position of a game, in discs if possible.

    None without a legal move, if the side to move is not in `sides`, and for a player without values.
    Raises as the player does.
    """
    so_far = Game(game.boards[0])
    player.start(so_far)
    for move in game.moves:
        yield in_discs(_values(player, so_far, rng), so_far.board) if so_far.board.turn in sides else None
        so_far.play(move)
        player.observe(move)
    yield in_discs(_values(player, so_far, rng), so_far.board) if so_far.board.turn in sides else None


def values_now(player: Player, game: Game, rng: np.random.Generator) -> MoveValues | None:
    """Return a player's values of the moves in the last position of a game."""
    player.start(game)
    return _values(player, game, rng)


def _values(player: Player, game: Game, rng: np.random.Generator) -> MoveValues | None:
    return player.values(game, rng) if game.board.legal_moves else None
