"""Players asked about many positions at once choose as they do one by one."""

from collections import Counter

import numpy as np
import pytest

from game import Board, Game
from game.batch.games import repeated
from game.batch.policies import best_of, first_best
from game.batch.positions import Positions
from game.players import make
from tests.game.test_players import CORNERS, NO_CORNER

TEXTS = (
    "random",
    "greedy",
    "corner-greedy",
    "corner-or-random",
    "positional",
    "weights:swh",
    "piece-values",
    "noisy:[mobility],share=0.4",
)
DRAWS = 2_000


@pytest.mark.parametrize("position", [CORNERS, NO_CORNER])
@pytest.mark.parametrize("text", TEXTS)
def test_each_square_is_chosen_as_often(text: str, position: str) -> None:
    board, player = Board.parse(position), make(text, 8)
    many = player.choose_many(repeated(board, DRAWS), np.random.default_rng(1))
    assert many is not None
    rng = np.random.default_rng(2)
    one_by_one = Counter(player.choose(Game(board), rng) for _ in range(DRAWS))
    for square, count in Counter(many.tolist()).items():
        chance = (count + one_by_one[square]) / (2 * DRAWS)
        error = (2 * DRAWS * chance * (1 - chance)) ** 0.5
        assert abs(count - one_by_one[square]) <= 4.5 * error, square


def test_players_that_think_of_one_game_choose_none() -> None:
    some = repeated(Board.start(8), 2)
    for text in ("search:depth=1", "noisy:[search:depth=1],share=0.5"):
        assert make(text, 8).choose_many(some, np.random.default_rng(0)) is None


def test_the_best_move_of_each_position() -> None:
    start = Board.start(4)
    positions = Positions.of([start, start.play(1), start])
    assert [len(start.legal_moves), len(start.play(1).legal_moves)] == [4, 3]
    values = np.array([0, 2, 2, 1, -3, -5, -4, 9, 1, 1, 1.0])
    firsts = [list(start.legal_moves), list(start.play(1).legal_moves)]
    assert first_best(values, positions).tolist() == [firsts[0][1], firsts[1][0], firsts[0][0]]
    drawn = {best_of(values, positions, np.random.default_rng(seed))[0] for seed in range(20)}
    assert drawn == {firsts[0][1], firsts[0][2]}, "any of equals"
