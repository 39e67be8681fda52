"""`othello play`: a person at the console against any opponent or a trained agent."""

import os
import sys
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

    from console.opponent import SeatFor
    from console.table import Table
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
@click.option("--plain", is_flag=True, help="Lines of text, as for a pipe or a screen reader.")
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
    plain: bool,
    seed: int | None,
    runs_dir: Path,
) -> None:
    """Play against TEXT: a run's name, the path of a run's folder or of a checkpoint, or a player of `othello
    players` such as greedy or search:time=1; without it against the strongest level, with `human` against
    another person. `help` in the game lists what you can type.
    """
    # Imported here, so that --help need not wait for numba.
    from console.wording import transcript_lines
    from experiment.display import shell_commands

    words, option = _opponent(text, level)
    table = _table(words, option, size, colour, transcript, hint, seed, runs_dir)
    if text is None and level is None:
        click.echo(f"Against {words}, the strongest; --level 1 is the weakest.")
    code = _play_plain(table) if plain or not _has_screen() else _play_on_screen(table)
    again = shell_commands.othello("play", *_again(table), *_said(context, "hint", "runs_dir"))
    for line in transcript_lines(table.sitting.game, again):
        click.echo(line)
    if code:
        raise SystemExit(code)


def _has_screen() -> bool:
    """Tell whether there is a terminal that the full-screen program can draw on."""
    if "TEXTUAL_DRIVER" in os.environ:  # a browser's
        return True
    # It reads stdin and draws on stderr.
    streams = sys.stdin, sys.stdout, sys.stderr
    return os.environ.get("TERM") not in ("dumb", "unknown") and all(stream.isatty() for stream in streams)


def _play_on_screen(table: "Table") -> int:
    """Play on the whole screen and return the exit code."""
    from console.screen.program import play

    return play(table)


def _play_plain(table: "Table") -> int:
    """Play in lines of text and return the exit code."""
    from rich.console import Console

    from console.plain.match import Match
    from console.plain.terminal import Terminal, read_any_bytes

    read_any_bytes()
    match = Match(table, Terminal(Console(highlight=False)))
    match.play()
    return INTERRUPTED if match.interrupted else 0


def _table(
    words: str,
    option: str,
    size: int | None,
    colour: str,
    transcript: str,
    hint: str,
    seed: int | None,
    runs_dir: Path,
) -> "Table":
    """Return the game as the options say; raise click.BadParameter."""
    import numpy as np

    from console.opponent import Listener
    from console.sitting import Sitting
    from console.table import HUMAN, Table
    from game.threads import use_threads

    use_threads(1)
    streams = np.random.SeedSequence(seed)
    draw, *_ = map(np.random.default_rng, streams.spawn(1))
    seat_for = _maker(runs_dir, streams)
    opponent = None if words == HUMAN else named(words, runs_dir, option)
    size = size or (opponent and opponent.size) or DEFAULT_SIZE
    game = _start(size, transcript)
    with blaming(option):
        theirs = None if words == HUMAN else seat_for(words, size)
    with blaming("--hint"):
        adviser = seat_for(hint, size)
    side = _side(colour, bool(draw.integers(2)))
    return Table(Sitting(game, {side: None, side.other: theirs}), Listener(adviser), seat_for)


def _maker(runs_dir: Path, streams: "np.random.SeedSequence") -> "SeatFor":
    """Return what makes players, each with randomness of its own: a hint changes no later move."""
    import numpy as np

    from agent.trained import board_size
    from console.opponent import Seat
    from experiment.results.player_names import find
    from game.players import make

    def seat_for(text: str, size: int) -> Seat:
        found = find(text, runs_dir, board_size)
        return Seat(found.name, make(found.text, size), np.random.default_rng(*streams.spawn(1)), text)

    return seat_for


def _again(table: "Table") -> list[str]:
    """Return the words of a command line that plays on with the same opponent on the same board."""
    from console.table import HUMAN

    theirs = table.theirs
    seat = table.sitting.seats[theirs]
    return [seat.text if seat else HUMAN, f"--size={table.size}", f"--colour={theirs.other.value}"]


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


def _side(colour: str, heads: bool) -> "Colour":
    from game import Colour

    if colour == "random":
        return Colour.BLACK if heads else Colour.WHITE
    return Colour(colour)
