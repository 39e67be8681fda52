"""The XOT openings, beside the rule by which they were found."""

import numpy as np
import pytest

from othello_lab.game import PASS, Game
from othello_lab.game.openings import openings_of, xot_openings
from othello_lab.game.symmetry import canonical
from scripts.find_xot import DEPTHS, KEPT, PLIES, even, has_no_corner, mixed

LINES = xot_openings()
GAMES = [Game.from_transcript(line) for line in LINES]


def test_they_are_different_positions_after_eight_plies() -> None:
    assert len(LINES) > 8000
    assert {len(game.moves) for game in GAMES} == {PLIES}
    assert not any(PASS in game.moves or game.board.must_pass for game in GAMES)
    assert len(openings_of(GAMES, 8)) == len(LINES)


def test_no_corner_is_taken_or_offered() -> None:
    assert all(map(has_no_corner, LINES))
    assert not has_no_corner("d3c3b3b2f5f4a1d6")
    assert not has_no_corner("d3c3b3b2f5f4")


def test_searches_find_them_even_and_hardly_any_other() -> None:
    """Not all and none: the network that ships may have learnt more since the list was made."""
    known, rng, others = {canonical(game.board) for game in GAMES}, np.random.default_rng(0), list[str]()
    while len(others) < 60:
        game = Game.from_transcript("")
        for _ in range(PLIES):
            game.play(int(rng.choice(game.board.legal_moves)))
        if canonical(game.board) not in known:
            others.append(game.transcript())
    assert len(even(LINES[:60], DEPTHS[0])) > 50
    assert len(even(others, DEPTHS[0])) < 10


def test_the_first_few_are_a_sample() -> None:
    assert list(LINES) == mixed(LINES) == KEPT.read_text("utf-8").split()
    assert xot_openings(5) == LINES[:5]
    assert len({line[4:] for line in xot_openings(30)}) > 25
    with pytest.raises(ValueError, match="there are 8,935 XOT openings, not 10,000"):
        xot_openings(10_000)
