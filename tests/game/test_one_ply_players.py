"""The players of one ply and those that search, as registry texts: what they choose, and what they take."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.players import command as players
from othello_lab.game import Board, Game
from othello_lab.game.notation import square_name
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.catalogue import BUILT_IN, is_built_in
from tests.game.conformance import check_player
from tests.game.test_players import CORNERS, assert_frequencies

EMPTY = "-" * 8
START = str(Board.start(8))
FIXED = ["positional", "mobility", "weights:swh", "weights:heur", "weights:bench,fade=1", "piece-values"]


def choices(text: str, position: str) -> set[str]:
    """Return the names of the squares that a player chooses, in many tries."""
    board = Board.parse(position)
    player, game, rng = make(text, board.size), Game(board), np.random.default_rng(5)
    return {square_name(player.choose(game, rng), board.size) for _ in range(100)}


def test_corner_or_random() -> None:
    assert_frequencies("corner-or-random", CORNERS, {"a1": 1 / 2, "h1": 1 / 2})
    assert_frequencies(
        "corner-or-random", str(Board.start(8)), dict.fromkeys(["d3", "c4", "f5", "e6"], 1 / 4)
    )


def test_equal_moves_are_equally_likely() -> None:
    assert_frequencies("positional", START, dict.fromkeys(["d3", "c4", "f5", "e6"], 1 / 4))


# Black takes the X-square g2 with five discs, or h5, on the edge, with one.
EDGE = EMPTY + "XOOOOO--" + EMPTY * 2 + "-----XO-" + EMPTY * 3 + " X"


@pytest.mark.parametrize("text", ["positional", "weights:swh", "weights:heur", "piece-values"])
def test_squares_count_more_than_discs(text: str) -> None:
    expected = "g2" if text == "piece-values" else "h5"
    assert choices(text, EDGE) == {expected}


def test_mobility_leaves_the_opponent_few_moves() -> None:
    """After h5 white has no move; after g2 it has e5."""
    assert choices("mobility", EDGE) == {"h5"}


def test_piece_values_counts_its_own_discs_only() -> None:
    """a1 brings 4 and one disc of 1, f6 brings 1 and three: as a difference the discs turned count twice."""
    board = EMPTY + "-O------" + "--X-----" + EMPTY * 2 + "-XOOO---" + EMPTY * 2 + " X"
    assert choices("piece-values", board) == {"a1"}
    assert choices("alphabeta:depth=1,eval=piece-values", board) == {"f6"}


@pytest.mark.parametrize("text", [name for name in BUILT_IN if name != "engine"])
def test_the_only_move_is_played(text: str) -> None:
    assert choices(text, "-OX-----" + EMPTY * 7 + " X") == {"a1"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("positional", "g2"), ("mobility", "g2"), ("alphabeta:depth=1,eval=weights:swh", "g2")),
        *(("weights:swh", "a1"), ("weights:heur", "a1"), ("piece-values", "g2")),
    ],
)
def test_who_takes_a_won_game_for_more_than_a_corner(text: str, expected: str) -> None:
    """Black takes all of white with g2, an X-square, or the corner a1; 4/2/1 likes the discs of g2."""
    assert choices(text, EMPTY + "XOOOOO--" + "--X-----" + EMPTY * 5 + " X") == {expected}


@pytest.mark.parametrize("size", [12, 16])
@pytest.mark.parametrize(
    "text", [*FIXED, "corner-or-random", "alphabeta:depth=1", "negascout-sorted:depth=2"]
)
def test_large_boards(text: str, size: int) -> None:
    check_player(lambda: make(text, size), size)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("alphabeta:depth=0", "alphabeta: depth is '0', expected a whole number from 1 to 60"),
        ("alphabeta:depth=four", "alphabeta: depth is 'four', expected a whole number from 1 to 60"),
        ("alphabeta:deep=4", "alphabeta has no option 'deep'; did you mean depth?"),
        (
            "alphabeta:eval=best",
            "no evaluator 'best'; there are: positional, mobility, weights, piece-values",
        ),
        ("alphabeta:eval=[weights:swh,fade=7]", "fade is '7'"),
        ("alphabet", "no player 'alphabet'; did you mean alphabeta or "),
        ("mobility:depth=4", "mobility has no option 'depth'; its options: none"),
        ("weights:missing.txt", r"cannot read 'missing.txt': .*; say a file or one of swh, heur, bench"),
    ],
)
def test_wrong_texts_are_answered_with_what_there_is(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


@pytest.mark.parametrize(
    "text",
    [
        *("positional", "weights", "weights:swh", "weights:bench,fade=1", "piece-values", "corner-or-random"),
        *("minimax", "alphabeta:depth=6,eval=positional", "negascout:eval=[weights:heur,fade=1]"),
    ],
)
def test_what_opens_no_file_and_thinks_briefly_is_allowed_over_the_wire(text: str) -> None:
    assert is_built_in(text, 8)
    make(text, 8)


@pytest.mark.parametrize(
    "text",
    [
        *("weights:FILE", "alphabeta:eval=weights:FILE", "alphabeta:eval=[weights:FILE,fade=1]"),
        *("minimax:depth=7", "alphabeta:depth=7,eval=mobility", "alphabeta:eval=stranger", "alphabeta:x"),
    ],
)
def test_files_strangers_and_deep_searches_are_not(text: str) -> None:
    assert not is_built_in(text, 8)


def test_a_file_of_weights_as_a_player(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(str([[0] * 8] * 4 + [[0] * 7 + [9]] + [[0] * 8] * 3), "utf-8")
    for text in (f"weights:{file}", f"alphabeta:depth=1,eval=weights:{file}"):
        assert choices(text, EDGE) == {"h5"}


def test_othello_players_lists_every_name_and_option() -> None:
    listed = CliRunner().invoke(players).output
    for name, entry in BUILT_IN.items():
        assert f"  {name}" in listed
        assert entry.line in listed
        assert all(f"{key}=" in listed for key in entry.options)
    assert "dqn" in listed
