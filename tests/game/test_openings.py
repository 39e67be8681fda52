"""Perft against published and independent counts (tests/data/perft.csv, mode 1), and openings.

OTHELLO_PERFT_SECONDS sets the expected time of the counts: 2 by default, 60 for 8x8 to depth 12.
"""

import os
from collections.abc import Iterator
from itertools import combinations

import pytest
from click.testing import CliRunner

from othello_lab.commands.perft import command
from othello_lab.game import Board, Game, IllegalMoveError
from othello_lab.game.game import replay
from othello_lab.game.notation import PASS, SIZES
from othello_lab.game.openings import (
    digest,
    find_name,
    lines_of_names,
    names_along,
    opening_name,
    openings,
    openings_of,
    perft,
    standard_openings,
)
from othello_lab.game.symmetry import SYMMETRIES, canonical, permutations, transform
from othello_lab.game.transcripts import format_squares
from tests.game.recorded import finish
from tests.game.reference import Reference
from tests.game.test_known_games import rows_of

LEAVES_A_SECOND = 40_000_000  # A cautious guess, which only determines the depth.
SECONDS = float(os.environ.get("OTHELLO_PERFT_SECONDS", "2"))


def known_counts() -> list[tuple[int, int, int]]:
    rows = rows_of("perft.csv")
    counts = [(int(row["board"]), int(row["depth"]), int(row["mode1_total"])) for row in rows]
    return [row for row in counts if row[2] < SECONDS * LEAVES_A_SECOND]


@pytest.mark.parametrize(("size", "depth", "expected"), known_counts())
def test_perft_gives_the_known_count(size: int, depth: int, expected: int) -> None:
    assert perft(Board.start(size), depth) == expected


@pytest.mark.parametrize("size", SIZES)
def test_perft_of_every_size_agrees_with_the_reference(size: int) -> None:
    assert perft(Board.start(size), 4) == Reference.start(size).perft(4)


def test_the_4x4_counts_are_there_to_the_end_of_the_longest_game() -> None:
    assert [depth for size, depth, _ in known_counts() if size == 4] == list(range(1, 21))


def test_the_perft_command_prints_the_count() -> None:
    result = CliRunner().invoke(command, ["--size", "6", "--depth", "7"])
    assert result.output == "47740\n"


def test_openings_are_the_236_of_the_table() -> None:
    games = openings(8)
    assert len(games) == 236
    assert {str(game.board) for game in games} == {
        f"{row['board']} {row['to_move']}" for row in rows_of("openings_8x8_4ply_236.csv")
    }


def test_every_opening_is_a_game_that_leads_to_its_position() -> None:
    for game in openings(6, plies=3):
        assert len(game.moves) == 3
        assert Game.from_transcript(game.transcript(), 6).board == game.board


def test_openings_come_in_a_fixed_order() -> None:
    assert [game.transcript() for game in openings(8, plies=1)] == ["d3", "c4", "f5", "e6"]


def test_a_selection_of_openings_is_spread_over_all() -> None:
    everything = standard_openings(8)
    assert len(everything) == 236
    assert standard_openings(8, 4) == tuple(everything[place] for place in (0, 59, 118, 177))
    with pytest.raises(ValueError, match="there are 236 openings on 8x8, not 237"):
        standard_openings(8, 237)


def test_openings_leave_out_lines_that_end_or_pass() -> None:
    # 120 positions after four placements on 4x4; in four of them a side must pass.
    assert len(openings(4)) == 116


def games(*lines: str) -> list[Game]:
    return [Game.from_transcript(line) for line in lines]


def test_the_most_frequent_positions_come_first() -> None:
    played = games("f5d6c3d3", "f5f6e6f4", "f5f6e6f4e3", "f5d6c5f4", "f5f6e6d6")
    assert openings_of(played, 8, 4) == ("f5f6e6f4", "f5d6c3d3", "f5d6c5f4")
    assert openings_of(played, 8, 4, 2) == ("f5f6e6f4", "f5d6c3d3")
    assert openings_of(played, 8, 5) == ("f5f6e6f4e3",)


def test_after_no_plies_there_is_the_standard_start() -> None:
    played = games("f5d6", "c4c3", "d3c5")
    assert openings_of(played, 8, 0) == openings_of(played, 8, 0, 3) == ("",) == standard_openings(8, 0)
    assert openings_of([Game(Board.start(8))], 8, 0) == ("",)
    assert openings_of([Game(Game.from_transcript("f5").board)], 8, 0) == openings_of(played, 6, 0) == ()


def test_positions_alike_by_symmetry_or_by_another_order_are_one() -> None:
    assert openings_of(games("f5f6e6f4", "f5f6e6d6"), 8, 4) == ("f5f6e6f4",)
    assert openings_of(games("f5d6", "c4e3", "d3c5", "e6f4", "f5f6"), 8, 2) == ("f5d6", "f5f6")
    board = Game.from_transcript("f5d6c3d3").board
    assert {canonical(transform(board, k)) for k in range(SYMMETRIES)} == {canonical(board)}


def test_whole_lines_stay_in_their_order() -> None:
    assert openings_of(games("f5f6e6f4", "f5d6", "f5f6e6f4", "c4c5e6"), 8) == ("f5f6e6f4", "f5d6", "c4c5e6")


def test_lines_that_no_match_can_begin_with_are_left_out() -> None:
    over, small = finish(Game(Board.start(8))), Game.from_transcript("b1a1", 4)
    elsewhere = Game(Game.from_transcript("f5").board)
    elsewhere.play(next(iter(elsewhere.board.legal_moves)))
    unmoved = Game(Board.start(8))
    with_pass = Game.from_transcript("f5f6e6f4e3c5g5g3g4")
    assert openings_of([over, small, elsewhere, unmoved, with_pass], 8) == (with_pass.transcript(),)
    assert openings_of([small], 4, 2) == ("b1a1",)
    assert openings_of([over], 8, len(over.moves)) == ()


@pytest.mark.parametrize("other", [["f5", "d3"], ["d3"], ["d3", "f5", ""], ["d3f5"]])
def test_the_digest_tells_openings_apart(other: list[str]) -> None:
    assert digest(["d3", "f5"]) == digest(("d3", "f5")) != digest(other)


START = Board.start(8)
KEEP_THE_START = [k for k in range(SYMMETRIES) if transform(START, k) == START]


@pytest.mark.parametrize(("name", "line"), lines_of_names().items())
def test_each_line_is_legal_and_leads_to_its_name(name: str, line: str) -> None:
    game = Game.from_transcript(line)
    assert line.startswith("f5")
    assert PASS not in game.moves
    assert opening_name(game) == names_along(game)[len(game.moves)] == name


def test_no_position_has_two_names() -> None:
    boards = {canonical(Game.from_transcript(line).board) for line in lines_of_names().values()}
    assert len(boards) == len(lines_of_names()) > 70


def transpositions() -> Iterator[tuple[str, list[int]]]:
    for name, line in lines_of_names().items():
        game = Game.from_transcript(line)
        for i, j in combinations(range(len(game.moves)), 2):
            moves = game.moves.copy()
            moves[i], moves[j] = moves[j], moves[i]
            try:
                if replay(START, moves).board == game.board:
                    yield name, moves
            except IllegalMoveError:
                continue


def test_names_are_found_in_another_order_of_moves() -> None:
    found = list(transpositions())
    assert len({name for name, _ in found}) > 20
    for name, moves in found:
        assert opening_name(replay(START, moves)) == name


def test_names_are_found_under_the_symmetries_that_keep_the_start() -> None:
    assert len(KEEP_THE_START) == 4
    for name, line in lines_of_names().items():
        for k in KEEP_THE_START:
            moves = permutations(8)[k][Game.from_transcript(line).moves].tolist()
            assert opening_name(replay(START, moves)) == name, format_squares(moves, 8)


def test_the_longest_line_names_a_game_for_good() -> None:
    tiger = Game.from_transcript("f5d6c3d3c4f4c5b3c2")
    assert names_along(tiger) == {2: "Perpendicular", 5: "Tiger", 9: "Rose-Bill"}
    assert opening_name(finish(tiger)) == "Rose-Bill"
    assert opening_name(Game.from_transcript("f5d6c3")) == "Perpendicular"


def test_a_game_without_a_known_opening_has_no_name() -> None:
    assert opening_name(Game(START)) == opening_name(Game.from_transcript("f5")) == ""
    assert names_along(Game.from_transcript("b1a1", 4)) == names_along(Game(Board.start(10))) == {}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("tiger", "Tiger"), ("ROSE", "Rose"), ("brightw", "Brightwell"), ("fat draw", "F.A.T. Draw")],
)
def test_a_name_is_found_by_a_part_of_it(typed: str, name: str) -> None:
    assert find_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("buff", "part of several names: Buffalo, Hokuriku Buffalo, Maruoka Buffalo, Tanida Buffalo"),
        ("tigr", "no opening is called 'tigr': near are Tiger, "),
        ("12", "no opening is called '12': such as Tiger, "),
        ("", "no opening is called ''"),
    ],
)
def test_another_name_is_told_what_is_near(typed: str, answers: str) -> None:
    with pytest.raises(ValueError, match=answers):
        find_name(typed)
