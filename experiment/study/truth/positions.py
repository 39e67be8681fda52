"""Positions that are near enough to the end to be solved, reached by playing."""

from collections.abc import Iterator

from game import Board, Game
from game.play.loop import play_games
from game.play.pairing import Pairing
from game.solver.solver import empties

TRIES = 200
"""Games in a row without a new position after which there are held to be no more."""


def sample(size: int, left: int, count: int, by: str, seed: int) -> Iterator[Game]:
    """Yield `count` games from the start, which a player of this text plays on both sides, up to different
    positions with `left` empty squares and a legal move.

    Raises RegistryError, and ValueError where the player's games do not reach this many.
    """
    pairing, first, seen = Pairing(by, by, size, seed=seed), 0, set[Board]()
    while len(seen) < count:
        played = play_games(pairing, range(first, first + TRIES))
        reached = [_up_to(left, each.record.game) for each in played]
        new = {game.board: game for game in reached if game and game.board not in seen}
        if not new:
            raise ValueError(
                f"{len(seen)} positions with {left} empty squares were found on {size}x{size}, not {count}: "
                "ask for fewer, for other empty squares or for a player with more random moves"
            )
        yield from list(new.values())[: count - len(seen)]
        seen |= new.keys()
        first += TRIES


def _up_to(left: int, game: Game) -> Game | None:
    """Return a game up to this many empty squares; None if it ended sooner."""
    for ply, board in enumerate(game.boards):
        if empties(board) == left and board.legal_moves:
            return game.until(ply)
    return None
