"""`othello play`: a person at the console against any opponent or a trained agent."""

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from othello.completion import a_player_or_run
from othello.ending import blaming, reported_errors
from othello.groups import Command, section
from othello.options import Seed, runs_dir_option
from othello.permission import is_agreed
from othello.seating import Wishes, new_table, resumed_table, shelf, strongest
from othello.terminals import has_screen, in_browser, keep_to_ascii
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from console.kept_games import KeptGame, Place
    from console.table import Table
    from game import Game

COLOURS = ("black", "white", "random")
_OF_ONE_SCREEN = ("text", "web", "port", "plain", "resume", "screenshot")
"""What is not handed on, as an option, to each screen of a browser."""


@click.command(cls=Command)
@click.argument("text", required=False, shell_complete=a_player_or_run)
@section(
    "The game",
    click.option(
        "--level",
        type=int,
        metavar="1-10",
        help="Instead of TEXT: from 1, who plays almost at random, to 10, the strongest here.  [default: 10]",
    ),
    click.option(
        "--size", type=int, help="Length of a side: even, 4 to 16.  [default: the opponent's, or 8]"
    ),
    click.option(
        "--colour",
        "--color",
        "colour",
        type=click.Choice(COLOURS),
        default="black",
        show_default=True,
        help="Your side; black moves first.",
    ),
    click.option(
        "--transcript", default="", metavar="MOVES|POSITION", help="Begin from here, such as f5d6c3."
    ),
    click.option("--load", metavar="FILE", help="Go on with a game of a file: .txt, .jsonl, .ggf, .wtb."),
    click.option(
        "--number", type=click.IntRange(1), default=1, show_default=True, help="Which game of --load's file."
    ),
    click.option("--resume", is_flag=True, help="Go on with the last game that was not finished."),
    click.option(
        "--hint",
        default="search:time=1",
        show_default=True,
        metavar="TEXT",
        shell_complete=a_player_or_run,
        help="The player that gives hints.",
    ),
    click.option("--seed", type=Seed(), help="Seed of the opponent's randomness.  [default: a new one]"),
)
@section(
    "The screen",
    click.option("--plain", is_flag=True, help="Lines of text, for a pipe or a screen reader."),
    click.option("--web", is_flag=True, help="Play in a browser on this machine: each tab has a game."),
    click.option(
        "--port", type=click.IntRange(0, 65535), default=0, help="Port of --web.  [default: any free one]"
    ),
    click.option(
        "--screenshot", type=click.Path(path_type=Path), help="Draw the screen with hints (.svg), and end."
    ),
)
@runs_dir_option("Where run folders are.")
@click.pass_context
def command(context: click.Context, /, **values: Any) -> None:  # noqa: ANN401  each option has its type
    """Play Othello against TEXT, or against a level.

    TEXT is a run's name, the path of a run's folder or of a checkpoint, a player of `othello players` such as
    greedy or search:time=1, or `human` for another person. Without TEXT and --level you play the strongest
    level. Type `help` in the game to see what you can type. An interrupted game is offered again.
    """
    # Imported here, so that --help need not wait for numba.
    from game.kernels.compiling_notice import followed
    from game.threads import use_threads

    use_threads(1)
    if values["port"] and not values["web"]:
        raise click.BadParameter("this is the port of the page: add --web", param_hint="--port")
    if values["web"]:
        return _serve(context, values["port"])
    if values["screenshot"]:
        return _draw(context, values["screenshot"])
    keep_to_ascii()
    with followed():
        table = _table(context)
    code = _play_plain(table) if values["plain"] or not has_screen() else _play_on_screen(table)
    if not in_browser():
        _say_how_to_go_on(context, table)
    raise SystemExit(code)


def _serve(context: click.Context, port: int) -> None:
    """Serve the full-screen program with the options that were given."""
    from console.screen import web

    if context.params["plain"] or context.params["resume"]:
        raise click.UsageError("--web shows a new game in each tab, on a full screen: leave out the rest")
    new_table(_wishes(context)).close()  # what is wrong is told here, not in every tab
    text = context.params["text"]
    names = [name for name in context.params if name not in _OF_ONE_SCREEN]
    agreed = ["--yes"] if is_agreed() else []
    words = [*([text] if text else []), *_said(context, *names), *agreed]

    def say(url: str) -> None:
        click.echo(f"The board is at {url} until Ctrl-C")

    with blaming("--port"):
        web.serve([sys.executable, "-m", "othello", "play", *words], port, say)


def _draw(context: click.Context, path: Path) -> None:
    """Draw the screen as the game begins, with what the moves are worth."""
    from console.screen.screenshot import screenshot

    with reported_errors():
        path.write_text(screenshot(new_table(_wishes(context))), "utf-8")


def _play_on_screen(table: "Table") -> int:
    """Play on the whole screen and return the exit code."""
    from console.screen.program import play

    return play(table)


def _play_plain(table: "Table") -> int:
    """Play in lines of text and return the exit code."""
    from console.plain.match import Match
    from console.plain.terminal import standard_terminal

    match = Match(table, standard_terminal())
    match.play()
    return INTERRUPTED if match.interrupted else 0


def _table(context: click.Context) -> "Table":
    """Return what the options and the person's answers say; raise click.BadParameter or UsageError."""
    wishes = _wishes(context)
    if found := _unfinished(context):
        with ExitStack() as held:  # until it is gone on with
            held.callback(found[0].close)
            hint = context.params["hint"] if _is_given(context, "hint") else None
            table = resumed_table(*found, wishes, hint)
            held.pop_all()
            return table
    table = new_table(wishes)
    if wishes.opponent is None and not in_browser():
        click.echo(f"Against {strongest()}, the strongest; --level 1 is the weakest.")
    return table


def _unfinished(context: click.Context) -> "tuple[Place, KeptGame] | None":
    """Return the game to go on with, None for a new one; raise click.UsageError where --resume has none."""
    from console.plain.offer import Offer
    from console.plain.terminal import standard_terminal

    resume, begun = context.params["resume"], [n for n in ("transcript", "load") if _is_given(context, n)]
    if resume and begun:
        raise click.UsageError(f"--resume and --{begun[0]} both say where the game begins: leave one out")
    if begun or in_browser():
        return None
    with Offer(shelf(), standard_terminal()) as offer:
        found = offer.newest() if resume else offer.ask()
    if resume and not found:
        raise click.UsageError(f"--resume: there is no unfinished game in {shelf().folder}")
    return found


def _wishes(context: click.Context) -> Wishes:
    values = context.params
    opponent, option = _opponent(values["text"], values["level"])
    start = partial(_start, transcript=values["transcript"], load=values["load"], number=values["number"])
    rest = {name: values[name] for name in ("size", "colour", "hint", "seed", "runs_dir")}
    return Wishes(opponent, option, start=start, **rest)


def _opponent(text: str | None, level: int | None) -> tuple[str | None, str]:
    """Return who plays against the person, and which argument or option says so."""
    if text is None:
        return None if level is None else f"level:{level}", "--level"
    if level is not None:
        raise click.UsageError("TEXT and --level both say who plays against you: leave one out")
    return text, "TEXT"


def _start(size: int, transcript: str, load: str | None, number: int) -> "Game":
    """Return the game to go on with; raise click.BadParameter."""
    from console import saving
    from game.board import check_size
    from game.start import parse_start

    with blaming("--size"):
        check_size(size)
    if load:
        with blaming("--load"):
            return saving.load(load, number, size).game
    with blaming("--transcript"):
        return parse_start(transcript, size)


def _say_how_to_go_on(context: click.Context, table: "Table") -> None:
    """Print the moves, and the commands that go on from here."""
    from console.wording import transcript_lines
    from experiment.show import shell_commands

    rest = _said(context, "hint", "runs_dir")
    again = shell_commands.othello("play", *_again(table), *rest)
    for line in transcript_lines(table.sitting.game, again):
        click.echo(line)
    if table.keeper.is_keeping:
        click.echo(f"The game is kept: {shell_commands.othello('play', '--resume', *rest)}")


def _again(table: "Table") -> list[str]:
    """Return the words of a command line that plays on with the same opponent on the same board."""
    from console.table import HUMAN

    theirs = table.theirs
    seat = table.sitting.seats[theirs]
    return [seat.text if seat else HUMAN, f"--size={table.size}", f"--colour={theirs.other.value}"]


def _said(context: click.Context, *names: str) -> list[str]:
    """Return the options of these names that were given, as words of a command line."""
    given = [name for name in names if _is_given(context, name)]
    return [f"--{name.replace('_', '-')}={context.params[name]}" for name in given]


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT
