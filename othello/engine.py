"""`othello engine`: any player for programs that talk to engines."""

import sys
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.completion import a_player_or_run
from othello.ending import blaming
from othello.options import DEFAULT_SIZE, Seed, runs_dir_option
from othello.player_names import named

if TYPE_CHECKING:
    from console.engines.lines import Server
    from console.engines.session import Session
    from console.opponent import Seat
    from experiment.results.player_names import Named

PROTOCOLS = ("gtp", "nboard")


@click.command()
@click.argument("text", metavar="PLAYER", shell_complete=a_player_or_run)
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default="gtp",
    show_default=True,
    help="GTP (Quarry, `engine:` here) or NBoard (NBoard).",
)
@click.option(
    "--size", type=int, help="Length of a side until the other program names one.  [default: PLAYER's, or 8]"
)
@click.option("--seed", type=Seed(), help="Of the player's randomness.  [default: new each time]")
@runs_dir_option("Where run folders are.")
def command(text: str, protocol: str, size: int | None, seed: int | None, runs_dir: Path) -> None:
    """Answer another program's questions with the moves of PLAYER: a run's name, the path of a run's folder
    or of a checkpoint, or a player of `othello players` such as search:depth=8. It reads commands from its
    input and writes nothing but answers to its output, until it is told to quit or the input ends.
    """
    from console.engines.lines import serve
    from console.engines.session import Session
    from game.board import check_size
    from game.threads import use_threads

    use_threads(1)
    player = named(text, runs_dir, "PLAYER")
    size = size or player.size or DEFAULT_SIZE
    with blaming("--size"):
        check_size(size)
    with blaming("PLAYER"):
        session = Session(_seats(player, seed), size)
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("it answers another program: expected an open input and output")
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # What a player prints must not come between the answers.
    with closing(session), redirect_stdout(sys.stderr):
        serve(_server(protocol, session), source, sink)


def _seats(player: "Named", seed: int | None) -> Callable[[int], "Seat"]:
    import numpy as np

    from console.opponent import Seat
    from game.players import make

    return lambda size: Seat(player.name, make(player.text, size), np.random.default_rng(seed))


def _server(protocol: str, session: "Session") -> "Server":
    if protocol == "gtp":
        from console.engines.gtp import GtpServer

        return GtpServer(session)
    from console.engines.nboard import NBoardServer

    return NBoardServer(session)
