"""`othello truth`: a player beside the exact solver."""

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.ending import blaming
from othello_lab.commands.options import argument, given, option, options, takes, whole_number
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.shared_options import (
    a_player,
    a_player_or_run,
    a_runs_dir,
    a_seed,
    a_size,
    as_json_flag,
)

if TYPE_CHECKING:
    from othello_lab.experiment.study.truth import Lines, Summary
    from othello_lab.game import Colour
    from othello_lab.game.players.player import Player

SAMPLING = ("empties", "positions", "by")
"""Options that a board of which every position is asked about has no use for."""


@options
class _Options:
    player: str = argument(type=ProgramText(), shell_complete=a_player_or_run)
    size: int | None = a_size("the player's")
    positions: int = whole_number("Number of positions; on 4x4 all.", default=1000, lowest=1)
    empties: int = whole_number(
        "Empty squares of each position: one more takes three to four times as long.",
        default=10,
        lowest=1,
        highest=22,
    )
    by: str = option(
        "The player that plays both sides up to there, such as noisy:positional,share=0.3.",
        default="random",
        metavar="TEXT",
        shell_complete=a_player,
    )
    worst: int = whole_number("Number of faults to print.", default=5)
    seed: int = a_seed("Seed of the positions and of the player.")
    as_json: bool = as_json_flag()
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Count how many of PLAYER's moves are exactly right, in positions that are solved to the end.

    A right move keeps a won game won and a drawn game drawn; a best move also keeps the disc difference. On
    4x4 PLAYER is asked in every position that can be reached, and also plays every game from the start; on
    larger boards it is asked in positions near the end. PLAYER is a player, a run, or the path of a
    run's folder or of a checkpoint.
    """
    from othello_lab.experiment.study.truth import as_json, as_text
    from othello_lab.game.players.catalogue import make

    found = named(said.player, said.runs_dir, "PLAYER")
    size = _size(chosen_size(said.size, found))
    seed, worst = said.seed, said.worst
    sample = {name: getattr(said, name) for name in SAMPLING}
    with blaming("PLAYER"):
        player = make(found.text, size)
    with closing(player) as asked:
        summary, lines = _ask(asked, size, seed, sample)
    if said.as_json:
        about = {"player": found.text, "size": size, "seed": seed} | ({} if lines else sample)
        click.echo(json.dumps(about | as_json(summary, lines, worst), indent=2))
    else:
        drawn = "{positions:,} positions with {empties} empty squares, played by {by}".format(**sample)
        drawn += f", seed {seed}"
        where = "every position with a legal move" if lines else drawn
        click.echo("\n".join([f"{found.name} on {size}x{size}, {where}", *as_text(summary, lines, worst)]))


def _size(size: int) -> int:
    """Return the size of the board; raise click.UsageError for options that it has no use for."""
    from othello_lab.experiment.study.truth import EVERYWHERE

    useless = sorted(given() & {*SAMPLING})
    if size == EVERYWHERE and useless:
        raise click.UsageError(f"on {size}x{size} every position is asked about: leave --{useless[0]} out")
    return size


def _ask(
    player: "Player", size: int, seed: int, sample: dict[str, Any]
) -> tuple["Summary", "dict[Colour, Lines]"]:
    """Ask the player; what it cannot do is one line."""
    from othello_lab.experiment.study.truth import EVERYWHERE, ask_a_sample, ask_everywhere
    from othello_lab.game.players.player import Forfeit

    terminal = Console(stderr=True)
    try:
        if size == EVERYWHERE:
            return ask_everywhere(player, seed, terminal)
        return ask_a_sample(player, size, seed, terminal, **sample), {}
    except (ValueError, Forfeit) as error:
        raise click.ClickException(str(error)) from None
