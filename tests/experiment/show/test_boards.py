"""Pictures of positions and games."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from othello_lab.experiment.show.board_pictures import board_figure, game_figure
from othello_lab.experiment.show.plots import as_svg, save
from othello_lab.game import Board, Game
from othello_lab.game.drawing import Marks
from othello_lab.game.values import value_text

pytestmark = pytest.mark.slow

GAME = Game.from_transcript("d3d4c4d2c1b4a4a3a2d1a1b1", 4)
"""It has two passes."""


def texts(figure: Figure) -> list[str]:
    root = ElementTree.fromstring(as_svg(figure))  # noqa: S314  our own
    return [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("size", [4, 6, 8, 16])
def test_a_board_has_its_coordinates_and_each_value_on_it(size: int) -> None:
    board = Board.start(size)
    values = {square: 0.25 * place for place, square in enumerate(board.legal_moves, 1)}
    found = texts(board_figure(board, Marks(values=values), "title", "what it shows"))
    assert {"a", "abcdefghijklmnop"[size - 1], "1", str(size), "title", "what it shows"} <= set(found)
    assert {"+0.25", "+0.5", "+0.75", "+1"} <= set(found)


def test_a_game_shows_the_start_and_each_disc_with_counts() -> None:
    captions = texts(game_figure(Game.from_transcript("a2", 4), "title", "says"))
    assert captions.count("2 black · 12 empty · 2 white") == 1
    assert {"start", "1. black a2", "4 black · 11 empty · 1 white"} <= set(captions)


def test_a_pass_stands_in_the_caption_of_the_next_disc() -> None:
    captions = texts(game_figure(GAME, "title", "says"))
    passes = [caption for caption in captions if caption.endswith("passed)")]
    assert len(passes) == GAME.moves.count(-1) == 2
    discs = [caption for caption in captions if re.match(r"[0-9]+\. ", caption)]
    assert len(discs) == len(GAME.moves) - len(passes)


def test_with_values_it_is_the_boards_before_the_moves() -> None:
    values = [dict.fromkeys(board.legal_moves, 0.5) for board in GAME.boards[:-1]]
    found = texts(game_figure(GAME, "title", "says", values))
    assert "2 black · 12 empty · 2 white" in found
    assert found.count("+0.5") == sum(len(value) for value in values)


def test_a_picture_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    once, again = (as_svg(game_figure(GAME, "title", "says")) for _ in range(2))
    assert once == again
    save(board_figure(GAME.board, Marks.of(GAME), "title", "says"), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"must end with .png or .svg"):
        save(Figure(), tmp_path / "a.gif")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123, "+0.12"), (-1.0, "-1"), (1e9, "won"), (-1e9, "lost"), (0.0, "+0"), (9.999, "+10")],
)
def test_a_value_is_short(value: float, text: str) -> None:
    assert value_text(value) == text
