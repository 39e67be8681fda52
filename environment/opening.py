"""The beginning of an episode: who has black, and a random opening."""

import numpy as np
from numpy.typing import NDArray

from game.batch.games import STAY, BatchGames, pick_each, repeated
from game.board import Board, Colour
from game.game import Game
from game.notation import PASS
from game.players.simple import pick


def agent_colour(first: str, episode: int, rng: np.random.Generator) -> Colour:
    """Return the agent's colour in an episode; `first` says who has black."""
    black = agent_is_black(first, np.array([episode]), rng)
    return Colour.BLACK if black[0] else Colour.WHITE


def agent_is_black(first: str, episodes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return whether the agent has black in each of some episodes, [n]."""
    if first == "random":
        return rng.random(len(episodes)) < 0.5
    if first == "alternate":
        even: NDArray[np.bool_] = episodes % 2 == 0
        return even
    return np.full(len(episodes), first == "agent")


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


def many_openings(start: Board, most: int, games: int, rng: np.random.Generator) -> BatchGames:
    """Begin games as `with_random_opening` does, each with an opening of its own."""
    begun = _plain(start, games)
    if not most or not start.legal_moves:
        return begun
    waiting = np.arange(games)
    while len(waiting):
        drawn = _plain(start, len(waiting))
        plies = rng.integers(most + 1, size=len(waiting))
        for ply in range(most):
            moves = pick_each(drawn.legal, drawn.size, rng)
            drawn.play(np.where((ply < plies) & (moves != PASS), moves, STAY))
        movable = drawn.can_move
        begun.put(waiting[movable], drawn.take(np.flatnonzero(movable)))
        waiting = waiting[~movable]
    return begun


def _plain(start: Board, games: int) -> BatchGames:
    return BatchGames(repeated(start, games), np.full(games, start.turn is Colour.BLACK))
