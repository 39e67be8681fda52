"""`othello engine`: serve a player to programs that use game engines."""

import sys
from contextlib import closing, redirect_stdout
from io import UnsupportedOperation
from pathlib import Path
from typing import IO

import click

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.errors import AtOnce, blaming
from othello_lab.commands.options import option, options, takes


@options
class _Options:
    text: str = fields.player_argument(metavar="PLAYER")
    protocol: str = option(
        "Protocol of the other program: gtp, as in Quarry, or nboard, as in NBoard.",
        default="gtp",
        type=click.Choice(("gtp", "nboard")),
    )
    size: int | None = fields.size(
        "Board size until the other program sets a size.  [default: the board size of PLAYER, or 8]",
        default=None,
    )
    seed: int | None = fields.seed(
        "Seed of the player's random choices.  [default: a new seed]", default=None
    )
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Let another program, such as a graphical board, use PLAYER.

    PLAYER is a run, the path of a checkpoint, or a player such as search:depth=8. `othello players` lists the
    players. The command reads requests from standard input, and writes answers to standard output. The
    command ends after the request `quit` and at the end of the input. If the other program limits the time of
    a game, a search distributes this time over its moves.
    """
    import numpy as np

    from othello_lab.console.engines.engine_game import EngineGame, LeftError
    from othello_lab.console.engines.gtp import GtpServer
    from othello_lab.console.engines.lines import Conversation, serve
    from othello_lab.console.engines.nboard import NBoardServer
    from othello_lab.console.seat import Seat
    from othello_lab.game.catalogue import make

    player = named(options.text, options.runs_dir, "PLAYER")
    size = chosen_size(options.size, player)
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError(
            "this command reads standard input and writes standard output: both must be open"
        )
    server = GtpServer if options.protocol == "gtp" else NBoardServer
    conversation = Conversation(_input(), sys.stdout.buffer, server.is_urgent)
    with blaming("PLAYER"):
        game = EngineGame(
            lambda size: Seat(player.name, make(player.text, size), np.random.default_rng(options.seed)),
            size,
            conversation,
        )
    try:
        with closing(game), redirect_stdout(sys.stderr):  # the player's output must not mix with the answers
            serve(server(game).answer, conversation)
    except LeftError:
        raise AtOnce from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"the answer could not be written: {error.strerror or error}") from None


def _input() -> IO[bytes]:
    """Reopen standard input, because no thread may read sys.stdin while Python exits."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except UnsupportedOperation:  # sys.stdin has no file descriptor
        return sys.stdin.buffer
