import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from othello_lab.experiment.show.board_pictures import draw_game, draw_position
from othello_lab.experiment.show.plots import as_svg, save
from othello_lab.game import Board, Game
from othello_lab.game.values import value_text

pytestmark = pytest.mark.slow

GAME = Game.from_transcript("d3d4c4d2c1b4a4a3a2d1a1b1", 4)


def texts(figure: Figure) -> list[str]:
    root = ElementTree.fromstring(as_svg(figure))  # noqa: S314  our own
    return [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("size", [4, 6, 8, 16])
def test_a_board_has_its_coordinates(size: int) -> None:
    found = texts(draw_position(Game(Board.start(size)), "title"))
    assert {"a", "abcdefghijklmnop"[size - 1], "1", str(size), "title"} <= set(found)


def test_a_game_shows_the_start_and_each_disc_with_counts() -> None:
    captions = texts(draw_game(Game.from_transcript("a2", 4), "title"))
    assert captions.count("2 black · 12 empty · 2 white") == 1
    assert {"start", "1. black a2", "4 black · 11 empty · 1 white"} <= set(captions)


def test_a_pass_stands_in_the_caption_of_the_next_disc() -> None:
    captions = texts(draw_game(GAME, "title"))
    passes = [caption for caption in captions if caption.endswith("passed)")]
    assert len(passes) == GAME.moves.count(-1) == 2
    discs = [caption for caption in captions if re.match(r"[0-9]+\. ", caption)]
    assert len(discs) == len(GAME.moves) - len(passes)


def test_a_picture_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    once, again = (as_svg(draw_game(GAME, "title")) for _ in range(2))
    assert once == again
    save(draw_position(GAME, "title"), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"must end with .png or .svg"):
        save(Figure(), tmp_path / "a.gif")


@pytest.mark.filterwarnings("ignore:Glyph 1 ")
def test_a_character_that_no_xml_holds_is_replaced_in_a_picture() -> None:
    figure = Figure()
    figure.text(0, 0, "a\x01b", parse_math=False)
    assert "a\ufffdb" in as_svg(figure).decode()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123, "+0.12"), (-1.0, "-1"), (1e9, "won"), (-1e9, "lost"), (0.0, "+0"), (9.999, "+10")],
)
def test_a_value_is_short(value: float, text: str) -> None:
    assert value_text(value) == text
