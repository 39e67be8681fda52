"""Who sits opposite a person that names nobody, or a level."""

import pytest
from click.testing import CliRunner

from othello_lab.commands.play import command


def play(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, input="quit\n", catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_without_a_name_the_strongest_level_plays() -> None:
    opening = "Against level:10, the strongest; --level 1 is the weakest.\nYou have "
    assert play("--size", "4").startswith(opening)
    assert "level:10 (black) plays " in play("--size", "4", "--colour", "white")


@pytest.mark.parametrize("size", ["4", "6", "8", "10"])
def test_a_level_plays_on_every_board_and_its_seed_decides_the_game(size: str) -> None:
    def game(*who: str) -> str:
        return play(*who, "--size", size, "--colour", "white", "--seed", "5")

    first = game("--level", "2")
    assert first == game("--level", "2") == game("level:2")
    assert "level:2 (black) plays " in first
    assert "Against" not in first


def test_the_game_can_be_played_on_by_what_the_last_line_says() -> None:
    result = CliRunner().invoke(command, ["--size", "4", "--level", "7"], input="b1\nquit\n")
    assert " level:7 --size=4 --colour=black --transcript=b1" in result.output.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--level", "11"], "--level: there is no level '11': expected level:1 to level:10\n"),
        (["--level", "0"], "--level: there is no level '0'"),
        (["--level", "high"], "'--level': 'high' is not a valid integer"),
        (
            ["greedy", "--level", "3"],
            "TEXT and --level both say who plays against you: leave one out",
        ),
    ],
)
def test_another_level_is_refused_in_a_line(arguments: list[str], why: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert why in result.output
