"""Random games for tests."""

from othello_lab.game.game import Game
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing


def random_games(size: int, count: int, seed: int = 0) -> list[Game]:
    pairing = Pairing("random", "random", size, repeat=-(-count // 2), seed=seed)
    return [played.record.game for played in play_games(pairing, range(count))]
