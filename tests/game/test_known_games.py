import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.symmetry import SYMMETRIES, transform
from othello_lab.game.transcripts import format_squares, parse_moves

DATA = Path(__file__).parent.parent / "data"


def rows_of(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def levels(size: int) -> Iterator[set[Board]]:
    level = {Board.start(size)}
    while level:
        yield level
        ready = (board.play(PASS) if board.must_pass else board for board in level)
        level = {board.play(move) for board in ready for move in board.legal_moves}


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 8])
def test_numbers_of_distinct_positions(size: int) -> None:
    expected = {
        int(row["placements"]): (int(row["count"]), int(row["terminal"]), int(row["must_pass"]))
        for row in rows_of("unique_positions.csv")
        if row["board"] == str(size) and row["kind"] == "raw" and int(row["count"]) <= 20_000
    }
    for placements, boards in zip(range(len(expected)), levels(size), strict=False):
        over, passing = sum(board.is_over for board in boards), sum(board.must_pass for board in boards)
        assert (len(boards), over, passing) == expected[placements], f"after {placements} placements"


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 8])
def test_numbers_of_distinct_positions_under_symmetry(size: int) -> None:
    for row in rows_of("unique_positions.csv"):
        placements = int(row["placements"])
        if row["board"] != str(size) or row["kind"] != "canon" or placements > 5:
            continue
        boards = next(level for number, level in enumerate(levels(size)) if number == placements)
        smallest = {min(str(transform(board, k)) for k in range(SYMMETRIES)) for board in boards}
        assert len(smallest) == int(row["count"]), f"after {placements} placements"


def optimal_lines() -> list[tuple[int, str, int, int, int]]:
    _, line6, _, line8, _, line4 = (DATA / "optimal_lines.txt").read_text("utf-8").splitlines()
    # The published line stands on the inner 6x6 squares of an 8x8 board.
    moves = [square - 9 for square in parse_moves(line6.replace("(black passes)", ""), 8)]
    inner = format_squares([square // 8 * 6 + square % 8 for square in moves], 6)
    return [(6, inner, 16, 20, 1), (8, line8, 32, 32, 0), (4, line4, 3, 11, 0)]


@pytest.mark.parametrize(("size", "moves", "black", "white", "passes"), optimal_lines())
def test_optimal_lines_end_as_published(size: int, moves: str, black: int, white: int, passes: int) -> None:
    game = Game.from_transcript(moves, size)
    assert game.board.counts() == (black, white)
    assert game.board.is_over
    assert game.moves.count(PASS) == passes
