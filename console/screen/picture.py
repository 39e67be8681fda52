"""A screenshot of the full-screen program as SVG, for documents."""

import asyncio
import re
from itertools import count

from othello_lab.console.controller import Controller
from othello_lab.console.screen.program import Program
from othello_lab.console.screen.squares import BLOCKS, CORNERS

_WIDTH, _HEIGHT, _BASELINE = 12.2, 24.4, 20.0
"""The size of a character in the SVG pictures of textual, in SVG units."""
_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_BLOCKS = re.compile(
    rf'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([{"".join(BLOCKS[1:])}]+)</text>'
)


def screenshot(control: Controller) -> str:
    """Return an SVG picture of the screen, with the values of the legal moves. Close the players.

    The picture loads no font. Block characters are drawn as rectangles, because fonts leave gaps in them.
    """
    program = Program(control, pace=0)

    async def draw() -> str:
        async with program.run_test(size=(112, 35)) as pilot:
            control.hints.toggle()
            while control.hints.is_asked:
                await pilot.pause(0.05)
            await pilot.pause()
            return program.export_screenshot(title="othello play")

    try:
        picture = _FACES.sub("", asyncio.run(draw()))
    finally:
        control.close()
    return _BLOCKS.sub(_as_rectangles, picture).replace("Fira Code, monospace", "monospace")


def _as_rectangles(text: re.Match[str]) -> str:
    style, left, top, blocks = text[1], float(text[2]), float(text[3]) - _BASELINE + 1.5, text[4]
    rectangles = []
    for x, block in zip(count(left, _WIDTH), blocks, strict=False):
        for bit, (right, down) in enumerate(CORNERS):
            if BLOCKS.index(block) >> bit & 1:
                place = f'x="{x + right * _WIDTH / 2:.2f}" y="{top + down * _HEIGHT / 2:.2f}"'
                extent = f'width="{_WIDTH / 2 + 0.1:.2f}" height="{_HEIGHT / 2 + 0.1:.2f}"'
                rectangles.append(f'<rect class="{style}" {place} {extent} shape-rendering="crispEdges"/>')
    return "".join(rectangles)
