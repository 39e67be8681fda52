"""Positions of games that were played, by their empty squares."""

from collections.abc import Iterable, Iterator

from othello_lab.game.board import Board
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.solver.solver import empties


def positions(pairing: Pairing, numbers: Iterable[int]) -> Iterator[Board]:
    """Yield the position of each game of a pairing with so many empty squares and a choice of moves, if any.

    `numbers` says how many, a number for each game; the games are played one by one, as they are asked for.
    """
    for number, left in enumerate(numbers):
        (played,) = play_games(pairing, [number])
        found = [board for board in played.record.game.boards if empties(board) == left]
        if found and len(found[-1].legal_moves) > 1:
            yield found[-1]
