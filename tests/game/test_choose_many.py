"""Players asked about many positions at once choose as they do one by one."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.play.luck import seat_words
from othello_lab.game.players import make
from othello_lab.game.players.base import Policy
from othello_lab.game.players.one_move import best_of, first_best
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
def test_many_positions_are_answered_as_one_is(text: str, position: str) -> None:
    board, player = Board.parse(position), make(text, 8)
    assert isinstance(player, Policy)
    luck = seat_words(1, np.arange(DRAWS), 0)
    many = player.choose_many(repeated(board, DRAWS), luck).tolist()
    assert many == [player.decide(Game(board), word) for word in luck.tolist()]


def test_players_that_think_of_one_game_are_no_policies() -> None:
    for text in ("search:depth=1", "noisy:[search:depth=1],share=0.5"):
        assert not isinstance(make(text, 8), Policy)


def test_the_best_move_of_each_position() -> None:
    start = Board.start(4)
    positions = Positions.of([start, start.play(1), start])
    assert [len(start.legal_moves), len(start.play(1).legal_moves)] == [4, 3]
    values = np.array([0, 2, 2, 1, -3, -5, -4, 9, 1, 1, 1.0])
    firsts = [list(start.legal_moves), list(start.play(1).legal_moves)]
    assert first_best(values, positions).tolist() == [firsts[0][1], firsts[1][0], firsts[0][0]]
    drawn = {best_of(values, positions, np.full(3, draw))[0] for draw in (0, 0.4, 0.6, 0.999)}
    assert drawn == {firsts[0][1], firsts[0][2]}, "any of equals"
