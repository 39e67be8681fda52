"""`othello draw`: a position or a whole game as a picture."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands.checks import check_folder, named
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import a_position, position_of
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.commands.reporting import reported_errors
from othello_lab.commands.shared_options import FILE, a_player_text, a_runs_dir, a_seed, board_size
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.players.short_names import short_name
from rlglue.messages import truncate_middle

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.game import Game
    from othello_lab.game.players.player import Player
    from othello_lab.game.records import Record
    from othello_lab.game.values import MoveValues

_LONGEST = 24
"""Letters of a name in a title."""


@options
class _Options:
    what: tuple[str, ...] = a_position("POSITION|FILE")
    size: int = board_size("Length of a side, of `standard` and of transcripts.", default=USUAL_SIZE)
    number: int = whole_number("Which game of FILE.", default=1, lowest=1)
    whole: bool = option("Draw the whole game: a board for each disc.", "--game")
    adviser: str | None = a_player_text(
        "Write on the squares what each move is worth to this player or run.", "--values", metavar="PLAYER"
    )
    output: Path | None = option(
        "The picture, .png or .svg.  [default: position.png, or game.png]", type=FILE
    )
    seed: int = a_seed("Seed of the player's randomness.")
    runs_dir: Path = a_runs_dir()


@takes(_Options)
def command(said: _Options) -> None:
    """Draw a position, or with --game all of a game, as PNG or SVG.

    POSITION is N*N cells of X, O and - row by row from a1, then X or O for whose turn it is; or a transcript
    from the standard start such as f5d6c3; or the word standard. FILE is a file of games, such as `othello
    match --records` writes.
    """
    from othello_lab.experiment.show.board_pictures import draw_game, draw_position
    from othello_lab.experiment.show.plots import check_suffix, save

    whole = said.whole
    output = said.output or Path("game.png" if whole else "position.png")
    with blaming("--output"):
        check_suffix(output)
    check_folder(output, "--output")
    title, game = _read(said.what, said.size, said.number)
    player = named(said.adviser, said.runs_dir, "--values") if said.adviser else None
    found = _values(player, game, whole, said.seed) if player else [None]
    draw, name = draw_game if whole else draw_position, player.name if player else ""
    with reported_errors():
        save(draw(game, title, found, name), output)
    click.echo(output)


def _read(what: tuple[str, ...], size: int, number: int) -> tuple[str, "Game"]:
    """Return what to call a game, and the game."""
    from othello_lab.console.files import names_file

    if len(what) == 1 and names_file(what[0]):
        return _record(Path(what[0]), number, size)
    if number > 1:
        raise click.UsageError("--number: moves or a position are one game: name a file, or leave it out")
    game = position_of(what, size)
    return f"Othello {game.size}x{game.size}", game


def _record(path: Path, number: int, size: int) -> tuple[str, "Game"]:
    from othello_lab.game.records import one

    with reported_errors(), blaming("FILE"):
        record = one(path, number, size)
    return _title(record), record.game


def _title(record: "Record") -> str:
    """Return who played a game."""
    names = (record.black or "black", record.white or "white")
    return " against ".join(truncate_middle(short_name(name), _LONGEST) for name in names)


def draw_shown(record: "Record", path: Path) -> None:
    """Draw the last position of a game that is played; raises RecordError without matplotlib, and OSError."""
    from othello_lab.game.records import RecordError
    from othello_lab.game.registry import how_to_install

    try:
        from othello_lab.experiment.show.board_pictures import draw_position
        from othello_lab.experiment.show.plots import save
    except ModuleNotFoundError as error:
        package = error.name or "matplotlib"
        raise RecordError(f"a picture needs {package}: {how_to_install(package)}") from None
    save(draw_position(record.game, _title(record)), path)


def _values(adviser: "Named", game: "Game", whole: bool, seed: int) -> "list[MoveValues | None]":
    """Ask about each position, or the last; raise click.UsageError where there is no answer."""
    from othello_lab.game.players.catalogue import make
    from othello_lab.game.players.player import Forfeit
    from othello_lab.game.threads import use_threads

    use_threads(1)
    with blaming("--values"), closing(make(adviser.text, game.size)) as player:
        try:
            found = list(_asked(player, game, whole, seed))
        except Forfeit as error:
            raise ValueError(str(error)) from None
        if not any(found):
            raise ValueError(_no_values(adviser.name, game, whole))
    return found


def _asked(player: "Player", game: "Game", whole: bool, seed: int) -> "Iterator[MoveValues | None]":
    """Ask, and show how far it is: a search may think about each position for seconds."""
    import numpy as np

    from othello_lab.experiment.compare.values import values_along, values_now
    from othello_lab.experiment.show.progress import counted
    from othello_lab.game.values import in_discs

    rng = np.random.default_rng(seed)
    if not whole:
        yield in_discs(values_now(player, game, rng), game.board)
        return
    total = len(game.boards)
    yield from counted(values_along(player, game, rng), total, Console(stderr=True), "position")


def _no_values(name: str, game: "Game", whole: bool) -> str:
    if game.board.legal_moves or (whole and game.moves):
        return f"{name} only chooses moves: name a player that values them, such as positional"
    return "there is no move to value in this position: leave it out"
