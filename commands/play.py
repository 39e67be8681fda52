"""`othello play`: a person at the console against any opponent or a trained agent."""

import os
import sys
import webbrowser
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from othello_lab.commands.ending import blaming
from othello_lab.commands.options import given, refuse, takes
from othello_lab.commands.programs import allowed
from othello_lab.commands.reporting import reported_errors
from othello_lab.commands.seating import Options, new_table, resumed_table, shelf
from rlglue.scripts import INTERRUPTED

if TYPE_CHECKING:
    from othello_lab.console.controller import Controller
    from othello_lab.console.saving import SavedGame, SaveFile

_BEGINNINGS: Final = {"openings", "load", "transcript"}
"""Options that say where the game begins."""


@takes(Options, one_thread=True)
def command(said: Options) -> None:
    """Play Othello against TEXT, or against a level.

    TEXT is a run's name, the path of a run's folder or of a checkpoint, a player of `othello players` such as
    greedy or search:time=1, the command of an RL-Glue agent such as "python my_agent.py", or `human` for
    another person. Without TEXT and --level you play the strongest
    level. Type `help` in the game to see what you can type. An interrupted game is offered again.
    """
    if said.port and not said.web:
        raise click.BadParameter("this is the port of the page: add --web", param_hint="--port")
    if said.no_open and not said.web:
        raise click.BadParameter("this is about the page: add --web", param_hint="--no-open")
    if said.text is not None and said.level is not None:
        raise click.UsageError("TEXT and --level both say who plays against you: leave one out")
    if len(begun := sorted(given() & _BEGINNINGS)) > 1:
        raise click.UsageError(f"--{' and --'.join(begun)} both say where the game begins: leave one out")
    if "load" not in begun:
        refuse(["number"], "there is no file: name one with --load, or leave this out")
    if said.screenshot:
        refuse(["web", "resume"], "--screenshot draws a new game, on the screen")
    if said.web:
        return _serve(said)
    keep_to_ascii()
    if said.screenshot:
        return _draw(said, said.screenshot)
    table = _table(said)
    code = _play(table, on_screen=has_screen() and not said.plain)
    _say_how_to_go_on(said, table)
    raise SystemExit(code)


def _serve(said: Options) -> None:
    """Serve the page with the options that were given."""
    from othello_lab.commands.play_page import serve

    if said.plain or said.resume:
        raise click.UsageError("--web shows a new game in each tab: leave out --plain and --resume")

    def say(url: str) -> None:
        click.echo(f"The board is at {url} until Ctrl-C")
        if not said.no_open and _has_desktop():
            webbrowser.open(url)

    with blaming("--port"):
        serve(said, say)


def _has_desktop() -> bool:
    """Tell whether a browser would open in a window of its own, not in this terminal."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _draw(said: Options, path: Path) -> None:
    """Draw the screen as the game begins, with what the moves are worth."""
    from othello_lab.console.screen.picture import screenshot
    from othello_lab.game import files

    with reported_errors():
        files.replace(path, screenshot(new_table(said)))


def _play(control: "Controller", on_screen: bool) -> int:
    """Play on the whole screen or in lines of text, and return the exit code."""
    if on_screen:
        from othello_lab.console.screen.program import play

        return play(control)
    from othello_lab.console.plain import PlainView
    from othello_lab.console.terminal import standard_terminal

    view = PlainView(control, standard_terminal())
    view.play()
    return INTERRUPTED if view.interrupted else 0


def _table(said: Options) -> "Controller":
    """Return what the options and the person's answers say; raise click.BadParameter or UsageError."""
    if found := _unfinished(said):
        with ExitStack() as held:  # until it is gone on with
            held.callback(found[0].release)
            table = resumed_table(*found, said)
            held.pop_all()
            return table
    from othello_lab.game.players.noisy import STRONGEST

    table = new_table(said)
    table.is_loaded = bool(said.load or said.transcript)
    if said.text is None and said.level is None:
        click.echo(f"Against level {STRONGEST}, the strongest; --level 1 is the weakest.")
    return table


def _unfinished(said: Options) -> "tuple[SaveFile, SavedGame] | None":
    """Return the game to go on with, None for a new one; raise click.UsageError where --resume has none."""
    from othello_lab.console.plain import unfinished
    from othello_lab.console.terminal import standard_terminal

    begun = given() & _BEGINNINGS
    if said.resume and begun:
        raise click.UsageError(f"--resume and --{min(begun)} both say where the game begins: leave one out")
    if begun:
        return None
    found = unfinished(shelf(), standard_terminal(), newest=said.resume)
    if said.resume and not found:
        raise click.UsageError(f"--resume: there is no unfinished game in {shelf().folder}")
    return found


def _say_how_to_go_on(said: Options, table: "Controller") -> None:
    """Print the moves, and the commands that go on from here."""
    from othello_lab.console.wording import transcript_lines
    from othello_lab.experiment.show import wording

    rest = [*_words(said, "hint", "runs_dir"), *allowed()]
    again = wording.othello("play", *_again(table), *rest)
    for line in transcript_lines(table.sitting.record().game, again):
        click.echo(line)
    if words := _review(table):
        click.echo(f"Learn from your mistakes: {wording.othello(*words)}")
    if table.save_file.exists:
        click.echo(f"The game is kept: {wording.othello('play', '--resume', *rest)}")


def _again(table: "Controller") -> list[str]:
    """Return the words of a command line that plays on with the same opponent on the same board."""
    from othello_lab.console.seat import HUMAN

    theirs = table.opponent
    seat = table.sitting.seats[theirs]
    return [seat.text if seat else HUMAN, f"--size={table.size}", f"--colour={theirs.other.value}"]


def _review(table: "Controller") -> list[str]:
    """Return the arguments that review a finished game against a player.

    Empty for a game that a transcript does not describe: one that began from another position.
    """
    from othello_lab.game import Board

    people, record = table.sitting.people, table.sitting.record()
    game = record.game
    if not record.is_over or len(people) != 1 or not game.moves or game.start != Board.start(table.size):
        return []
    return ["review", game.transcript(), f"--size={table.size}"]


def _words(said: Options, *names: str) -> list[str]:
    """Return the options of these names that were given, as words of a command line."""
    return [f"--{name.replace('_', '-')}={getattr(said, name)}" for name in names if name in given()]


def keep_to_ascii() -> None:
    """Write nothing but ASCII to a terminal whose locale is C by name, where Python itself would write UTF-8.

    Where no locale is named at all, as in containers, terminals understand UTF-8.
    """
    named = os.environ.get("LC_ALL") or os.environ.get("LANG")
    if named in ("C", "POSIX") and sys.flags.utf8_mode and "PYTHONUTF8" not in os.environ:
        for stream in (sys.stdout, sys.stderr):
            if stream.isatty() and isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="ascii", errors="backslashreplace")


def has_screen() -> bool:
    """Tell whether there is a terminal that the full-screen program can draw on."""
    # It reads stdin and draws on stderr, in characters that only Unicode has.
    streams = sys.stdin, sys.stdout, sys.stderr
    is_unicode = sys.stderr.encoding.lower().startswith("utf")
    can_draw = is_unicode and os.environ.get("TERM") not in ("dumb", "unknown")
    return can_draw and all(stream.isatty() for stream in streams)
