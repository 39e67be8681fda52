"""Statistics of random play against two million games of an independent program (tests/data).

OTHELLO_RANDOM_GAMES says how many games of each size to play: 100,000 by default, 2000000 for a test as sharp
as the reference itself (a few seconds a size on one core).
"""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import Board
from othello_lab.game.batch.positions import Playouts, play_out, random_games, repeated
from othello_lab.game.notation import SIZES
from tests.cases import cases
from tests.game import sampling

pytestmark = pytest.mark.slow

STATS = Path(__file__).parent.parent / "data" / "random_play_stats.txt"
REFERENCE_GAMES = 2_000_000
GAMES = int(os.environ.get("OTHELLO_RANDOM_GAMES", "100000"))
FIGURES = cases("random_play_figures")
"""The name of each figure, its name in an analysis, and how it is written in the file."""
PATTERNS = {name: pattern for name, _, pattern in FIGURES}


def section(size: int) -> str:
    text = STATS.read_text("utf-8")
    return text[text.index(f"N={size} games={REFERENCE_GAMES}") :]


def reference(size: int) -> dict[str, tuple[float, float]]:
    """Return the known value of each figure, and half a unit of its last printed digit."""
    found = {name: re.search(pattern, section(size)) for name, pattern in PATTERNS.items()}
    texts = {name: match[1] for name, match in found.items() if match}
    return {name: (float(text), 0.5 * 10.0 ** -len(text.partition(".")[2])) for name, text in texts.items()}


def figures(games: Playouts, size: int) -> dict[str, tuple[float, float]]:
    """Return each figure and the standard error of one game."""
    difference, discs, passes = games.disc_diff, games.discs, games.passes
    by_game = {
        "black": difference > 0,
        "white": difference < 0,
        "draw": difference == 0,
        "disc difference": difference,
        "black discs": discs[:, 0],
        "white discs": discs[:, 1],
        "placements": games.placements.sum(axis=1),
        "passes": passes.sum(axis=1),
        "black passes": passes[:, 0],
        "white passes": passes[:, 1],
        "games with a pass": passes.any(axis=1),
        "games that end with empty squares": discs.sum(axis=1) < size * size,
        "wipeouts": (discs == 0).any(axis=1),
    }
    placements = games.placements
    by_decision = {
        "choices": ratio(games.choices.sum(axis=1), placements.sum(axis=1)),
        "black choices": ratio(games.choices[:, 0], placements[:, 0]),
        "white choices": ratio(games.choices[:, 1], placements[:, 1]),
        "forced": ratio(games.forced.sum(axis=1), placements.sum(axis=1)),
    }
    return {
        name: (float(column.mean()), float(column.std())) for name, column in by_game.items()
    } | by_decision


def ratio(above: NDArray[np.integer], below: NDArray[np.integer]) -> tuple[float, float]:
    """Return a ratio of two sums over games, and the standard error that it has from one game."""
    value = float(above.sum() / below.sum())
    return value, float((above - value * below).std() / below.mean())


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_play_has_the_known_statistics(size: int) -> None:
    expected = reference(size)
    found = figures(random_games(size, GAMES, seed=1, threads=2), size)
    assert set(expected) == set(found) == set(PATTERNS)
    for name, (value, spread) in found.items():
        known, rounding = expected[name]
        combined = spread * (1 / GAMES + 1 / REFERENCE_GAMES) ** 0.5
        assert abs(value - known) < 4 * combined + rounding, name


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
    games = random_games(size, 50, seed=2)
    placements = games.placements.sum(axis=1)
    assert (games.discs.sum(axis=1) == placements + 4).all()
    assert placements.max() == size * size - 4


@pytest.mark.parametrize("size", [6, 10])
def test_the_number_of_threads_does_not_change_the_games(size: int) -> None:
    one, three = (random_games(size, 101, seed=3, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.discs, three.discs)
    assert np.array_equal(one.choices, three.choices)


def test_the_seed_decides_the_games_and_more_games_begin_with_the_same() -> None:
    few, many, others = (random_games(6, count, seed).discs for count, seed in ((20, 5), (50, 5), (20, 6)))
    assert np.array_equal(few, many[:20])
    assert not np.array_equal(few, others)


def test_a_playout_begins_at_its_position_and_counts_from_the_side_to_move() -> None:
    # White has to pass, then black's only move ends the game.
    board = Board.parse("XXXXXXXXXXXXXXO- O")
    played = play_out(repeated(board, 3), seed=0)
    assert played.discs.tolist() == [[0, 16]] * 3
    assert played.placements.tolist() == [[0, 1]] * 3
    assert played.passes.tolist() == [[1, 0]] * 3
    assert played.forced.tolist() == played.choices.tolist() == [[0, 1]] * 3


def test_a_finished_position_is_its_own_end() -> None:
    played = play_out(repeated(Board.parse("XXXXXXXXXXXX---- O"), 2), seed=0)
    assert played.discs.tolist() == [[0, 12]] * 2
    assert not played.placements.any()
    assert not played.passes.any()
