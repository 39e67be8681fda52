from pathlib import Path

import pytest
from textual.events import Key, Paste

from othello_lab.console.files import load
from othello_lab.game import Colour, Game
from othello_lab.game.notation import square_name
from tests.console.conftest import NEARLY
from tests.console.screen.playing import Screen, Steps, run, table

pytestmark = pytest.mark.slow


def first_legal(screen: Screen) -> int:
    return next(iter(screen.play.game.board.legal_moves))


async def by_keys(screen: Screen) -> None:
    goal, size = first_legal(screen), screen.play.game.size
    while screen.board.cursor != goal:
        row, column = divmod(screen.board.cursor, size)
        down, right = goal // size - row, goal % size - column
        await screen.press("down" if down > 0 else "up" if down < 0 else "right" if right > 0 else "left")
    await screen.press("enter")


async def by_click(screen: Screen) -> None:
    await screen.click(first_legal(screen))


async def by_typing(screen: Screen) -> None:
    await screen.type(square_name(first_legal(screen), screen.play.game.size))


@pytest.mark.parametrize("move", [by_keys, by_click, by_typing])
def test_a_game_is_played_to_its_end(move: Steps) -> None:
    async def steps(screen: Screen) -> None:
        while screen.play.sitting.turn:
            await move(screen)
        await screen.until(lambda: any(end in screen.text for end in ("You win", "You lose", "Draw")))

    game = run(steps, table(transcript=NEARLY)).control.game
    assert game.board.is_over
    assert Game.from_transcript(game.transcript(), 4).board == game.board


def keys_of(text: str) -> list[Key]:
    names = {" ": "space", ",": "comma", "\r": "enter"}
    return [Key(names.get(character, character), character) for character in text]


def test_what_is_typed_at_once_is_all_taken() -> None:
    async def steps(screen: Screen) -> None:
        for key in keys_of("0,1\r"):
            screen.program.post_message(key)
        await screen.pilot.pause()
        await screen.settled()
        assert screen.play.game.moves[0] == 1

    run(steps)


BEGUN = "d3d2b1a2"


async def choose(screen: Screen, field: str, value: object) -> None:
    screen.program.screen.query_one(f"#{field}").value = value  # type: ignore[attr-defined]  # of a Select
    await screen.pilot.pause()


def test_a_new_game_has_the_board_and_the_players_that_were_chosen() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f2")
        await choose(screen, "size", "6")
        await choose(screen, "black", "level:1")
        await screen.pilot.click("#new")
        await screen.until(lambda: screen.play.game.size == 6)
        names = {colour: seat and seat.text for colour, seat in screen.play.sitting.seats.items()}
        assert names == {Colour.BLACK: "level:1", Colour.WHITE: "greedy"}

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


def test_all_lines_of_a_game_that_is_pasted_are_taken() -> None:
    async def steps(screen: Screen) -> None:
        await screen.press("f8")
        line = screen.program.line
        await screen.until(lambda: line.has_focus)
        line.post_message(Paste('[Black "A"]\n[SZ "4"]\n\n1. b1 a1\n2. a2\n'))
        await screen.press("enter")
        await screen.until(lambda: screen.play.game.transcript().startswith("b1a1a2"))

    run(steps)
