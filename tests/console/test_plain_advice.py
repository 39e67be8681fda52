"""Hints and reviews as lines."""

import re

from tests.console.test_play import OPTIMAL, play, squares


def test_a_hint_of_a_player_that_values_moves_has_their_values() -> None:
    output = play(["random", "--size", "8", "--hint", "greedy"], ["hint", "quit"]).output
    assert "best: d3 +1, c4 +1, f5 +1, e6 +1   (for you, discs turned over; greedy)\n" in output


def test_a_hint_near_the_end_is_exact_whoever_gives_it() -> None:
    output = play(["random", "--hint", "greedy"], ["hint", "quit"]).output
    assert "best: b1 -8, a2 -8, d3 -8, c4 -8   (for you, discs at the end, exactly)\n" in output
    assert "own: b1 +1, a2 +1, d3 +1, c4 +1   (discs turned over; greedy)\n" in output
    assert re.search(r"\nline: b1( \w\d){7} \.\.\.\n", output)


def test_a_hint_of_a_search_has_values_and_a_line() -> None:
    ahead = play(["random", "--size", "8", "--hint", "search:depth=3"], ["hint", "quit"]).output
    one_line = " ".join(ahead.split())
    assert re.search(
        r"best: (\w\d \d+ %, ){3}\w\d \d+ % \(for you, 3 plies ahead, in chances to win, a", one_line
    )
    assert re.search(r"\nline: \w\d( \w\d)+\n", ahead)


def test_a_review_says_what_was_lost_and_the_game_goes_on() -> None:
    output = play(
        [f"script:{OPTIMAL}"], ["b1", "a2", "review", *squares(OPTIMAL)[4::2], "review", "quit"]
    ).output
    assert output.count("\n   3  black  a2       -8\n") == 2
    assert "\nblack: 2 decisions, 0 mistakes; lost 0 discs in the last 2 moves\n" in output
    assert "\nblack: 5 decisions, 0 mistakes; lost 0 discs in the last 5 moves\n" in output
