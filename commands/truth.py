"""`othello truth`: compare the moves of a player with the exact solver."""

import json
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import explicit_options, option, options, takes, whole_number

SAMPLING = ("empties", "positions", "by")  # The options of a sample of positions, not allowed on 4x4.


@options
class _Options:
    player: str = fields.player_argument()
    size: int | None = fields.players_size("the player")
    positions: int = whole_number(
        "Number of positions. On 4x4, all positions are used.", default=1000, lowest=1
    )
    empties: int = whole_number(
        "Number of empty squares in each position. The time is three to four times as long for each "
        "further empty square.",
        default=10,
        lowest=1,
        highest=22,
    )
    by: str = option(
        "The player that plays the games from which the positions come, such as noisy:positional,share=0.3.",
        default="random",
        metavar="TEXT",
        shell_complete=fields.complete_player,
    )
    worst: int = whole_number("Maximum number of mistakes to print.", default=5)
    seed: int = fields.seed("Seed of the positions and of the player.")
    as_json: bool = fields.json_flag()
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Count how many moves of PLAYER are exactly right, in positions that the solver can solve.

    A right move keeps a won game won and a drawn game drawn. A best move also gives the largest possible disc
    difference. On 4x4, PLAYER chooses a move in every possible position, and plays every possible game. On
    boards larger than 4x4, PLAYER chooses moves in positions near the end. PLAYER is a run, the path of a
    checkpoint, or a player such as greedy. `othello players` lists the players.
    """
    from othello_lab.experiment.study.truth import EVERYWHERE, as_text, compared
    from othello_lab.game.catalogue import make

    named_player = named(options.player, options.runs_dir, "PLAYER")
    size, seed = chosen_size(options.size, named_player), options.seed
    useless = sorted(explicit_options() & {*SAMPLING})
    if size == EVERYWHERE and useless:
        raise click.UsageError(f"on {size}x{size} every position is asked about: leave --{useless[0]} out")
    sample = {name: getattr(options, name) for name in SAMPLING}
    with blaming("PLAYER"):
        player = make(named_player.text, size)
    with closing(player):
        report = compared(player, size, seed, Console(stderr=True), options.worst, **sample)
    if options.as_json:
        about = {"player": named_player.text, "size": size, "seed": seed}
        click.echo(json.dumps(about | ({} if size == EVERYWHERE else sample) | report, indent=2))
        return
    where = "every position with a legal move"
    if size != EVERYWHERE:
        drawn = "{positions:,} positions with {empties} empty squares, played by {by}".format(**sample)
        where = f"{drawn}, seed {seed}"
    click.echo("\n".join([f"{named_player.name} on {size}x{size}, {where}", *as_text(report)]))
