import asyncio
from collections.abc import Awaitable, Callable

import numpy as np
from textual.pilot import Pilot
from textual.strip import Strip

from othello_lab.commands.play import save_folder
from othello_lab.console.controller import Controller
from othello_lab.console.saving import new_file
from othello_lab.console.screen.board_view import LETTERS, NUMBERS, BoardView
from othello_lab.console.screen.program import Program
from othello_lab.console.seat import HUMAN, Seat
from othello_lab.console.sitting import Sitting
from othello_lab.game import Colour, Game
from othello_lab.game.catalogue import make

Steps = Callable[["Screen"], Awaitable[None]]
PATIENCE = 200.0  # The longest wait for a player in seconds. An idle machine needs only a moment.


def seat_for(text: str, size: int) -> Seat:
    return Seat(text, make(text, size), np.random.default_rng(1), text)


def table(
    size: int = 4, black: str = HUMAN, white: str = "greedy", transcript: str = "", hint: str = "mobility"
) -> Controller:
    players = {Colour.BLACK: black, Colour.WHITE: white}
    seats = {colour: None if text == HUMAN else seat_for(text, size) for colour, text in players.items()}
    game = Game.from_transcript(transcript, size)
    return Controller(Sitting(game, seats), seat_for(hint, size), seat_for, new_file(save_folder()))


class Screen:
    def __init__(self, program: Program, pilot: Pilot[int]) -> None:
        self.program, self.pilot = program, pilot

    @property
    def play(self) -> Controller:
        return self.program.control

    @property
    def board(self) -> BoardView:
        return self.program.board

    @property
    def text(self) -> str:
        return "\n".join(strip.text for strip in self.strips)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    @property
    def strips(self) -> list[Strip]:
        return self.program.screen._compositor.render_strips()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settled()

    async def type(self, text: str) -> None:
        await self.press(*text, "enter")

    async def answer(self, text: str) -> None:
        line = self.program.line
        await self.until(lambda: line.is_open and line.has_focus)
        line.value += text
        await self.press("enter")

    async def click(self, square: int) -> None:
        grid = self.board._grid
        row, column = divmod(square, grid.size)
        offset = NUMBERS + column * grid.width, LETTERS + row * grid.height
        await self.pilot.click(BoardView, offset=offset)
        await self.settled()

    async def shows(self, *texts: str) -> None:
        """Wait until the texts are on the screen, because a page changes some moments after an action."""
        try:
            await self.until(lambda: all(text in self.words for text in texts))
        except TimeoutError:
            raise AssertionError(f"the screen does not show {texts}:\n{self.text}") from None

    async def settled(self) -> None:
        await self.until(lambda: not (self.play.is_thinking or self.play.hints.is_asked))

    async def until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not happened():
                await self.pilot.pause(0.03)
        await self.pilot.pause()


def run(steps: Steps, at: Controller | None = None, size: tuple[int, int] = (80, 24)) -> Program:
    program = Program(at or table(), pace=0)

    async def main() -> None:
        async with program.run_test(size=size) as pilot:
            screen = Screen(program, pilot)
            await screen.settled()
            await steps(screen)

    asyncio.run(main())
    program.control.close()
    return program
