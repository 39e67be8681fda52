"""`othello truth`: a player beside the exact solver."""

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.completion import a_player, a_player_or_run
from othello.ending import blaming
from othello.options import DEFAULT_SIZE, runs_dir_option, seed_option
from othello.player_names import named
from othello.training_options import given

if TYPE_CHECKING:
    from experiment.study.truth.summary import Lines, Summary
    from game import Colour
    from game.players import Player

SAMPLING = ("positions", "empties", "by")
"""Options that a board of which every position is asked about has no use for."""


@click.command()
@click.argument("player", shell_complete=a_player_or_run)
@click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the player's, or 8]")
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Number of positions; on 4x4 all.",
)
@click.option(
    "--empties",
    type=click.IntRange(1, 22),
    default=10,
    show_default=True,
    help="Empty squares of each position: one more takes three to four times as long.",
)
@click.option(
    "--by",
    default="random",
    show_default=True,
    metavar="TEXT",
    shell_complete=a_player,
    help="The player that plays both sides up to there, such as noisy:positional,share=0.3.",
)
@click.option(
    "--worst", type=click.IntRange(0), default=5, show_default=True, help="Number of faults to print."
)
@seed_option("Seed of the positions and of the player.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
@runs_dir_option("Where run folders are.")
@click.pass_context
def command(
    context: click.Context,
    player: str,
    size: int | None,
    positions: int,
    empties: int,
    by: str,
    worst: int,
    seed: int,
    as_json: bool,
    runs_dir: Path,
) -> None:
    """Count how many of PLAYER's moves are exactly right, in positions that are solved to the end.

    A right move keeps a won game won and a drawn game drawn; a best move also keeps the disc difference. On
    4x4 it plays in every position that can be reached, and from the start every game; on larger boards in
    positions near the end. PLAYER is a player, a run, or the path of a run's folder or of a checkpoint.
    """
    from experiment.study.truth import report
    from game.threads import use_threads

    use_threads(1)
    found = named(player, runs_dir, "PLAYER")
    size = _size(size or found.size or DEFAULT_SIZE, context)
    sample = {"empties": empties, "positions": positions, "by": by}
    with closing(_player(found.text, size)) as asked:
        summary, lines = _ask(asked, size, seed, sample)
    if as_json:
        said = {"player": found.text, "size": size, "seed": seed} | ({} if lines else sample)
        click.echo(json.dumps(said | report.as_json(summary, lines, worst), indent=2))
    else:
        drawn = f"{positions:,} positions with {empties} empty squares, played by {by}, seed {seed}"
        where = "every position with a legal move" if lines else drawn
        click.echo(
            "\n".join([f"{found.name} on {size}x{size}, {where}", *report.as_text(summary, lines, worst)])
        )


def _size(size: int, context: click.Context) -> int:
    """Return the size of the board; raise click.UsageError for options that it has no use for."""
    from experiment.study.truth.ask import EVERYWHERE
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    said = [name for name in SAMPLING if name in given(context)]
    if size == EVERYWHERE and said:
        raise click.UsageError(f"on {size}x{size} every position is asked about: leave --{said[0]} out")
    return size


def _player(text: str, size: int) -> "Player":
    from game.players import make

    with blaming("PLAYER"):
        return make(text, size)


def _ask(
    player: "Player", size: int, seed: int, sample: dict[str, Any]
) -> tuple["Summary", "dict[Colour, Lines]"]:
    """Ask the player; what it cannot do is one line."""
    from rich.console import Console

    from experiment.study.truth.ask import EVERYWHERE, ask_a_sample, ask_everywhere
    from game.players.base import Forfeit

    terminal = Console(stderr=True)
    try:
        if size == EVERYWHERE:
            return ask_everywhere(player, seed, terminal)
        return ask_a_sample(player, size, seed, terminal, **sample), {}
    except (ValueError, Forfeit) as error:
        raise click.ClickException(str(error)) from None
