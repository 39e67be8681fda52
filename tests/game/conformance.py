import random
from collections.abc import Callable

import numpy as np

from othello_lab.game import PASS, Board, Game
from othello_lab.game.catalogue import make
from othello_lab.game.players.player import Player


def check_player(build: Callable[[], Player], size: int) -> None:
    """Play whole games on both sides. The messages of the assertions name the rules."""
    numpy_state, python_state = str(np.random.get_state()), random.getstate()  # noqa: NPY002  must not change
    player, opponent = build(), make("random", size)
    first = [play([player, opponent], size), play([opponent, player], size)]
    again = [play([player, opponent], size), play([opponent, player], size)]
    fresh = [play([build(), opponent], size), play([opponent, build()], size)]
    assert again == first, "a second game with the same seed went another way"
    assert fresh == first, "a new player with the same seed plays another game"
    assert str(np.random.get_state()) == numpy_state, "numpy's global generator was used"  # noqa: NPY002
    assert random.getstate() == python_state, "Python's global generator was used"


def play(players: list[Player], size: int) -> list[int]:
    game, rng = Game(Board.start(size)), np.random.default_rng(7)
    for player in players:
        player.start(game)
    while not game.board.is_over:
        mover = players[len(game.moves) % 2]
        move = PASS if game.board.must_pass else mover.choose(game, rng)
        assert move == PASS or move in game.board.legal_moves
        game.play(move)
        for player in players:
            player.observe(move)
    for player in players:
        player.close()
    return game.moves
