"""Files that a person names: a game to save or to load, or a picture of a position."""

from collections.abc import Callable
from pathlib import Path

from othello_lab.game import Board, Game, records
from othello_lab.game.records import SIZE, SUFFIXES, Record, RecordError, check_suffix, files_of, one, write

PICTURES = (".png", ".svg")
"""The suffixes of pictures."""
Draw = Callable[[Record, Path], None]
"""Draws the last position of a game as a picture; raises RecordError and OSError."""


def no_picture(_: Record, path: Path) -> None:
    """Raise RecordError, in a program that draws no pictures."""
    raise RecordError(f"{path}: no pictures are drawn here")


def save(path: Path, record: Record, draw: Draw = no_picture, overwrite: bool = False) -> None:
    """Write a game, or a picture of its last position, in the format of the suffix.

    Raises RecordError, in one line, for a file that exists and must not be overwritten, for one that cannot
    be written, and for a game that the format cannot hold.
    """
    is_picture = path.suffix.lower() in PICTURES
    if not is_picture:
        check_suffix(path, record.game.size)
    try:
        for file in files_of(path):
            if file.exists() and not overwrite:
                raise RecordError(f"{file} is there already: name a new file")
        if is_picture:
            draw(record, path)
        else:
            write(path, [record])
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def load(text: str, number: int = 1, size: int = SIZE) -> Record:
    """Return game `number`, from 1, of the file that a text names, or the game that is the text.

    `size` is the board size of transcripts without one. Raises RecordError, in one line.
    """
    path = path_of(text)
    if not names_file(text):
        if number > 1:
            raise RecordError(
                f"there is no game {number}: moves or a position are one game, a file has several"
            )
        return of_text(text, size)
    try:
        return one(path, number, size)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror or error}") from None


def of_text(text: str, size: int) -> Record:
    """Return the game of a transcript, SGF, PGN, GGF, or a position; raise RecordError."""
    try:
        return records.of_text(text, size)
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def from_position(text: str) -> Game:
    """Return a game that begins at a position that was set up; raise ValueError if nobody can move."""
    board = Board.parse(text)
    if board.is_over:
        raise ValueError("nobody could move in that position")
    return Game(board)


def names_file(text: str) -> bool:
    """Tell whether a text names a file of games; with an unknown suffix it does if the file exists."""
    try:
        path = path_of(text)
        return path.suffix.lower() in SUFFIXES or (path.suffix != "" and path.is_file())
    except (RecordError, OSError):
        return False


def path_of(text: str) -> Path:
    """Return the path that a person typed, `~` being the home; raise RecordError for an impossible one."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # the home of a user that does not exist
        raise RecordError(f"{text}: {error}") from None


def exists(text: str) -> bool:
    """Tell whether the file that a person typed exists."""
    try:
        return path_of(text).exists()
    except (RecordError, OSError):
        return False
