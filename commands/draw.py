"""`othello draw`: draw a position or a whole game as a picture."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import check_folder, named
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.game.players.short_names import short_name
from rlglue.messages import truncate_middle

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.game import Game
    from othello_lab.game.players.player import Player
    from othello_lab.game.records import Record
    from othello_lab.game.values import MoveValues

_LONGEST = 24
"""The most characters of a name in a title."""


@options
class _Options:
    what: tuple[str, ...] = a_position("POSITION|FILE")
    size: int = fields.size("Board size of `standard` and of transcripts.")
    number: int = whole_number("Number of the game in FILE.", default=1, lowest=1)
    whole: bool = option("Draw the whole game: a board for each disc.", "--game")
    adviser: str | None = fields.player(
        "Show the value of each move for this player or run.", "--values", metavar="PLAYER"
    )
    output: Path | None = option(
        "The picture, .png or .svg.  [default: position.png, or game.png]", type=fields.FILE
    )
    seed: int = fields.seed("Seed of the player's randomness.")
    runs_dir: Path = fields.runs_dir()


@takes(_Options)
def command(options: _Options) -> None:
    """Draw a position, or with --game a whole game, as PNG or SVG.

    POSITION is N*N cells of X, O and - row by row from a1, then X or O for whose turn it is; or a transcript
    from the standard start such as f5d6c3; or the word standard. FILE is a file of games, such as `othello
    match --records` writes.
    """
    from othello_lab.experiment.show.board_pictures import draw_game, draw_position
    from othello_lab.experiment.show.plots import check_suffix, save

    whole = options.whole
    output = options.output or Path("game.png" if whole else "position.png")
    with blaming("--output"):
        check_suffix(output)
    check_folder(output, "--output")
    title, game = _read(options.what, options.size, options.number)
    player = named(options.adviser, options.runs_dir, "--values") if options.adviser else None
    values = _values(player, game, whole, options.seed) if player else [None]
    draw, name = draw_game if whole else draw_position, player.name if player else ""
    save(draw(game, title, values, name), output)
    click.echo(output)


def _read(what: tuple[str, ...], size: int, number: int) -> tuple[str, "Game"]:
    from othello_lab.console.files import names_file, of_text
    from othello_lab.game.records import one

    if len(what) == 1 and names_file(what[0]):
        with blaming("FILE"):
            record = one(Path(what[0]), number, size)
        return _title(record), record.game
    if number > 1:
        raise click.UsageError("--number: moves or a position are one game: name a file, or leave it out")
    with blaming("POSITION"):
        game = of_text(" ".join(what), size).game
    return f"Othello {game.size}x{game.size}", game


def _title(record: "Record") -> str:
    names = (record.black or "black", record.white or "white")
    return " against ".join(truncate_middle(short_name(name), _LONGEST) for name in names)


def _values(adviser: "Named", game: "Game", whole: bool, seed: int) -> "list[MoveValues | None]":
    """Return the values of the moves: of every position if `whole`, or else of the last position.

    Raises click.UsageError if there are no values.
    """
    from othello_lab.game.players.catalogue import make
    from othello_lab.game.players.player import Forfeit
    from othello_lab.game.threads import use_threads

    use_threads(1)
    with blaming("--values"), closing(make(adviser.text, game.size)) as player:
        try:
            values = list(_valued(player, game, whole, seed))
        except Forfeit as error:
            raise ValueError(str(error)) from None
        if any(values):
            return values
        if game.board.legal_moves or (whole and game.moves):
            why = f"{adviser.name} only chooses moves: name a player that values them, such as positional"
            raise ValueError(why)
        raise ValueError("there is no move to value in this position: leave it out")


def _valued(player: "Player", game: "Game", whole: bool, seed: int) -> "Iterator[MoveValues | None]":
    import numpy as np

    from othello_lab.experiment.show.progress import counted
    from othello_lab.game.review import values_along, values_now
    from othello_lab.game.values import in_discs

    rng = np.random.default_rng(seed)
    if not whole:
        yield in_discs(values_now(player, game, rng), game.board)
        return
    total = len(game.boards)
    yield from counted(values_along(player, game, rng), total, Console(stderr=True), "position")
