import numpy as np
import pytest

from othello_lab.console.advice import Advice, MoveAdvice, advise, is_solvable
from othello_lab.console.seat import Seat
from othello_lab.console.wording import advice_lines
from othello_lab.game import Board, Colour, Game
from othello_lab.game.catalogue import make
from othello_lab.game.notation import square_name
from tests.game.sampling import endgames, exact_scores, played

pytestmark = pytest.mark.slow


def advice_of(player: str, board: Board) -> Advice:
    return advise(Seat(player, make(player, board.size), np.random.default_rng(0)), Game(board))


def exact(advice: Advice) -> dict[int, int | None]:
    return {move.move: move.exact for move in advice.moves}


@pytest.mark.parametrize(("adviser", "every"), [("search:depth=1", 5), ("random", 1)])
def test_reference_endgames_have_exact_scores_whoever_the_adviser_is(adviser: str, every: int) -> None:
    seats = {size: Seat(adviser, make(adviser, size), np.random.default_rng(0)) for size in (6, 8)}
    positions = endgames()
    assert len(positions) == 220
    for board, scores in positions[::every]:
        if board.legal_moves:
            advice = advise(seats[board.size], Game(board))
            assert exact(advice) == scores, str(board)
            assert advice.exact


@pytest.mark.parametrize("size", [4, 6, 8])
def test_every_size_has_what_trying_everything_finds(size: int) -> None:
    wiping_out = [Board.parse("-OX-----O------- X")] * (size == 4)
    for board in (played(size, 6, 0).board, played(size, 6, 1).board, *wiping_out):
        assert exact(advice_of("random", board)) == exact_scores(board)


@pytest.mark.parametrize(("size", "left"), [(4, 12), (6, 12), (8, 12)])
def test_lines_are_legal_and_end_in_the_score(size: int, left: int) -> None:
    advice = advice_of("positional", played(size, left, 1).board)
    for move in advice.moves:
        game = Game(advice.board)
        for square in move.line:  # legal, else this raises
            game.play(square)
        outcome = game.board.outcome()
        assert outcome
        sign = 1 if advice.board.turn is Colour.BLACK else -1
        assert move.line[0] == move.move
        assert sign * outcome.disc_diff == move.exact


def test_the_exact_scores_are_printed_for_every_move() -> None:
    for board, scores in endgames()[::30]:
        if not board.legal_moves:
            continue
        lines = " ".join(advice_lines(advice_of("search:time=1", board)))
        output = lines.removeprefix("best: ").partition("(for you, discs at the end, exactly)")[0]
        pairs = (pair.split() for pair in output.split(","))
        assert {name: int(score) for name, score in pairs} == {
            square_name(move, board.size): score for move, score in scores.items()
        }


def test_far_from_the_end_a_search_has_values_lines_and_its_depth() -> None:
    advice = advice_of("search:depth=3", Game.from_transcript("f5d6c3d3c4f4f6").board)
    assert advice.depth == 3
    assert not advice.exact
    assert set(advice.by_square) == set(advice.board.legal_moves)
    assert all(len(move.line) > 1 for move in advice.moves)
    assert [move.worth for move in advice.moves] == sorted(
        (move.worth for move in advice.moves), reverse=True
    )
    assert all(len(line) <= 80 for line in advice_lines(advice))


def test_a_player_that_only_chooses_gives_its_choice() -> None:
    advice = advice_of("random", Board.start(8))
    (only,) = advice.moves
    assert only.text == ""
    assert advice_lines(advice) == [f"random would play {square_name(only.move, 8)}"]


def test_the_best_moves_and_the_shades_between_worst_and_best() -> None:
    advice = advice_of("greedy", Board.start(8))
    assert advice.best == tuple(Board.start(8).legal_moves)
    assert {move.shade for move in advice.moves} == {1.0}
    board, scores = endgames()[0]
    advice = advice_of("search:time=1", board)
    assert advice.best == tuple(move for move, score in scores.items() if score == max(scores.values()))
    low, high = min(scores.values()), max(scores.values())
    assert {move.move: move.shade for move in advice.moves} == {
        move: (score - low) / (high - low) for move, score in scores.items()
    }


def test_a_sure_win_comes_before_what_nobody_knows_and_a_sure_loss_after_it() -> None:
    won, unsure, lost = MoveAdvice(1, exact=2), MoveAdvice(2, value=55.0), MoveAdvice(3, value=-1e9)
    assert won.worth > unsure.worth > lost.worth
    assert [move.text for move in (won, unsure, lost)] == ["+2", "+55", "lost"]


@pytest.mark.parametrize(
    ("size", "left", "solved"), [(8, 14, True), (8, 15, False), (10, 12, True), (10, 13, False)]
)
def test_how_near_the_end_is_near_enough(size: int, left: int, solved: bool) -> None:
    assert is_solvable(played(size, left, 0).board) is solved
