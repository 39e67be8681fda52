"""The players: what all have in common, and how often each chooses what."""

from collections import Counter

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.notation import parse_square
from othello_lab.game.players import make
from othello_lab.game.players.catalogue import BUILT_IN
from tests.game.conformance import check_player

DRAWS = 20_000

# Black to move: a1 and h1 are corners on offer; b4 turns over one disc, c6 one, g7 two.
CORNERS = (
    "-OX--XO-"
    "--------"
    "--------"
    "--OX----"
    "--------"
    "XO------"
    "---XOO--"
    "--------" + " X"
)  # fmt: skip
# Black to move: d1 turns over one disc, d3 and e5 two each, b7 one; there is no corner.
NO_CORNER = (
    "-XO-----"
    "--------"
    "XOO-----"
    "--------"
    "-XOO----"
    "--------"
    "X-------"
    "--------" + " X"
)  # fmt: skip


@pytest.mark.parametrize("size", [4, 6, 8, 10])
@pytest.mark.parametrize(
    "name", sorted(BUILT_IN.keys() - {"engine", "level"})
)  # test_engine.py, test_levels.py
def test_every_player_keeps_the_contract(name: str, size: int) -> None:
    check_player(lambda: make(name, size), size)


def assert_frequencies(text: str, position: str, expected: dict[str, float]) -> None:
    """Compare how often a player chooses each square with its probability: within 4.5 standard errors."""
    board = Board.parse(position)
    player, game, rng = make(text, board.size), Game(board), np.random.default_rng(11)
    drawn = Counter(player.choose(game, rng) for _ in range(DRAWS))
    chances = {parse_square(name, board.size): chance for name, chance in expected.items()}
    assert sum(chances.values()) == pytest.approx(1)
    assert set(drawn) <= set(chances)
    for square, chance in chances.items():
        assert abs(drawn[square] - DRAWS * chance) <= 4.5 * (DRAWS * chance * (1 - chance)) ** 0.5


def test_random_is_uniform() -> None:
    assert_frequencies("random", CORNERS, dict.fromkeys(["a1", "h1", "b4", "c6", "g7"], 1 / 5))


def test_greedy_takes_the_most_discs() -> None:
    assert_frequencies("greedy", CORNERS, {"g7": 1})


def test_greedy_is_uniform_among_equals() -> None:
    assert_frequencies("greedy", NO_CORNER, {"d3": 1 / 2, "e5": 1 / 2})
    assert_frequencies("greedy", str(Board.start(8)), dict.fromkeys(["d3", "c4", "f5", "e6"], 1 / 4))


def test_corner_greedy_takes_a_corner_nine_times_in_ten() -> None:
    other = 0.1 / 5
    expected = dict.fromkeys(["a1", "h1"], 0.45 + other) | dict.fromkeys(["b4", "c6", "g7"], other)
    assert_frequencies("corner-greedy", CORNERS, expected)


def test_corner_greedy_takes_the_first_of_the_most_flips_eight_times_in_ten() -> None:
    other = 0.2 / 3
    assert_frequencies("corner-greedy", NO_CORNER, {"d1": other, "d3": 0.8 + other, "e5": other})


def test_corner_greedy_at_the_start() -> None:
    assert_frequencies("corner-greedy", str(Board.start(8)), {"d3": 0.85, "c4": 0.05, "f5": 0.05, "e6": 0.05})
