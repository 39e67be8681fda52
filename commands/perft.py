"""`othello perft`: count the sequences of legal moves from the start."""

import click

from othello_lab.commands import fields
from othello_lab.commands.options import options, takes, whole_number


@options
class _Options:
    size: int = fields.size()
    depth: int = whole_number("Length of the move sequences in plies.", default=8)


@takes(_Options)
def command(options: _Options) -> None:
    """Count the sequences of legal moves from the standard start, to check the rules."""
    from othello_lab.game.board import Board
    from othello_lab.game.openings import perft

    click.echo(perft(Board.start(options.size), options.depth))
