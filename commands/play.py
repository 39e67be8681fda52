"""`othello play`: play against a player, a trained agent or a person."""

import os
import sys
import webbrowser
from contextlib import ExitStack
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import click

from othello_lab.commands.checks import named
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import allowed, dashed, explicit_options, refuse, takes
from othello_lab.commands.seating import Options, new_game, resumed_game, save_folder, settings_of, start
from rlglue.scripts import INTERRUPTED

if TYPE_CHECKING:
    from othello_lab.console.controller import Controller
    from othello_lab.console.page.tabs import Make
    from othello_lab.console.saving import SavedGame, SaveFile
    from othello_lab.experiment.show.site import Files


@takes(Options, one_thread=True)
def command(options: Options) -> None:
    """Play Othello against TEXT, or against a level.

    TEXT is a run, the path of a checkpoint, a player such as greedy, or `human` for another person. `othello
    players` lists the players. TEXT can also be the command of an RL-Glue agent, such as "python
    my_agent.py". Without TEXT and --level, you play against the strongest level. Type `help` in the game for
    a list of commands. If a game is interrupted, the next `othello play` offers to continue the game.
    """
    if not options.web:
        refuse(["port", "no_open"], "this option is for the page: add --web")
    if options.text is not None and options.level is not None:
        raise click.UsageError("TEXT and --level both say who plays against you: leave one out")
    if options.resume:
        refuse(["load"], "--resume also says where the game begins: leave one out")
    if not options.load:
        refuse(["number"], "there is no file: name a file with --load")
    if options.web:
        refuse(["plain", "resume"], "--web shows a new game in each tab: leave out --plain and --resume")
        _serve(options)
        return
    control = _game(options)
    code = _play(control, on_screen=has_screen() and not options.plain)
    _print_next_commands(options, control)
    raise SystemExit(code)


def _play(control: "Controller", on_screen: bool) -> int:
    if on_screen:
        from othello_lab.console.screen.program import play

        return play(control)
    from othello_lab.console.plain import PlainView
    from othello_lab.console.terminal import standard_terminal

    view = PlainView(control, standard_terminal())
    view.play()
    return INTERRUPTED if view.interrupted else 0


def _game(options: Options) -> "Controller":
    if unfinished := _unfinished(options):
        with ExitStack() as held:  # unlocks the file if the game cannot be resumed
            held.callback(unfinished[0].release)
            control = resumed_game(*unfinished, options)
            held.pop_all()
            return control
    from othello_lab.game.players.noisy import STRONGEST

    control = new_game(options)
    if options.opponent[0] is None:
        click.echo(f"Against level {STRONGEST}, the strongest; --level 1 is the weakest.")
    return control


def _unfinished(options: Options) -> "tuple[SaveFile, SavedGame] | None":
    from othello_lab.console.plain import unfinished
    from othello_lab.console.terminal import standard_terminal

    if options.load is not None:
        return None
    game = unfinished(save_folder(), standard_terminal(), newest=options.resume)
    if options.resume and not game:
        raise click.UsageError(f"--resume: there is no unfinished game in {save_folder()}")
    return game


def _print_next_commands(options: Options, control: "Controller") -> None:
    from othello_lab.console.seat import HUMAN
    from othello_lab.console.wording import transcript_lines
    from othello_lab.experiment.show.wording import othello
    from othello_lab.game import Board

    repeated = [name for name in ("hint", "runs_dir") if name in explicit_options()]
    rest = [*(f"--{dashed(name)}={getattr(options, name)}" for name in repeated), *allowed()]
    side, record, size = control.opponent, control.sitting.record(), f"--size={control.size}"
    seat, game = control.sitting.seats[side], record.game
    again = [seat.text if seat else HUMAN, size, f"--colour={side.other.value}", *rest]
    for line in transcript_lines(game, othello("play", *again)):
        click.echo(line)
    # A transcript does not describe a game that began from another position.
    is_whole = record.is_over and game.moves and game.start == Board.start(control.size)
    if is_whole and len(control.sitting.people) == 1:
        click.echo(f"Learn from your mistakes: {othello('review', game.transcript(), size)}")
    if control.save_file.exists:
        click.echo(f"The game is kept: {othello('play', '--resume', *rest)}")


def has_screen() -> bool:
    """Return whether the full-screen program can draw on this terminal."""
    # The program reads stdin and draws on stderr, with Unicode characters.
    streams = sys.stdin, sys.stdout, sys.stderr
    is_unicode = sys.stderr.encoding.lower().startswith("utf")
    can_draw = is_unicode and os.environ.get("TERM") not in ("dumb", "unknown")
    return can_draw and all(stream.isatty() for stream in streams)


def _serve(options: Options) -> None:
    """Serve the page until Ctrl-C. Raises click.BadParameter or UsageError for invalid options."""
    from othello_lab.console.page.tabs import Tabs
    from othello_lab.console.seat import offered
    from othello_lab.experiment.show import site
    from othello_lab.game.catalogue import BUILT_IN, PLAYERS
    from othello_lab.game.short_names import short_name

    def say(url: str) -> None:
        click.echo(f"The board is at {url} until Ctrl-C")
        # Only with a window system, because a text browser would take over this terminal.
        has_window = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
        if not options.no_open and (has_window or sys.platform in ("darwin", "win32")):
            webbrowser.open(url)

    opponent, size, _ = settings_of(options)
    first = start(options, size)
    named(options.hint, options.runs_dir, "--hint")
    # The labels of the players to choose from, by their texts.
    players = offered(people=True) | offered(people=False)
    players |= {name: name for name in BUILT_IN if not PLAYERS.entry(name).argument}
    players |= {text: players.get(text, short_name(text)) for text in (opponent, options.hint)}
    tabs = Tabs(_maker(options), save_folder(), first.board, players)
    try:
        with blaming("--port"):
            site.serve(site.Site(files, post={"/game": tabs.answer}), options.port, say)
    finally:
        tabs.close()


def _maker(options: Options) -> "Make":
    """Return a function that makes games. Threads of the server may call the function."""
    context, lock = click.get_current_context(), Lock()

    def make(file: "SaveFile", saved: "SavedGame | None") -> "Controller":
        with lock, context.scope(cleanup=False):
            try:
                return resumed_game(file, saved, options, on_page=True) if saved else new_game(options, file)
            except click.ClickException as error:
                raise ValueError(error.format_message()) from None

    return make


@cache
def files() -> "Files":
    """Return the files of the page, by the paths in their URLs."""
    from importlib.resources import files as packaged

    from othello_lab.experiment.show.pages.page import style_of_pages, web_file

    folder = packaged("othello_lab.console.page")
    style = style_of_pages() + (folder / "play.css").read_text("utf-8")
    contents = {
        "/": ("text/html", (folder / "play.html").read_bytes()),
        "/style.css": ("text/css", style.encode()),
        "/board.js": ("text/javascript", web_file("board.js").encode()),
        "/graph.js": ("text/javascript", web_file("graph.js").encode()),
    }
    scripts = [file for file in folder.iterdir() if file.name.endswith(".js")]
    return contents | {f"/{file.name}": ("text/javascript", file.read_bytes()) for file in scripts}
