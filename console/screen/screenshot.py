"""A picture of the screen as SVG, without a terminal: for documents."""

import asyncio
import re
from itertools import count

from console.screen import shapes
from console.screen.program import Program
from console.table import Table

_WIDTH, _HEIGHT = 12.2, 24.4
"""Of a character in the picture that textual draws, in its own units."""
_BASELINE = 20.0
_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_BLOCKS = re.compile(
    rf'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([{"".join(shapes.BLOCKS[1:])}]+)</text>'
)


def screenshot(table: Table, size: tuple[int, int] = (112, 35)) -> str:
    """Return the game with what its moves are worth, on a screen of this many columns and rows."""
    program = Program(table, pace=0)

    async def draw() -> str:
        async with program.run_test(size=size) as pilot:
            program.control.hints.toggle()
            while program.control.hints.is_asked:
                await pilot.pause(0.05)
            await pilot.pause()
            return program.export_screenshot(title="othello play")

    try:
        return drawn_alike(asyncio.run(draw()))
    finally:
        program.close()


def drawn_alike(picture: str) -> str:
    """Return a picture that needs no font from elsewhere, with the block characters as rectangles.

    Fonts differ in how such characters meet their neighbours.
    """
    return _BLOCKS.sub(_as_rectangles, _FACES.sub("", picture)).replace("Fira Code, monospace", "monospace")


def _as_rectangles(text: re.Match[str]) -> str:
    style, left, top, blocks = text[1], float(text[2]), float(text[3]) - _BASELINE + 1.5, text[4]
    rectangles = []
    for x, block in zip(count(left, _WIDTH), blocks, strict=False):
        for right, down in shapes.points(block):
            place = f'x="{x + right * _WIDTH / 2:.2f}" y="{top + down * _HEIGHT / 2:.2f}"'
            extent = f'width="{_WIDTH / 2 + 0.1:.2f}" height="{_HEIGHT / 2 + 0.1:.2f}"'
            rectangles.append(f'<rect class="{style}" {place} {extent} shape-rendering="crispEdges"/>')
    return "".join(rectangles)
