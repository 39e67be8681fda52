"""Counts of move paths against published and independently computed ones (tests/data/perft.csv, mode 1).

OTHELLO_PERFT_SECONDS says how long the counting may be expected to take: 2 by default, 60 for all of 8x8 to
depth 12. What is deeper than that is skipped.
"""

import csv
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.perft import command
from othello_lab.game import Board
from othello_lab.game.kernels.bitboard import SIZES
from othello_lab.game.notation import square_name
from othello_lab.game.openings import perft
from tests.game.reference import Reference

DATA = Path(__file__).parent.parent / "data"
LEAVES_A_SECOND = 40_000_000
"""A cautious guess, only to choose the depth."""
SECONDS = float(os.environ.get("OTHELLO_PERFT_SECONDS", "2"))


def known_counts() -> list[tuple[int, int, int]]:
    lines = (DATA / "perft.csv").read_text("utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    counts = [(int(row["board"]), int(row["depth"]), int(row["mode1_total"])) for row in rows]
    return [row for row in counts if row[2] < SECONDS * LEAVES_A_SECOND]


def divide(board: Board, depth: int) -> dict[int, int]:
    """Count the paths behind each legal move: what to compare when a perft is wrong."""
    return {move: perft(board.play(move), depth - 1) for move in board.legal_moves}


def check(size: int, depth: int, expected: int) -> None:
    board = Board.start(size)
    found = perft(board, depth)
    if found != expected:
        table = [f"{square_name(move, size)}: {paths}" for move, paths in divide(board, depth).items()]
        pytest.fail(f"perft of {size}x{size} to depth {depth}: {found}, not {expected}\n" + "\n".join(table))


@pytest.mark.parametrize(("size", "depth", "expected"), known_counts())
def test_known_count(size: int, depth: int, expected: int) -> None:
    check(size, depth, expected)


@pytest.mark.parametrize("size", SIZES)
def test_count_of_every_size_agrees_with_the_reference(size: int) -> None:
    check(size, 4, Reference.start(size).perft(4))


def test_the_4x4_counts_are_there_to_the_end_of_the_longest_game() -> None:
    assert [depth for size, depth, _ in known_counts() if size == 4] == list(range(1, 21))


def test_divide_adds_up_over_the_legal_moves() -> None:
    board = Board.start(6)
    table = divide(board, 5)
    assert set(table) == set(board.legal_moves)
    assert sum(table.values()) == perft(board, 5)


def test_a_mismatch_prints_the_count_behind_each_move() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"12, not 13\nb1: 3\na2: 3\nd3: 3\nc4: 3"):
        check(4, 2, 13)


def test_command_prints_the_count() -> None:
    result = CliRunner().invoke(command, ["--size", "6", "--depth", "7"])
    assert result.output == "47740\n"


@pytest.mark.parametrize(("option", "value"), [("--size", "7"), ("--size", "2"), ("--depth", "-1")])
def test_command_names_a_wrong_option(option: str, value: str) -> None:
    result = CliRunner().invoke(command, [option, value])
    assert result.exit_code == 2
    assert option in result.output
