"""`othello engine`: any player for programs that talk to engines."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, redirect_stdout
from io import UnsupportedOperation
from pathlib import Path
from typing import IO

import click

from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.ending import AtOnce, blaming
from othello_lab.commands.options import argument, option, options, takes
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.shared_options import Seed, a_player_or_run, a_runs_dir, board_size

PROTOCOLS = ("gtp", "nboard")


@options
class _Options:
    text: str = argument(metavar="PLAYER", type=ProgramText(), shell_complete=a_player_or_run)
    protocol: str = option(
        "gtp, as Quarry and `engine:` here speak it, or nboard, as NBoard does.",
        default="gtp",
        type=click.Choice(PROTOCOLS),
    )
    ponder: bool = option("A search thinks on while the other side does, where it has a clock.")
    size: int | None = board_size(
        "Length of a side, until the other program names one.  [default: PLAYER's, or 8]"
    )
    seed: int | None = option("Seed of the player's randomness.  [default: a new one]", type=Seed())
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Let another program, such as a graphical board, play with PLAYER.

    PLAYER is a run's name, the path of a run's folder or of a checkpoint, or a player of `othello players`
    such as search:depth=8. Commands are read from the input, and answers are written to the output, until
    the other program says quit or the input ends. A search shares out the time that it is told it has.
    """
    import numpy as np

    from othello_lab.console.engines.engine_game import EngineGame
    from othello_lab.console.engines.gtp import GtpServer
    from othello_lab.console.engines.lines import Conversation, serve
    from othello_lab.console.engines.nboard import NBoardServer
    from othello_lab.console.seat import Seat
    from othello_lab.game.players.catalogue import make

    player = named(said.text, said.runs_dir, "PLAYER")
    size = chosen_size(said.size, player)
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("another program asks and is answered here: expected an open input and output")
    server = GtpServer if said.protocol == "gtp" else NBoardServer
    conversation = Conversation(_input(), sys.stdout.buffer, server.is_urgent)
    with blaming("PLAYER"):
        game = EngineGame(
            lambda size: Seat(player.name, make(player.text, size), np.random.default_rng(said.seed)),
            size,
            conversation,
        )
    # What a player prints must not come between the answers.
    with closing(game), redirect_stdout(sys.stderr), _writing():
        serve(server(game).answer, conversation, game.pondering if said.ponder else nullcontext)


@contextmanager
def _writing() -> Iterator[None]:
    """End the command in one line where an answer cannot be written; in silence where nobody reads it."""
    from othello_lab.console.engines.engine_game import LeftError

    try:
        yield
    except LeftError:
        raise AtOnce from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"the answer could not be written: {error.strerror or error}") from None


def _input() -> IO[bytes]:
    """Return the input for a thread to read: at its end Python closes sys.stdin, for which none may wait."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except UnsupportedOperation:  # it is no file
        return sys.stdin.buffer
