"""The end of a game and advice in lines of text: what cost most, what can come next, what moves are worth."""

import re

import pytest

from tests.console.test_play import FORCED, OPTIMAL, play, squares


def test_the_end_says_what_cost_most_and_what_can_come_next() -> None:
    over = play(["level:3", "--transcript", FORCED], ["quit"]).output
    assert "What cost you most: move 7, black d3 lost 14 discs, won -> lost; better d4.\n" in over
    assert (
        "Next: review, new (rematch), swap (other colour), harder (level 4), easier (level 2), save" in over
    )
    again = over.splitlines()[-1]
    assert again.startswith("Learn from your mistakes: ")
    assert again.endswith(f" review {FORCED} --size=4")


@pytest.mark.parametrize(
    ("word", "who"),
    [
        ("harder", "You have ● (black), level:4 has ○ (white)."),
        ("easier", "You have ● (black), level:2 has ○ (white)."),
        ("swap", "You have ○ (white), level:3 has ● (black)."),
    ],
)
def test_after_the_end_others_play_anew(word: str, who: str) -> None:
    shown = play(["level:3", "--transcript", FORCED], [word, "quit"]).output
    assert who in shown.partition(f"): {word}\n")[2]
    assert FORCED not in shown.partition(f"): {word}\n")[2]


def test_where_there_is_no_level_up_the_game_stays() -> None:
    shown = play([f"script:{OPTIMAL}"], ["b1", "harder", "quit"]).output
    assert "no level is known to be harder than script" in shown
    assert "Transcript: b1a1\n" in shown


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
        r"best: (\w\d [+-][\d.]+, ){3}\w\d [+-][\d.]+ "
        r"\(for you, 3 plies ahead, in discs at the end, estimated; \d\d% to win; search:depth=3\)",
        one_line,
    )
    assert re.search(r"\nline: \w\d( \w\d)+\n", ahead)


def test_a_review_says_what_was_lost_and_the_game_goes_on() -> None:
    output = play(
        [f"script:{OPTIMAL}"], ["b1", "a2", "review", *squares(OPTIMAL)[4::2], "review", "quit"]
    ).output
    assert output.count("\n   3  black  a2       -8\n") == 2
    assert "\nblack: 2 decisions, 0 mistakes; lost 0 discs in the last 2 moves\n" in output
    assert "\nblack: 5 decisions, 0 mistakes; lost 0 discs in the last 5 moves\n" in output
