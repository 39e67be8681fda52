"""Games in the full-screen program: by keys, by clicks, by what is typed."""

import pytest
from textual.events import Key

from othello_lab.game import Game
from othello_lab.game.notation import square_name
from tests.console.screen.playing import Screen, Steps, run, table

NEARLY = "d3d2b1a2d1d4c4b4"
"""Few moves before the end on 4x4."""


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


async def by_row_and_column(screen: Screen) -> None:
    row, column = divmod(first_legal(screen), screen.play.game.size)
    await screen.type(f"{row},{column}")


@pytest.mark.parametrize("move", [by_keys, by_click, by_typing, by_row_and_column])
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


def test_players_play_each_other_while_one_watches() -> None:
    async def steps(screen: Screen) -> None:
        await screen.until(lambda: screen.play.sitting.turn is None)

    assert run(steps, table(black="random", white="greedy")).control.game.board.is_over
