"""Save and load games in files that a person names, and save pictures of positions."""

from collections.abc import Callable
from pathlib import Path

from othello_lab.game import Board, Game, records
from othello_lab.game.records import SIZE, SUFFIXES, Record, RecordError, check_suffix, files_of, one, write

PICTURES = (".png", ".svg")
"""The suffixes of pictures."""
Draw = Callable[[Record, Path], None]
"""A function that draws the last position of a game to a file; raises RecordError or OSError."""


def no_picture(_: Record, path: Path) -> None:
    """Raise RecordError: the `Draw` of a program that cannot draw pictures."""
    raise RecordError(f"{path}: no pictures are drawn here")


def save(path: Path, record: Record, draw: Draw = no_picture, overwrite: bool = False) -> None:
    """Write a game, or a picture of its last position, in the format that the suffix names.

    Raises RecordError with a one-line message if the file exists and `overwrite` is false, if the file
    cannot be written, or if the format cannot hold the game.
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
    """Return game `number` (from 1) of the file named by `text`, or the game that `text` itself contains.

    `size` is the board size of a transcript that names none. Raises RecordError (one line) if there is no
    such game.
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
    """Parse a transcript, SGF, PGN, GGF or a position; raise RecordError if the text is none of these."""
    try:
        return records.of_text(text, size)
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def from_position(text: str) -> Game:
    """Return a game that begins at a position; raise ValueError if neither side can move there."""
    board = Board.parse(text)
    if board.is_over:
        raise ValueError("nobody could move in that position")
    return Game(board)


def names_file(text: str) -> bool:
    """Tell whether a text names a file of games: by a known suffix, or any suffix if the file exists."""
    try:
        path = path_of(text)
        return path.suffix.lower() in SUFFIXES or (path.suffix != "" and path.is_file())
    except (RecordError, OSError):
        return False


def path_of(text: str) -> Path:
    """Return a typed path, with `~` expanded; raise RecordError for a NUL or an unknown home directory."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # the home of a user that does not exist
        raise RecordError(f"{text}: {error}") from None


def exists(text: str) -> bool:
    """Tell whether a typed path exists; False if the path is invalid."""
    try:
        return path_of(text).exists()
    except (RecordError, OSError):
        return False
