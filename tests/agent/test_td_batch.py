"""TD(lambda) from many games at once: targets by hand, and learning."""

import numpy as np

from othello_lab.agent.selfplay.play import Rules, Shard, by_values
from othello_lab.agent.selfplay.played import Played, move_returns
from othello_lab.agent.td.network import seen_by_mover
from othello_lab.game import Board
from othello_lab.game.batch.games import BatchGames
from othello_lab.game.batch.positions import repeated
from tests.agent.parts import played_by
from tests.agent.td_parts import learner


def test_the_target_of_an_afterstate_is_the_return_of_the_next_decision() -> None:
    """Two games turn by turn: one of three decisions, the last after a forced pass, and one of two.

    The second decision of the second game is a random one.
    """
    played = Played(
        positions=repeated(Board.start(4), 5),
        moves=np.zeros(5, np.int64),
        best=np.array([0.1, 0.2, 0.4, -0.6, 1.0]),
        greedy=np.array([True, True, True, False, True]),
        following=np.array([2, 3, 4, -1, -1]),
        discount=np.array([-1, -1, 1, 0, 0], np.int8),
        results=np.array([-1, 1, 1, -1, 1], np.int8),
        scores=np.zeros(5, np.int16),
    )
    # From the end: a won game is 1; before it, by the same side, 1; the other side's -(0.4 / 2 + 1 / 2).
    assert np.allclose(move_returns(played, 0.5, 1.0), [-0.7, 0.6, 1, -1, 1])
    assert np.allclose(move_returns(played, 0.0, 1.0), [-0.4, 0.6, 1, -1, 1])
    assert np.allclose(move_returns(played, 1.0, 0.5), [-0.25, 0.3, 0.5, -1, 1])


def test_it_learns_how_games_end() -> None:
    """With lambda 1 and no random move the targets are the results themselves."""
    made = learner(lam=1.0, batch=32, batch_rate=0.01)
    rules = Rules(4, random_opening=3, epsilon=0.0)
    played = Shard(rules, np.arange(64), by_values(made.move_values, rules.epsilon), (), seed=5).play().played
    assert np.array_equal(move_returns(played, 1.0, 1.0), played.results)
    games = BatchGames(played.positions)
    games.play(played.moves)
    inputs = seen_by_mover(games.positions)

    def error() -> float:
        return float(np.mean((made.values.outputs(inputs) - played.results) ** 2))

    before = error()
    for _ in range(10):
        made.learn(played)
    assert error() < before / 2
    assert made.numbers["updates"] == 10 * len(played)


def test_the_game_looks_the_same_from_every_side() -> None:
    """Shown under all symmetries, the four first moves come to be worth much the same."""
    spreads = []
    for symmetries in (True, False):
        made = learner(batch=32, batch_rate=0.01, symmetries=symmetries)
        played = played_by(made)
        for _ in range(8):
            made.learn(played)
        spreads.append(np.ptp(made.move_values(repeated(Board.start(4), 1))))
    assert spreads[0] < spreads[1] / 2
