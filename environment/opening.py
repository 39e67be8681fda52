"""How an episode begins: who has black, and a random opening."""

import numpy as np

from game.board import Colour
from game.game import Game
from game.players.simple import pick


def agent_colour(first: str, episode: int, rng: np.random.Generator) -> Colour:
    """Return the agent's colour in an episode; `first` says who has black."""
    if first == "random":
        agent_is_black = rng.random() < 0.5
    elif first == "alternate":
        agent_is_black = episode % 2 == 0
    else:
        agent_is_black = first == "agent"
    return Colour.BLACK if agent_is_black else Colour.WHITE


def with_random_opening(start: Game, most: int, rng: np.random.Generator) -> Game:
    """Return `start` followed by 0 to `most` random plies, after which the side to move has a move.

    An opening that comes to a forced pass or an end is drawn again; none is played where the start itself is
    one, since there would be nothing to draw.
    """
    while True:
        game = start.until()
        plies = int(rng.integers(most + 1)) if most and start.board.legal_moves else 0
        while plies and game.board.legal_moves:
            game.play(pick(game.board.legal_moves, rng))
            plies -= 1
        if game.board.legal_moves or not start.board.legal_moves:
            return game
