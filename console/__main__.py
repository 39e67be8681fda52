"""`othello play`: a person at the console against any opponent or a trained agent."""

import shlex
from typing import TYPE_CHECKING

import click

from rlglue.options import blaming, run

if TYPE_CHECKING:
    import numpy as np

    from console.opponent import Seat
    from game import Colour, Game

COLOURS = ("black", "white", "random")


@click.command()
@click.argument("text", default="corner-greedy")
@click.option("--size", default=8, show_default=True, help="Length of a side: even, 4 to 16.")
@click.option(
    "--colour",
    type=click.Choice(COLOURS),
    default="black",
    show_default=True,
    help="Your side; black moves first.",
)
@click.option("--transcript", default="", metavar="MOVES", help="Play on from here, such as f5d6c3.")
@click.option("--hint", default="search:time=1", show_default=True, metavar="TEXT", help="Who gives hints.")
@click.option(
    "--seed", type=click.IntRange(0), help="Of the opponent's randomness.  [default: new each time]"
)
def main(text: str, size: int, colour: str, transcript: str, hint: str, seed: int | None) -> None:
    """Play against TEXT: a player of the registry (random, greedy, corner-greedy, dqn:PATH) or the path of a
    checkpoint. `help` in the game lists what you can type.
    """
    # Imported here, so that --help need not wait for numba.
    import numpy as np
    from rich.console import Console

    from console.play import Match
    from console.wording import transcript_lines
    from game.threads import use_threads

    use_threads(1)
    game = _start(size, transcript)
    draw, *own = (np.random.default_rng(stream) for stream in np.random.SeedSequence(seed).spawn(3))
    opponent = _seat(text, size, own[0], "TEXT")
    # With randomness of its own: a hint does not change what the opponent does next.
    adviser = _seat(hint, size, own[1], "--hint")
    side = _side(colour, bool(draw.integers(2)))
    Match(game, side, opponent, adviser, Console(highlight=False)).play()
    options = f"{shlex.quote(text)} --size {size} --colour {side.value}"
    for line in transcript_lines(game, options):
        click.echo(line)


def _start(size: int, transcript: str) -> "Game":
    from game import Game
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    with blaming("--transcript"):
        return Game.from_transcript(transcript, size)


def _seat(text: str, size: int, rng: "np.random.Generator", option: str) -> "Seat":
    from console.opponent import make_seat

    with blaming(option):
        return make_seat(text, size, rng)


def _side(colour: str, heads: bool) -> "Colour":
    from game import Colour

    if colour == "random":
        return Colour.BLACK if heads else Colour.WHITE
    return Colour(colour)


if __name__ == "__main__":
    run(main)
