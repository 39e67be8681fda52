"""New games, other players, files."""

from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input

from othello_lab.console.files import load
from othello_lab.game import Colour, Game
from tests.console.screen.playing import Screen, run, table

BEGUN = "d3d2b1a2"


async def choose(screen: Screen, field: str, value: object) -> None:
    screen.program.screen.query_one(f"#{field}").value = value  # type: ignore[attr-defined]  # of a Select or an Input
    await screen.pilot.pause()


def test_a_new_game_has_the_board_and_the_players_that_were_chosen() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f2")
        await choose(screen, "size", 6)
        await choose(screen, "black", "level:2")
        await choose(screen, "white", "other")
        await choose(screen, "white-text", "random")
        await screen.pilot.click("#new")
        await screen.until(lambda: screen.play.game.size == 6)
        names = {colour: seat and seat.text for colour, seat in screen.play.sitting.seats.items()}
        assert names == {Colour.BLACK: "level:2", Colour.WHITE: "random"}

    run(steps, table(transcript=BEGUN))


def test_a_new_game_begins_where_the_table_says() -> None:
    async def steps(screen: Screen) -> None:
        screen.play.table.new_game = lambda size: Game.from_transcript(BEGUN if size == 4 else "", size)
        await screen.press("f2")
        await screen.pilot.click("#new")
        await screen.until(lambda: screen.play.game.transcript() == BEGUN)

    run(steps, table(white="human"))


def test_a_player_that_there_is_none_of_is_named_and_asked_for_again() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("opponent nobody")
        await screen.until(lambda: "nobody" in screen.play.notice(""))
        assert "there is no player 'nobody'" in screen.play.notice("")
        await screen.shows("there is no player 'nobody'", "New game")
        await screen.press("escape")
        assert len(screen.play.game.moves) == 4

    run(steps, table(transcript=BEGUN))


def test_another_opponent_plays_on() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("opponent random")
        await screen.until(lambda: screen.play.sitting.record().white == "random")
        assert len(screen.play.game.moves) == 4

    run(steps, table(transcript=BEGUN))


@pytest.mark.parametrize("name", ["game.txt", "game.jsonl"])
def test_what_was_saved_is_loaded(tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    async def steps(screen: Screen) -> None:
        moves = screen.play.game.moves
        await screen.press("f7")
        await screen.answer(str(path))
        assert load(str(path), size=4).game.moves == moves
        assert bool(load(str(path), size=4).date) == (path.suffix == ".jsonl")
        await screen.press("home", "f8")
        await screen.answer(str(path))
        await screen.until(lambda: screen.play.game.moves == moves)

    run(steps, table(transcript=BEGUN))


def test_a_file_that_is_there_is_overwritten_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("b1\n")

    async def steps(screen: Screen) -> None:
        await screen.press("f7")
        await screen.answer(str(path))
        await screen.shows("is there already")
        await screen.press("right", "enter")
        assert path.read_text() == "b1\n"
        await screen.press("f7")
        await screen.answer(str(path))
        await screen.press("enter")
        assert BEGUN in path.read_text()

    run(steps, table(transcript=BEGUN), size=(160, 24))


def test_a_transcript_of_another_size_brings_its_board(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"

    async def write(screen: Screen) -> None:
        await screen.press("f7")
        await screen.answer(str(path))

    run(write, table(size=6, transcript="e4"))

    async def steps(screen: Screen) -> None:
        await screen.press("f8")
        await screen.answer(str(path))
        await screen.until(lambda: screen.play.game.size == 6)

    run(steps)


def test_all_lines_of_a_game_that_is_pasted_are_taken() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f8")
        await screen.until(lambda: bool(screen.program.screen.query(Input)))
        screen.program.screen.query_one(Input).post_message(
            Paste('[Black "A"]\n[SZ "4"]\n\n1. b1 a1\n2. a2\n')
        )
        await screen.press("enter")
        await screen.until(lambda: screen.play.game.transcript().startswith("b1a1a2"))

    run(steps)


def test_a_file_that_is_no_game_is_named() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f8")
        await screen.answer("no-such-file.ggf")
        await screen.until(lambda: "no-such-file.ggf" in screen.play.notice(""))

    run(steps)


def test_files_are_named_behind_typed_words_too(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"

    async def steps(screen: Screen) -> None:
        moves = screen.play.game.moves
        await screen.type(f"save {path}")
        assert load(str(path), size=4).game.moves == moves
        await screen.type("new")
        assert not screen.play.game.moves
        await screen.shows("left: d3 d2 b1 a2")
        await screen.type(f"load {path}")
        assert screen.play.game.moves == moves
        await screen.type("swap")
        assert screen.play.notice("").startswith("greedy (black) plays ")
        assert screen.play.notice("").endswith(". left: d3 d2 b1 a2")
        await screen.press("pageup")
        assert "left" not in screen.play.notice("")

    run(steps, table(transcript=BEGUN))


def test_players_change_colours_by_a_typed_word_and_levels_only_where_there_are_some() -> None:
    async def steps(screen: Screen) -> None:
        await screen.type("harder")
        await screen.shows("no level is known to")
        assert len(screen.play.game.moves) == 4
        await screen.type("swap")
        assert screen.play.sitting.people == [Colour.WHITE]

    run(steps, table(transcript=BEGUN))
