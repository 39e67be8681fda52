"""Positions of games that were played for the purpose, each with a wanted number of empty squares."""

from collections.abc import Iterator

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.solver.solver import empties


def positions(player: str, size: int, count: int, fewest: int, most: int, seed: int) -> Iterator[Board]:
    """Yield positions in which there is a choice of moves, one of each game of a player against itself.

    For each game a number of empty squares is drawn, from `fewest` to `most`. A game that never has so many
    with a choice yields none; in all there are `count` positions.
    """
    pairing = Pairing(player, player, size, standard_openings(size), seed=seed)
    rng, number = np.random.default_rng(seed), 0
    while count > 0:
        left = rng.integers(fewest, most + 1)
        (played,) = play_games(pairing, [number])
        number += 1
        found = [board for board in played.record.game.boards if empties(board) == left]
        if found and len(found[-1].legal_moves) > 1:
            count -= 1
            yield found[-1]
