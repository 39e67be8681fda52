"""Pondering: what a search does while the other side thinks, to know more once it is its turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.players.base import Player
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.search.limits import Report

_WAIT = 0.01
"""Seconds between two orders to stop: a search that has hardly begun does not heed one."""


@contextmanager
def pondering(player: Player, game: Game) -> Iterator[None]:
    """Have a search think meanwhile about the position after the reply that it expects, if there is one."""
    board = _expected(game, player.last_report) if isinstance(player, DeepeningPlayer) else None
    if board is None or not isinstance(player, DeepeningPlayer):
        yield
        return
    thread = Thread(target=player.ponder, args=(board,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        while thread.is_alive():
            player.stop()
            thread.join(_WAIT)


def _expected(game: Game, report: Report | None) -> Board | None:
    """Return the position after the best reply to the move just made; None where it knows of none."""
    if report is None or len(report.variation) < 2 or game.moves[-1:] != [report.move]:
        return None
    reply = report.variation[1]
    if reply not in game.board.legal_moves:
        return None
    after = game.board.play(reply)
    return None if after.is_over or after.must_pass else after
