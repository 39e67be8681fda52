"""What an adviser says of every legal move: near the end what an independent minimax finds."""

import csv
from pathlib import Path

import numpy as np
import pytest

from console.advice import Advice, MoveAdvice, advise, is_solvable
from console.opponent import Seat
from console.wording import advice_lines
from game import PASS, Board, Colour, Game
from game.notation import parse_square, square_name
from game.players import make
from game.solver.solver import empties
from tests.game.plain import as_reference
from tests.game.reference import Reference, other

DATA = Path(__file__).parent.parent / "data"


def advice_of(player: str, board: Board) -> Advice:
    return advise(Seat(player, make(player, board.size), np.random.default_rng(0)), Game(board))


def endgames() -> list[tuple[Board, dict[int, int]]]:
    """The positions of the file with the exact score of every move."""
    lines = (DATA / "endgames_exact.csv").read_text("utf-8").splitlines()
    found = []
    for size, _, cells, turn, _, _, moves, _ in csv.reader(line for line in lines[2:]):
        pairs = (pair.split(":") for pair in moves.split())
        scores = {parse_square(name, int(size)): int(score) for name, score in pairs if name != "pass"}
        found.append((Board.parse(f"{cells} {turn}"), scores))
    return found


def near_the_end(size: int, left: int, seed: int) -> Board:
    """A position that random play reaches, with a legal move."""
    rng = np.random.default_rng(seed)
    while True:
        game = Game(Board.start(size))
        while not game.board.is_over and empties(game.board) > left:
            game.play(int(rng.choice([*game.board.legal_moves])) if game.board.legal_moves else PASS)
        if game.board.legal_moves:
            return game.board


def perfect(position: Reference) -> int:
    """The disc difference of perfect play for the side to move, by trying everything."""
    if position.is_over:
        return position.count(position.turn) - position.count(other(position.turn))
    moves: list[int] | list[None] = position.legal(position.turn) or [None]
    return max(-perfect(after(position, move)) for move in moves)


def after(position: Reference, move: int | None) -> Reference:
    copy = Reference([list(row) for row in position.grid], position.turn)
    copy.play(move)
    return copy


def exact(advice: Advice) -> dict[int, int | None]:
    return {move.move: move.exact for move in advice.moves}


@pytest.mark.parametrize("adviser", ["search:depth=1", "random", "greedy"])
def test_reference_endgames_have_the_exact_score_of_every_move_whoever_the_adviser_is(adviser: str) -> None:
    seats = {size: Seat(adviser, make(adviser, size), np.random.default_rng(0)) for size in (6, 8)}
    positions = endgames()
    assert len(positions) == 220
    for board, scores in positions:
        if board.legal_moves:
            advice = advise(seats[board.size], Game(board))
            assert exact(advice) == scores, str(board)
            assert advice.exact


@pytest.mark.parametrize("size", [4, 6, 8, 10, 12, 14, 16])
@pytest.mark.parametrize("seed", range(4))
def test_every_size_has_what_trying_everything_finds(size: int, seed: int) -> None:
    board = near_the_end(size, 6, seed)
    tried = {move: -perfect(after(as_reference(board), move)) for move in board.legal_moves}
    assert exact(advice_of("random", board)) == tried


def test_a_move_that_wipes_the_other_side_out_is_worth_the_discs_that_stand() -> None:
    board = Board.parse("-OX-----O------- X")
    wins = {move.move: move.exact for move in advice_of("random", board).moves}
    assert wins[0] == -perfect(after(as_reference(board), 0))


@pytest.mark.parametrize(("size", "left"), [(4, 12), (6, 14), (8, 12), (8, 14), (10, 12), (16, 12)])
def test_lines_are_legal_and_end_in_the_score(size: int, left: int) -> None:
    advice = advice_of("positional", near_the_end(size, left, 1))
    for move in advice.moves:
        game = Game(advice.board)
        for played in move.line:  # legal, else this raises
            game.play(played)
        outcome = game.board.outcome()
        assert outcome
        sign = 1 if advice.board.turn is Colour.BLACK else -1
        assert move.line[0] == move.move
        assert sign * outcome.disc_diff == move.exact


def test_the_exact_scores_are_printed_for_every_move() -> None:
    for board, scores in endgames()[::11]:
        if not board.legal_moves:
            continue
        lines = " ".join(advice_lines(advice_of("search:time=1", board)))
        said = lines.removeprefix("best: ").partition("(for you, discs at the end, exactly)")[0]
        pairs = (pair.split() for pair in said.split(","))
        assert {name: int(score) for name, score in pairs} == {
            square_name(move, board.size): score for move, score in scores.items()
        }


def test_an_adviser_with_values_of_its_own_says_them_beside_the_exact_ones() -> None:
    board = near_the_end(8, 12, 5)
    advice = advice_of("greedy", board)
    turned = {
        move: board.opponent.bit_count() - board.play(move).own.bit_count() for move in board.legal_moves
    }
    assert {move.move: move.value for move in advice.moves} == turned
    said = " ".join("\n".join(advice_lines(advice)).split())
    assert f"own: {square_name(advice.moves[0].move, 8)} {advice.moves[0].own_text}, " in said
    assert "(discs turned over; greedy) line: " in said


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
    # Every first move is like every other.
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
    assert is_solvable(near_the_end(size, left, 0)) is solved
