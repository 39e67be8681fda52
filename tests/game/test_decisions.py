"""What a player's moves are worth beside the exact values of all."""

from itertools import islice

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Colour, Game, IllegalMoveError
from othello_lab.game.decisions import Decision, every_game, on_every_position, on_positions
from othello_lab.game.players.player import Player
from tests.game.knowing import Knowing

pytestmark = pytest.mark.slow


class Deaf(Player):
    """Plays the first legal square of the game that it was told of."""

    def start(self, game: Game) -> None:
        self._game = game

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        assert self._game is game
        return next(iter(game.board.legal_moves))


class Cheat(Player):
    """Plays a1."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return 0


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_decision_says_what_was_lost_and_what_could_have_been() -> None:
    # a1 wins by 2, b1 draws, c1 loses by 4.
    values = {0: 2, 1: 0, 2: -4}
    won, drawn, lost = (Decision(Board.start(4), move, values) for move in values)
    assert (won.lost, drawn.lost, lost.lost) == ((0, 0), (1, 2), (2, 6))
    assert {decision.at_stake for decision in (won, drawn, lost)} == {(2, 6)}
    assert (lost.best, lost.value, lost.worth) == (0, 2, -4)


def test_who_always_errs_and_who_never_does_on_all_of_4x4() -> None:
    worst = list(on_every_position(Knowing(max), rng()))
    assert len(worst) == 47_633
    assert all(decision.lost == decision.at_stake for decision in worst)
    assert sum(decision.lost[0] > 0 for decision in worst) == 7_996
    best = islice(on_every_position(Knowing(min), rng()), 10_000)
    assert not any(any(decision.lost) for decision in best)


def test_positions_of_a_larger_board_are_solved() -> None:
    # Position and values of the endgame in tests/commands/test_solve.py: White to move and ahead by 4.
    game = Game(Board.parse("-XXX---OXX---OOXXX-OXOXO--XX-----X-- O"))
    (decision,) = on_positions(Deaf(), [game], rng())
    assert decision.move == min(game.board.legal_moves)
    assert decision.value == 4
    assert decision.values.keys() == {*game.board.legal_moves}


def test_white_knows_how_to_win_4x4_and_black_cannot() -> None:
    best = Knowing(min)
    for colour, least in ((Colour.WHITE, 8), (Colour.BLACK, -8)):
        sign = -1 if colour is Colour.WHITE else 1
        discs = [sign * game.board.outcome().disc_diff for game in every_game(best, colour, rng())]  # type: ignore[union-attr]  # finished
        assert min(discs) == least


def test_every_game_has_each_move_of_the_other_side_and_one_of_the_player() -> None:
    games = {tuple(game.moves) for game in every_game(Deaf(), Colour.WHITE, rng())}
    assert len(games) == count(Board.start(4))


def count(board: Board) -> int:
    """How many games go on from here in which White plays its first legal square."""
    if board.is_over:
        return 1
    moves = list(board.legal_moves)[: 1 if board.turn is Colour.WHITE else None]
    return sum(count(board.play(move)) for move in moves or [PASS])


def test_an_illegal_move_is_told() -> None:
    with pytest.raises(IllegalMoveError, match="a1 is not legal here"):
        next(on_every_position(Cheat(), rng()))
