import pytest

from othello_lab.console.entry import Command, Order, help_text, parse_entry
from othello_lab.game import NotationError


@pytest.mark.parametrize("text", ["d3", "D3", " d3 ", "2,3", "2, 3", "2 3", " 2   3 "])
def test_a_square(text: str) -> None:
    assert parse_entry(text, 8) == 19


@pytest.mark.parametrize("command", Command)
def test_every_command_is_read_and_listed(command: Command) -> None:
    argument = "Some Thing" if command.value[0] else ""
    assert parse_entry(f" {command.keyword.upper()}  {argument} ", 8) == Order(command, argument)
    assert f"\n{command.usage} " in help_text()


@pytest.mark.parametrize(
    ("text", "command"), [("exit", Command.QUIT), ("q", Command.QUIT), ("?", Command.HELP)]
)
def test_other_words_for_a_command(text: str, command: Command) -> None:
    assert parse_entry(text, 8) == Order(command, "")


@pytest.mark.parametrize(
    ("text", "usage"), [("goto", "goto N"), ("undo 2", "undo"), ("opponent ", "opponent WHO")]
)
def test_a_command_with_too_little_or_too_much_says_what_it_takes(text: str, usage: str) -> None:
    with pytest.raises(NotationError, match=f"expected `{usage}` and nothing else: "):
        parse_entry(text, 8)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, r"no square: say one like d3.*`help` lists the commands") for text in ("hnt", "d", "d3 d4")),
        *((text, "nothing was typed: say a square such as d3, or help") for text in ("", "  ")),
        ("e9", "its squares are a1 to h8"),
        ("i5", "its squares are a1 to h8"),
        ("pass", "a forced pass is made for you"),
    ],
)
def test_anything_else_is_told_what_could_be_typed(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        parse_entry(text, 8)


def test_what_is_long_is_not_repeated_whole() -> None:
    with pytest.raises(NotationError) as error:
        parse_entry("a" * 10**6, 8)
    assert len(str(error.value)) < 200
