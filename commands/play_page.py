"""`othello play --web`: the server of the page, its files and its games."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import click

from othello_lab.commands.checks import named
from othello_lab.commands.seating import Options, new_game, resumed_game, save_folder, settings_of, start

if TYPE_CHECKING:
    from othello_lab.console.controller import Controller
    from othello_lab.console.page.tabs import Make
    from othello_lab.console.saving import SavedGame, SaveFile
    from othello_lab.experiment.show.site import Files


def serve(options: Options, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C, and call `say` with its URL.

    Raises click.BadParameter or UsageError for invalid options, and ValueError if the port is not available.
    """
    from othello_lab.console.page.tabs import Tabs
    from othello_lab.console.seat import offered
    from othello_lab.experiment.show import site
    from othello_lab.game.catalogue import BUILT_IN, PLAYERS
    from othello_lab.game.registry import short_name

    opponent, size, _ = settings_of(options)
    first = start(options, size)
    named(options.hint, options.runs_dir, "--hint")
    # The labels of the players to choose from, by their texts.
    players = offered(people=True) | offered(people=False)
    players |= {name: name for name in BUILT_IN if not PLAYERS.entry(name).argument}
    players |= {text: players.get(text, short_name(text)) for text in (opponent, options.hint)}
    tabs = Tabs(_maker(options), save_folder(), first.board, players)
    try:
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
