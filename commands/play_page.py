"""The page of `othello play --web`: its files, who sits down there, and its server."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import click

from othello_lab.commands.checks import named
from othello_lab.commands.seating import Options, asked, new_table, resumed_table, shelf, start

if TYPE_CHECKING:
    from othello_lab.console.controller import Controller
    from othello_lab.console.page.tabs import Make
    from othello_lab.console.saving import SavedGame, SaveFile
    from othello_lab.experiment.show.site import Files

_SCRIPTS = ("squares", "page", "server", "dialogs", "editing", "panel", "play")
_PARTS = {
    "/": ("play.html", "text/html"),
    **{f"/{name}.js": (f"{name}.js", "text/javascript") for name in _SCRIPTS},
}


def serve(said: Options, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C, and say where; what loads slowly, such as players, loads behind it.

    Raises click.BadParameter and UsageError for wrong options, ValueError for a port that cannot be had.
    """
    from othello_lab.console.page.tabs import Tabs
    from othello_lab.console.sitting import from_the_start
    from othello_lab.experiment.show import site

    opponent, size, _ = asked(said)
    first = start(said, size, from_the_start)
    named(said.hint, said.runs_dir, "--hint")
    tabs = Tabs(_maker(said), shelf(), first.board, _players(opponent, said.hint))
    try:
        site.serve(site.Site(files, post={"/game": tabs.answer}), said.port, say)
    finally:
        tabs.close()


def _players(*said: str) -> dict[str, str]:
    """Return whom a page may choose, labels by texts: levels, plain names, and those named to the command."""
    from othello_lab.console.seat import offered
    from othello_lab.game.players.catalogue import BUILT_IN, PLAYERS
    from othello_lab.game.players.short_names import short_name

    plain = {name: name for name in BUILT_IN if not PLAYERS.own(name).argument}
    found = offered(people=True) | offered(people=False) | plain
    return found | {text: found.get(text, short_name(text)) for text in said}


def _maker(said: Options) -> "Make":
    """Return what makes games with the options of the command; threads of the server call it."""
    context, lock = click.get_current_context(), Lock()

    def make(file: "SaveFile", saved: "SavedGame | None") -> "Controller":
        with lock, context.scope(cleanup=False):
            try:
                return resumed_table(file, saved, said, on_page=True) if saved else new_table(said, file)
            except click.ClickException as error:
                raise ValueError(error.format_message()) from None

    return make


@cache
def files() -> "Files":
    """Return what the page is made of."""
    from importlib.resources import files as packaged

    from othello_lab.experiment.show.pages.page import style_of_pages, web_file

    folder = packaged("othello_lab.console.page")
    style = style_of_pages() + (folder / "play.css").read_text("utf-8")
    made = {
        "/style.css": ("text/css", style.encode()),
        "/board.js": ("text/javascript", web_file("board.js").encode()),
        "/graph.js": ("text/javascript", web_file("graph.js").encode()),
    }
    return made | {path: (kind, (folder / name).read_bytes()) for path, (name, kind) in _PARTS.items()}
