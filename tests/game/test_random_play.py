"""Statistics of random play against two million games of an independent program (tests/data)."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from game.batch import RandomGames, random_games
from game.bitboard import SIZES

STATS = Path(__file__).parent.parent / "data" / "random_play_stats.txt"
REFERENCE_GAMES = 2_000_000


def reference(size: int) -> dict[str, float]:
    """Return the known mean of each figure."""
    text = STATS.read_text("utf-8")
    section = text[text.index(f"N={size} games={REFERENCE_GAMES}") :]
    patterns = {
        "black": r"black ([0-9.]+) \(se",
        "white": r"white ([0-9.]+) draw",
        "draw": r"draw ([0-9.]+)",
        "disc difference": r"mean disc diff B-W (-?[0-9.]+)",
        "placements": r"placements/game ([0-9.]+)",
        "passes": r"passes/game ([0-9.]+)",
        "games with a pass": r"games with >=1 pass ([0-9.]+)",
    }
    found = {name: re.search(pattern, section) for name, pattern in patterns.items()}
    return {name: float(match[1]) for name, match in found.items() if match}


def figures(games: RandomGames) -> dict[str, NDArray[np.float64]]:
    """Return each figure, game by game."""
    difference = games.black - games.white
    columns = {
        "black": difference > 0,
        "white": difference < 0,
        "draw": difference == 0,
        "disc difference": difference,
        "placements": games.placements,
        "passes": games.passes,
        "games with a pass": games.passes > 0,
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}


@pytest.mark.parametrize(("size", "count"), [(8, 100_000), (6, 20_000), (4, 20_000)])
def test_random_play_has_the_known_statistics(size: int, count: int) -> None:
    expected = reference(size)
    found = figures(random_games(size, count, seed=1))
    assert set(expected) == set(found)
    for name, values in found.items():
        combined = values.std() * (1 / count + 1 / REFERENCE_GAMES) ** 0.5
        assert abs(values.mean() - expected[name]) < 4 * combined, name


@pytest.mark.parametrize("size", SIZES)
def test_every_size_plays_to_the_end(size: int) -> None:
    games = random_games(size, 50, seed=2)
    assert (games.black + games.white == games.placements + 4).all()
    assert games.placements.max() == size * size - 4


def test_the_seed_decides_the_games() -> None:
    def discs(seed: int) -> list[int]:
        return [int(count) for count in random_games(8, 100, seed).black]

    assert discs(3) == discs(3)
    assert discs(3) != discs(4)


def test_more_games_begin_with_the_same_games() -> None:
    assert random_games(6, 20, seed=5).black.tolist() == random_games(6, 50, seed=5).black.tolist()[:20]


def test_a_size_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="even, from 4 to 16"):
        random_games(5, 1, seed=0)
