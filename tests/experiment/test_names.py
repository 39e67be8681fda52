"""Names in pictures: wrapped where there is room, short where there is none."""

import pytest

from experiment.display.names import short, wrapped

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


def test_a_short_name_keeps_both_ends() -> None:
    assert short(LONG) == "alphabeta:d….txt,fade=1]"
    assert short("random") == "random"
