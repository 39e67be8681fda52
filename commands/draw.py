"""`othello draw`: draw a position or a whole game as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands import fields
from othello_lab.commands.checks import check_folder
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.game.registry import how_to_install
from othello_lab.game.short_names import short_name
from rlglue.messages import truncate_middle

if TYPE_CHECKING:
    from othello_lab.game.records import Record

_LONGEST = 24  # The maximum length of a name in a title.


@options
class _Options:
    what: tuple[str, ...] = a_position("POSITION|FILE")
    size: int = fields.size("Board size of the position `standard` and of transcripts.")
    number: int = whole_number("Number of the game in FILE.", default=1, lowest=1)
    whole: bool = option("Draw the whole game, with a board for each move.", "--game")
    output: Path | None = option(
        "File of the picture, .png or .svg.  [default: position.png, or game.png with --game]",
        type=fields.FILE,
    )


@takes(_Options)
def command(options: _Options) -> None:
    """Draw a position, or with --game a whole game, as PNG or SVG.

    POSITION can be the N*N cells (X, O or -), row by row from a1, and then the side to move (X or O).
    POSITION can also be `standard` (the standard start) or a transcript such as f5d6c3. FILE is a file of
    games, for example from `othello match --records`.
    """
    from othello_lab.console.files import load
    from othello_lab.experiment.show.board_pictures import draw_game, draw_position
    from othello_lab.experiment.show.plots import check_suffix, save

    whole = options.whole
    output = options.output or Path("game.png" if whole else "position.png")
    with blaming("--output"):
        check_suffix(output)
    check_folder(output, "--output")
    with blaming("POSITION|FILE"):
        record = load(" ".join(options.what), options.number, options.size)
    size = record.game.size
    title = _title(record) if record.black or record.white else f"Othello {size}x{size}"
    save((draw_game if whole else draw_position)(record.game, title), output)
    click.echo(output)


def _title(record: "Record") -> str:
    names = (short_name(record.black or "black"), short_name(record.white or "white"))
    return " against ".join(truncate_middle(name, _LONGEST) for name in names)


def draw_last(record: "Record", path: Path) -> None:
    """Save a picture of the last position of a game. Raises RecordError without matplotlib, and OSError."""
    from othello_lab.game.records import RecordError

    try:
        from othello_lab.experiment.show.board_pictures import draw_position
        from othello_lab.experiment.show.plots import save
    except ModuleNotFoundError as error:
        package = error.name or "matplotlib"
        raise RecordError(f"a picture needs {package}: {how_to_install(package)}") from None
    save(draw_position(record.game, _title(record)), path)
