"""Random play against two million games of an independent program (tests/data).

OTHELLO_RANDOM_GAMES sets the number of games of each size, 100,000 by default. With 2000000, the test is as
sharp as the reference and takes a few seconds for each size on one core.
"""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.batch import play_out, repeated
from othello_lab.game.notation import SIZES
from tests.cases import cases
from tests.game import sampling

pytestmark = pytest.mark.slow

STATS = Path(__file__).parent.parent / "data" / "random_play_stats.txt"
REFERENCE_GAMES = 2_000_000
GAMES = int(os.environ.get("OTHELLO_RANDOM_GAMES", "100000"))
# The name of each figure, its name in an analysis, and its format in the file.
FIGURES = cases("random_play_figures")
PATTERNS = {name: pattern for name, _, pattern in FIGURES}


def section(size: int) -> str:
    text = STATS.read_text("utf-8")
    return text[text.index(f"N={size} games={REFERENCE_GAMES}") :]


def reference(size: int) -> dict[str, tuple[float, float]]:
    """Return the known value of each figure, and half a unit of its last printed digit."""
    found = {name: re.search(pattern, section(size)) for name, pattern in PATTERNS.items()}
    texts = {name: match[1] for name, match in found.items() if match}
    return {name: (float(text), 0.5 * 10.0 ** -len(text.partition(".")[2])) for name, text in texts.items()}


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_play_has_the_known_statistics(size: int) -> None:
    discs = play_out(repeated(Board.start(size), GAMES), seed=1)
    difference = discs[:, 0] - discs[:, 1]
    columns = {
        "black": difference > 0,
        "white": difference < 0,
        "draw": difference == 0,
        "disc difference": difference,
        "black discs": discs[:, 0],
        "white discs": discs[:, 1],
        "games that end with empty squares": discs.sum(axis=1) < size * size,
        "wipeouts": (discs == 0).any(axis=1),
    }
    expected = reference(size)
    for name, column in columns.items():
        known, rounding = expected[name]
        combined = float(column.std()) * (1 / GAMES + 1 / REFERENCE_GAMES) ** 0.5
        assert abs(column.mean() - known) < 4 * combined + rounding, name


@pytest.mark.parametrize("size", [4, 6, 8])
def test_games_have_the_known_mean_of_legal_moves_at_each_placement(size: int) -> None:
    line = re.search(r"mean legal moves by placement index: (.*)", section(size))
    assert line
    expected = [float(word.partition(":")[2]) for word in line[1].split()]
    boards = [board for game in sampling.random_games(size, 1_000, seed=1) for board in game.boards]
    choices = np.array(
        [(sum(board.counts()), len(board.legal_moves)) for board in boards if board.legal_moves]
    )
    for placement, known in enumerate(expected):
        sample = choices[choices[:, 0] == placement + 4, 1]
        assert abs(sample.mean() - known) <= 4 * sample.std() / len(sample) ** 0.5 + 0.0005, placement


@pytest.mark.parametrize("size", SIZES)
def test_every_size_plays_to_the_end(size: int) -> None:
    discs = play_out(repeated(Board.start(size), 50), seed=2).sum(axis=1)
    assert 0.9 * size * size < discs.mean() <= discs.max() == size * size


def test_the_seed_decides_the_games_and_more_games_begin_with_the_same() -> None:
    start = Board.start(6)
    few, many, others = (
        play_out(repeated(start, count), seed) for count, seed in ((20, 5), (50, 5), (20, 6))
    )
    assert np.array_equal(few, many[:20])
    assert not np.array_equal(few, others)


def test_a_playout_begins_at_its_position_and_counts_from_the_side_to_move() -> None:
    # White has to pass, then black's only move ends the game.
    assert play_out(repeated(Board.parse("XXXXXXXXXXXXXXO- O"), 3), seed=0).tolist() == [[0, 16]] * 3


def test_a_finished_position_is_its_own_end() -> None:
    assert play_out(repeated(Board.parse("XXXXXXXXXXXX---- O"), 2), seed=0).tolist() == [[0, 12]] * 2
