"""Values of the moves along a game, as a player sees them and people are shown them."""

from collections.abc import Collection, Iterator

import numpy as np

from othello_lab.game import Colour, Game
from othello_lab.game.players.player import Player
from othello_lab.game.values import MoveValues, in_discs


def values_along(
    player: Player, game: Game, rng: np.random.Generator, sides: Collection[Colour] = tuple(Colour)
) -> Iterator[MoveValues | None]:
    """Yield, for each position of a game, the last one too, what the player says of its moves, to be shown.

    None where there is no move, where another side than those is to move, and from a player that only
    chooses. Raises as the player does.
    """
    so_far = Game(game.boards[0])
    player.start(so_far)
    for move in game.moves:
        yield in_discs(_asked(player, so_far, rng), so_far.board) if so_far.board.turn in sides else None
        so_far.play(move)
        player.observe(move)
    yield in_discs(_asked(player, so_far, rng), so_far.board) if so_far.board.turn in sides else None


def values_now(player: Player, game: Game, rng: np.random.Generator) -> MoveValues | None:
    """Return what the player says of the moves that there are at the end of a game so far."""
    player.start(game)
    return _asked(player, game, rng)


def _asked(player: Player, game: Game, rng: np.random.Generator) -> MoveValues | None:
    return player.values(game, rng) if game.board.legal_moves else None
