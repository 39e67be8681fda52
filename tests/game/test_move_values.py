"""What players say moves are worth: it is what they choose by."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import make
from othello_lab.game.players.base import units_of
from othello_lab.game.search import ALGORITHMS, search

THAT_VALUE = (
    "greedy",
    "positional",
    "mobility",
    "weights:heur",
    "piece-values",
    "minimax:depth=1",
    "alphabeta:depth=3,eval=mobility",
    "noisy:greedy,share=0",
    "search:depth=2,endgame=4,hash=1",
    "level:5",
)


def positions(size: int) -> list[Game]:
    """Return games of random length that go on, in which the side to move has a choice."""
    rng, found = np.random.default_rng(size), []
    for plies in (1, 4, 9, 16, 25):
        game = Game(Board.start(size))
        for _ in range(plies):
            if not game.pass_if_forced() and game.board.legal_moves:
                game.play(rng.choice([*game.board.legal_moves]))
        if len(game.board.legal_moves) > 1:
            found.append(game)
    return found


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("text", THAT_VALUE)
def test_a_player_plays_a_move_that_it_values_most(text: str, size: int) -> None:
    player = make(text, size)
    for game in positions(size):
        moves, rng = [*game.board.legal_moves], np.random.default_rng(1)
        player.start(game)
        found = player.values(game, rng)
        assert found is not None
        assert found.values.shape == (len(moves),)
        assert found.unit
        assert found.values[moves.index(player.choose(game, rng))] == found.values.max()


@pytest.mark.parametrize("text", ["random", "corner-greedy", "corner-or-random", "noisy:random"])
def test_a_player_that_only_chooses_values_nothing(text: str) -> None:
    assert make(text, 6).values(Game(Board.start(6)), np.random.default_rng(1)) is None


def test_a_search_values_moves_in_discs_where_it_solves_all_of_them() -> None:
    game = Game(Board.parse("-XXX---OXX---OOXXX-OXOXO--XX-----X-- O"))
    solved = make("search:endgame=20,hash=4", 6).values(game, np.random.default_rng(1))
    assert solved is not None
    assert solved.values.max() == 4
    guessed = make("search:depth=2,endgame=0,hash=1", 6).values(game, np.random.default_rng(1))
    assert guessed is not None
    assert units_of([None, guessed, solved]) == f"{guessed.unit}, later {solved.unit}"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_best_value_is_that_of_the_position(algorithm: str) -> None:
    player, evaluator = make(f"{algorithm}:depth=3,eval=mobility", 6), make_evaluator("mobility", 6)
    for game in positions(6):
        rng = np.random.default_rng(1)
        found = player.values(game, rng)
        assert found is not None
        assert found.values.max() == search(game.board, algorithm, 3, evaluator, rng).value
