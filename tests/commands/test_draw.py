"""`othello draw` at the command line."""

from pathlib import Path
from xml.etree import ElementTree

from othello_lab.commands.draw import command
from tests.calling import caller

draw = caller(command)


def texts(path: Path) -> list[str]:
    root = ElementTree.parse(path)  # noqa: S314  our own
    return [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_position_is_drawn_with_what_its_moves_are_worth(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert draw("d3", "--size", "4", "--values", "greedy", "--output", str(path)).output == f"{path}\n"
    found = texts(path)
    assert "4 black, 11 empty, 1 white: white to move" in found
    assert found.count("+1") == 3
    assert "numbers: what greedy says of the moves" in found


def test_a_whole_game_of_a_file_is_drawn(tmp_path: Path) -> None:
    records, path = tmp_path / "games.jsonl", tmp_path / "a.svg"
    records.write_text(
        '{"size": 4, "moves": "d3", "black": "one", "white": "two"}\n'
        '{"size": 4, "moves": "d3 d4 c4", "black": "$three$", "white": "four"}\n'
    )
    assert draw(str(records), "--game", "--number", "2", "--output", str(path)).exit_code == 0
    found = texts(path)
    assert "$three$ against four" in found
    assert [text for text in found if text.startswith(("1. ", "2. ", "3. "))] == [
        "1. black d3",
        "2. white d4",
        "3. black c4",
    ]


def test_a_game_without_a_move_is_one_board_also_with_values(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    result = draw("standard", "--size", "4", "--game", "--values", "greedy", "--output", str(path))
    assert result.exit_code == 0, result.output
    assert path.exists()
