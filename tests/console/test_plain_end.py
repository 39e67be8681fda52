"""The end of a game in lines of text: what cost most, and what can come next."""

import pytest

from tests.console.test_play import FORCED, OPTIMAL, play


def test_the_end_says_what_cost_most_and_what_can_come_next() -> None:
    over = play(["level:3", "--transcript", FORCED], ["quit"]).output
    assert "What cost you most: move 7, black d3 lost 14 discs, won -> lost; better d4.\n" in over
    assert (
        "Next: review, new (rematch), swap (other colour), harder (level 4), easier (level 2), save" in over
    )


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
