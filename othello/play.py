"""`othello play`: a person at the console against any opponent or a trained agent."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from othello.completion import a_player_or_run
from othello.ending import blaming
from othello.options import DEFAULT_SIZE, Seed, runs_dir_option
from othello.player_names import named
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    import numpy as np

    from console.opponent import Seat
    from experiment.results.player_names import Named
    from game import Colour, Game

COLOURS = ("black", "white", "random")


@click.command()
@click.argument("text", required=False, shell_complete=a_player_or_run)
@click.option(
    "--level",
    type=int,
    metavar="1-10",
    help="In place of TEXT: from near-random, 1, to the strongest here.  [default: 10]",
)
@click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the opponent's, or 8]")
@click.option(
    "--colour",
    "--color",
    "colour",
    type=click.Choice(COLOURS),
    default="black",
    show_default=True,
    help="Your side; black moves first.",
)
@click.option("--transcript", default="", metavar="MOVES", help="Play on from here, such as f5d6c3.")
@click.option(
    "--hint",
    default="search:time=1",
    show_default=True,
    metavar="TEXT",
    shell_complete=a_player_or_run,
    help="Who gives hints.",
)
@click.option("--seed", type=Seed(), help="Of the opponent's randomness.  [default: new each time]")
@runs_dir_option("Where run folders are.")
@click.pass_context
def command(
    context: click.Context,
    text: str | None,
    level: int | None,
    size: int | None,
    colour: str,
    transcript: str,
    hint: str,
    seed: int | None,
    runs_dir: Path,
) -> None:
    """Play against TEXT: a run's name, the path of a run's folder or of a checkpoint, or a player of `othello
    players` such as greedy or search:time=1; without it against the strongest level. `help` in the game lists
    what you can type.
    """
    # Imported here, so that --help need not wait for numba.
    import numpy as np
    from rich.console import Console

    from console.play import Match
    from console.wording import transcript_lines
    from experiment.display import shell_commands
    from game.threads import use_threads

    use_threads(1)
    words, option = _opponent(text, level)
    opponent, adviser = named(words, runs_dir, option), named(hint, runs_dir, "--hint")
    size = size or opponent.size or DEFAULT_SIZE
    game = _start(size, transcript)
    draw, *own = (np.random.default_rng(stream) for stream in np.random.SeedSequence(seed).spawn(3))
    # The hints have randomness of their own: they do not change what the opponent does next.
    seats = _seat(opponent, size, own[0], option), _seat(adviser, size, own[1], "--hint")
    side = _side(colour, bool(draw.integers(2)))
    if text is None and level is None:
        click.echo(f"Against {opponent.name}, the strongest; --level 1 is the weakest.")
    match = Match(game, side, *seats, Console(highlight=False))
    match.play()
    again = [words, f"--size={size}", f"--colour={side.value}", *_said(context, "hint", "runs_dir")]
    for line in transcript_lines(game, shell_commands.othello("play", *again)):
        click.echo(line)
    if match.interrupted:
        raise SystemExit(INTERRUPTED)


def _opponent(text: str | None, level: int | None) -> tuple[str, str]:
    """Return who plays against the person, and which argument or option says so."""
    from game.players.levels import STRONGEST

    if text is None:
        return f"level:{STRONGEST if level is None else level}", "--level"
    if level is not None:
        raise click.UsageError("TEXT and --level both say who plays against you: leave one out")
    return text, "TEXT"


def _said(context: click.Context, *names: str) -> list[str]:
    """Return the options of these names that were given, as words of a command line."""
    given = [name for name in names if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    return [f"--{name.replace('_', '-')}={context.params[name]}" for name in given]


def _start(size: int, transcript: str) -> "Game":
    from game import Game
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    with blaming("--transcript"):
        return Game.from_transcript(transcript, size)


def _seat(player: "Named", size: int, rng: "np.random.Generator", option: str) -> "Seat":
    from console.opponent import Seat
    from game.players import make

    with blaming(option):
        return Seat(player.name, make(player.text, size), rng)


def _side(colour: str, heads: bool) -> "Colour":
    from game import Colour

    if colour == "random":
        return Colour.BLACK if heads else Colour.WHITE
    return Colour(colour)
