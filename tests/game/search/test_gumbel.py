import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import Board, Colour, Game
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.luck import seat_seeds
from othello_lab.game.notation import parse_square
from othello_lab.game.players.mcts import GuidedPolicy
from othello_lab.game.search.gumbel import GuidedLimits, ValueGuide, guide_of, search_many
from othello_lab.game.solver.solver import solve_all
from othello_lab.game.values import EXPECTED_RESULT, WON
from tests.game.sampling import played, random_boards
from tests.game.search import gumbel_reference as reference


class Whims:
    """A guide with random opinions, which are always the same for the same position."""

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        words = zip(positions.own.tolist(), positions.opponent.tolist(), strict=True)
        numbers = [np.random.default_rng(own + opponent) for own, opponent in words]
        rows = np.stack([rng.normal(size=1 + positions.size**2) for rng in numbers])
        return (2 * rows[:, 1:]).astype(np.float32), np.tanh(rows[:, 0])


def same(positions: Positions, limits: GuidedLimits, noise: NDArray[np.uint64] | None) -> None:
    found = search_many(Whims(), positions, limits, noise)
    wanted = reference.search_many(Whims(), positions, limits, noise)
    np.testing.assert_array_equal(found.solved, wanted.solved)
    np.testing.assert_array_equal(found.moves, wanted.moves)
    np.testing.assert_allclose(found.values, wanted.values, atol=1e-5)
    np.testing.assert_allclose(found.worths, wanted.worths, atol=1e-5)
    np.testing.assert_allclose(found.policies, wanted.policies, atol=1e-4)


class Certain:
    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        return np.zeros((len(positions), positions.size**2), np.float32), np.ones(len(positions))


def test_what_a_guide_is_certain_of_is_not_proven() -> None:
    found = search_many(Certain(), Positions.of([Board.start(6)]), GuidedLimits(8), None)
    assert 0.99 < np.abs(found.worths).max() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize(
    ("size", "simulations", "solve"),
    [(4, 50, 3), (4, 150, 0), (6, 0, 3), (6, 1, 3), (6, 7, 3), (6, 32, 4), (8, 16, 2)],
)
def test_it_finds_what_the_reference_finds(size: int, simulations: int, solve: int, noisy: bool) -> None:
    positions = Positions.of([board for board in random_boards(size, 60) if board.legal_moves][:20])
    noise = seat_seeds(7, np.arange(len(positions)), 1) if noisy else None
    same(positions, GuidedLimits(simulations, considered=6, solve=solve), noise)


class Fixed:
    def __init__(self, **shares: float) -> None:
        self._logits = np.zeros(16, np.float32)
        for square, share in shares.items():
            self._logits[parse_square(square, 4)] = np.log(share)

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        return np.tile(self._logits, (len(positions), 1)), np.zeros(len(positions))


@pytest.mark.slow
def test_on_4x4_it_keeps_the_exact_result_in_every_position() -> None:
    exact = solve_all()
    boards = [board for board in exact if board.legal_moves][::40]
    limits = GuidedLimits(2000, solve=4)
    found = search_many(Fixed(), Positions.of(boards), limits, None)
    for board, move, value, solved in zip(boards, found.moves, found.values, found.solved, strict=True):
        assert np.sign(-exact[board.play(int(move))]) == np.sign(exact[board]), board
        assert not solved or value == np.sign(exact[board])


def test_searches_beside_each_other_do_not_change_each_other() -> None:
    positions = Positions.of([board for board in random_boards(6, 60) if board.legal_moves][:12])
    limits = GuidedLimits(20, solve=4)
    together = search_many(Whims(), positions, limits, None)
    for row in range(len(positions)):
        alone = search_many(Whims(), positions.take(np.array([row])), limits, None)
        assert alone.moves[0] == together.moves[row]
        assert alone.values[0] == together.values[row]


def test_no_positions_are_searched_too() -> None:
    none = Positions.of([Board.start(6)]).take(np.arange(0))
    assert search_many(Whims(), none, GuidedLimits(4), None).policies.shape == (0, 36)


def guided(text: str, simulations: int) -> GuidedPolicy:
    return GuidedPolicy(guide_of(make_evaluator(text, 6), 6), GuidedLimits(simulations))


def test_a_guide_made_of_an_evaluator_prefers_the_moves_that_it_values() -> None:
    board = Board.start(6)
    evaluator = make_evaluator("positional", 6)
    logits, values = guide_of(evaluator, 6).judge(Positions.of([board, board]))
    behind = [-evaluator.values(Positions.of([board.play(move)]))[0] for move in board.legal_moves]
    assert np.argsort(logits[0, list(board.legal_moves)]).tolist() == np.argsort(behind).tolist()
    assert -1.0 < values[0] < 1.0
    assert values[0] == values[1]


def test_such_a_guide_knows_a_game_that_ends_with_the_move() -> None:
    board = Board(6, 0b0001, 0b0110, Colour.BLACK)  # the move to d1 takes the last discs of the other side
    logits, values = ValueGuide(make_evaluator("mobility", 6), 6).judge(Positions.of([board]))
    assert values[0] == pytest.approx(1.0)
    assert logits[0].argmax() == 3


@pytest.mark.parametrize("text", ["positional", "ntuple:pretrained"])
def test_it_plays_near_the_end_without_a_mistake(text: str) -> None:
    player = guided(text, 4)
    for seed in range(5):
        game = Game(played(6, 6, seed).board)
        move = player.choose(game, np.random.default_rng(0))
        values = player.values(game, np.random.default_rng(0))
        assert values is not None
        assert values.unit == EXPECTED_RESULT
        best = values.by_square(game.board.legal_moves)
        assert best[move] == max(best.values())
        assert best[move] in (WON, 0.0, -WON)
