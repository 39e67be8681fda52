"""`othello perft`: the number of move paths."""

import click

from othello_lab.commands.ending import blaming
from othello_lab.game.notation import USUAL_SIZE


@click.command()
@click.option("--size", default=USUAL_SIZE, show_default=True, help="Length of a side: even, 4 to 16.")
@click.option(
    "--depth", default=8, show_default=True, type=click.IntRange(0), help="Length of the paths in plies."
)
def command(size: int, depth: int) -> None:
    """Print the number of move paths from the standard start, to check the rules with."""
    from othello_lab.game.board import Board
    from othello_lab.game.openings import perft

    with blaming("--size"):
        board = Board.start(size)
    click.echo(perft(board, depth))
