"""Files that a person names: a game is saved there, or loaded from there, and a position drawn."""

from collections.abc import Callable
from pathlib import Path

from othello_lab.game import records
from othello_lab.game.records import (
    SIZE,
    SUFFIXES,
    Record,
    RecordError,
    check_suffix,
    files_of,
    one,
    write,
)

PICTURES = (".png", ".svg")
"""What the file name of a picture can end with."""
Draw = Callable[[Record, Path], None]
"""Draws the last position of a game as a picture, of the kind that the file name says.

Raises RecordError, in one line, where it cannot, and OSError.
"""


def save(path: Path, record: Record, overwrite: bool = False) -> None:
    """Write one game to a file in the format of its suffix.

    Raises RecordError, in one line, where the file is there and not to be overwritten, where it cannot be
    written, and for a game that the format cannot hold.
    """
    check_suffix(path, record.game.size)
    _make(path, lambda: write(path, [record]), overwrite)


def save_picture(path: Path, record: Record, draw: Draw, overwrite: bool = False) -> None:
    """Write a picture of the last position of a game to a file; raise RecordError as `save` does."""
    _make(path, lambda: draw(record, path), overwrite)


def _make(path: Path, write_it: Callable[[], None], overwrite: bool) -> None:
    try:
        for file in files_of(path):
            if file.exists() and not overwrite:
                raise RecordError(f"{file} is there already: name a new file")
        write_it()
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def load(text: str, number: int = 1, size: int = SIZE) -> Record:
    """Return game `number`, from 1, of the file that a text names, or the game that a text says.

    `size` is that of transcripts that say none. Raises RecordError, in one line, where it is missing.
    """
    path = path_of(text)
    if names_file(text):
        return _of_file(path, number, size)
    if number > 1:
        raise RecordError(f"there is no game {number}: moves or a position are one game, a file has several")
    return of_text(text, size)


def of_text(text: str, size: int) -> Record:
    """Return the game of a transcript or of SGF, PGN or GGF, or the one that begins at a position.

    Raises RecordError, which says what else there could be.
    """
    try:
        return records.of_text(text, size)
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def names_file(text: str) -> bool:
    """Tell whether a text names a file of games; with an unknown suffix it does if the file exists."""
    try:
        path = path_of(text)
        return path.suffix.lower() in SUFFIXES or (path.suffix != "" and path.is_file())
    except (RecordError, OSError):
        return False


def path_of(text: str) -> Path:
    """Return the path that a person typed, `~` being the home; raise RecordError for what names no path."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # the home of a user that does not exist
        raise RecordError(f"{text}: {error}") from None


def is_there(name: str) -> bool:
    """Tell whether there is a file of a name that a person typed."""
    try:
        return path_of(name).exists()
    except (RecordError, OSError):
        return False


def _of_file(path: Path, number: int, size: int) -> Record:
    try:
        return one(path, number, size)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror or error}") from None
