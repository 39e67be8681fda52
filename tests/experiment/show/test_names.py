"""Names in pictures: broken into lines that have room."""

import pytest

from othello_lab.experiment.show.titles import lines_of, width_of
from othello_lab.experiment.show.wording import wrapped

LONG = "alphabeta:depth=4,eval=[weights:a-file-of-some-length.txt,fade=1]"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("", [""]),
        ("training: won or drawn, last 1,000 games", ["training: won or drawn, last 1,000 games"]),
        (
            "evaluation: won as black against corner-greedy",
            ["evaluation: won as black against", "corner-greedy"],
        ),
        (LONG, ["alphabeta:depth=4,eval=[weights:", "a-file-of-some-length.txt,fade=1]"]),
        ("one-" * 11, ["one-" * 10, "one-"]),
        ("x" * 41, ["x" * 40, "x"]),
        ("x" * 200, ["x" * 40, "x" * 19 + "…" + "x" * 20, "x" * 40]),
    ],
)
def test_a_name_is_broken_where_it_has_parts(name: str, lines: list[str]) -> None:
    assert wrapped(name).split("\n") == lines


@pytest.mark.parametrize("text", ["", "some words in a line", "a $1 word" + "x" * 90, "y" * 200])
def test_lines_have_the_room_that_there_is(text: str) -> None:
    lines = lines_of(text, 13, 2.0, "bold").split("\n")
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width_of(line, 13, "bold") <= 2.0 for line in lines)
