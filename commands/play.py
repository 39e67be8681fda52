"""`othello play`: play against a player, a trained agent or a person."""

import os
import sys
import webbrowser
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_state_path

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.draw import draw_last
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import (
    allowed,
    dashed,
    explicit_options,
    option,
    options,
    refuse,
    takes,
    whole_number,
)
from othello_lab.game.program_trust import note
from rlglue.scripts import INTERRUPTED

if TYPE_CHECKING:
    import numpy as np

    from othello_lab.console.controller import Controller
    from othello_lab.console.page.tabs import Make
    from othello_lab.console.saving import SavedGame, SaveFile
    from othello_lab.console.seat import SeatFor
    from othello_lab.console.sitting import Sitting
    from othello_lab.experiment.show.site import Files
    from othello_lab.game import Game

STATE: Final = "OTHELLO_STATE"  # The environment variable that overrides the folder of unfinished games.


@options
class Options:
    """The options of `othello play`."""

    text: str | None = fields.player_argument(required=False)
    level: int | None = option(
        "Level of the opponent, instead of TEXT. Level 1 is almost random, and level 10 is the strongest.  "
        "[default: 10]",
        metavar="1-10",
        section="The game",
    )
    size: int | None = fields.players_size("the opponent")
    colour: str | None = option(
        "Your colour. Black moves first.  [default: black, but white against a run that was trained as "
        "black]",
        "--colour",
        "--color",
        type=click.Choice(("black", "white", "random")),
    )
    load: str | None = option(
        "Begin after these moves, such as f5d6c3, from this position, or with the game in this file (.txt, "
        ".jsonl, .ggf, .wtb, .sgf or .pgn).",
        metavar="MOVES|POSITION|FILE",
    )
    number: int = whole_number("Number of the game in the file of --load.", default=1, lowest=1)
    resume: bool = option("Continue the last unfinished game.")
    hint: str = fields.player("The player that gives hints.", default="search:time=1")
    seed: int | None = fields.seed(
        "Seed of the opponent's random choices.  [default: a new seed]", default=None
    )
    plain: bool = option("Print lines of text, for a pipe or a screen reader.", section="The screen")
    web: bool = option("Play in a browser on this machine. Each tab has its own game.")
    no_open: bool = option("With --web, do not open a browser.")
    port: int = fields.page_port("the page of --web")
    runs_dir: Path = fields.runs_dir()

    @property
    def opponent(self) -> tuple[str | None, str]:
        """The opponent's text (None for the default), and the option that sets the text."""
        if self.text is not None:
            return self.text, "TEXT"
        return None if self.level is None else f"level:{self.level}", "--level"


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
    # A transcript cannot describe a game that starts from another position.
    is_whole = record.is_over and game.moves and game.start == Board.start(control.size)
    if is_whole and len(control.sitting.people) == 1:
        click.echo(f"Learn from your mistakes: {othello('review', game.transcript(), size)}")
    if control.save_file.exists:
        click.echo(f"The game is kept: {othello('play', '--resume', *rest)}")


def has_screen() -> bool:
    """Return whether the full-screen program can draw on this terminal."""
    streams = sys.stdin, sys.stdout, sys.stderr  # the program reads stdin and draws Unicode on stderr
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
    players = offered(people=True) | offered(people=False)  # labels of the offered players, by registry text
    players |= {name: name for name in BUILT_IN if not PLAYERS.entry(name).argument}
    players |= {text: players.get(text, short_name(text)) for text in (opponent, options.hint)}
    tabs = Tabs(_maker(options), save_folder(), first.board, players)
    try:
        with blaming("--port"):
            site.serve(site.Site(files, post={"/game": tabs.answer}), options.port, say)
    finally:
        tabs.close()


def _maker(options: Options) -> "Make":
    """Return a thread-safe function that creates or resumes a game."""
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
    """Return the files of the page, by URL path."""
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


def save_folder() -> Path:
    """Return the folder of unfinished games."""
    state = Path(os.environ.get(STATE) or user_state_path("othello-lab", appauthor=False))
    return state / "games"


def settings_of(options: Options) -> tuple[str, int, str]:
    """Return the opponent's text, the board size, and the person's colour. Raises click.UsageError.

    The colour is black, white or random. By default, the person has the
    other colour of an agent that was trained with one colour.
    """
    from othello_lab.console.seat import HUMAN
    from othello_lab.game.players.noisy import STRONGEST

    text, place = options.opponent
    text = text or f"level:{STRONGEST}"
    players = [] if text == HUMAN else [named(text, options.runs_dir, place)]
    usual = "white" if any(player.colour == "black" for player in players) else "black"
    return text, chosen_size(options.size, *players), options.colour or usual


def new_game(options: Options, file: "SaveFile | None" = None) -> "Controller":
    """Return the controller of a new game, saved in `file`. Raises click.UsageError for invalid options."""
    import numpy as np

    from othello_lab.console.saving import new_file
    from othello_lab.console.seat import HUMAN
    from othello_lab.console.sitting import Sitting
    from othello_lab.game import Colour

    streams = np.random.SeedSequence(options.seed)
    heads = bool(np.random.default_rng(*streams.spawn(1)).integers(2))
    text, size, colour = settings_of(options)
    if colour == "random":
        colour = "black" if heads else "white"
    game = start(options, size)
    seat_for = _seats(options.runs_dir, streams)
    with blaming(options.opponent[1]):
        opponent = None if text == HUMAN else seat_for(text, game.size)
    side = Colour(colour)
    sitting = Sitting(game, {side: None, side.other: opponent})
    return _control(sitting, options.hint, seat_for, file or new_file(save_folder()))


def resumed_game(
    file: "SaveFile", saved: "SavedGame", options: Options, on_page: bool = False
) -> "Controller":
    """Return the controller of a saved game. Raises click.UsageError if a player cannot be made.

    On a terminal, the options' opponent and adviser replace the saved players.
    """
    import numpy as np

    from othello_lab.console.seat import HUMAN
    from othello_lab.console.sitting import Sitting
    from othello_lab.game import Colour

    seat_for = _seats(options.runs_dir, np.random.SeedSequence(options.seed))
    opponent, where = (None, "") if on_page else options.opponent
    hint = options.hint if "hint" in explicit_options() and not on_page else saved.adviser
    texts = dict(saved.seats)
    if opponent:
        side = next((colour for colour, text in texts.items() if text is not None), Colour.WHITE)
        texts[side] = None if opponent == HUMAN else opponent
    note(file.path, [*saved.seats.values(), saved.adviser])
    with blaming(where if opponent else "--resume"):
        size = saved.game.size
        seats = {colour: None if text is None else seat_for(text, size) for colour, text in texts.items()}
    sitting = Sitting(saved.game, seats)
    sitting.go_to(saved.ply)
    return _control(sitting, hint, seat_for, file)


def start(options: Options, size: int) -> "Game":
    """Return the game of --load, or a new game. Raises click.BadParameter for an invalid option."""
    from othello_lab.console import files
    from othello_lab.game import Board, Game

    if options.load is None:
        return Game(Board.start(size))
    with blaming("--load"):
        return files.load(options.load, options.number, size).game


def _control(sitting: "Sitting", hint: str, seat_for: "SeatFor", file: "SaveFile") -> "Controller":
    from othello_lab.console.controller import Controller

    with blaming("--hint"):
        adviser = seat_for(hint, sitting.game.size)
    return Controller(sitting, adviser, seat_for, file, draw_last)


def _seats(runs_dir: Path, streams: "np.random.SeedSequence") -> "SeatFor":
    """Return a factory of seats. Each seat has its own generator, so hints do not affect later moves."""
    import numpy as np

    from othello_lab.agent.trained import board_size
    from othello_lab.console.seat import Seat
    from othello_lab.experiment.run.player_names import find
    from othello_lab.game.catalogue import make

    def seat_for(text: str, size: int) -> Seat:
        player = find(text, runs_dir, board_size)
        return Seat(player.name, make(player.text, size), np.random.default_rng(*streams.spawn(1)), text)

    return seat_for
