"""Save games to files, and load games from files."""

from collections.abc import Callable
from pathlib import Path

from othello_lab.game import Board, Game, records
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.records import SUFFIXES, Record, RecordError, check_suffix, files_of, one, write

Draw = Callable[[Record, Path], None]  # Draws a game's last position to a file. Raises RecordError, OSError.
PICTURES = (".png", ".svg")  # The suffixes of picture files.


def save(path: Path, record: Record, draw: Draw | None = None) -> None:
    """Write a game to a new file. The suffix sets the format. Picture formats need `draw`.

    Raises RecordError if the file exists or cannot be written, or if the format cannot store the game.
    """
    picture = draw if path.suffix.lower() in PICTURES else None
    if not picture:
        check_suffix(path, record.game.size)
    try:
        for file in files_of(path):
            if file.exists():
                raise RecordError(f"{file} is there already: name a new file")
        if picture:
            picture(record, path)
        else:
            write(path, [record])
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def load(text: str, number: int = 1, size: int = USUAL_SIZE) -> Record:
    """Return the game that `text` contains, or game `number` (from 1) of the file named `text`.

    `size` is the default board size of a transcript. Raises RecordError if there is no such game.
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
    """Parse a transcript, a record (SGF, PGN or GGF) or a position. Raises RecordError for invalid text."""
    try:
        return records.of_text(text, size)
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def from_position(text: str) -> Game:
    """Return a game that starts from a position. Raises ValueError for an invalid or final position."""
    board = Board.parse(text)
    if board.is_over:
        raise ValueError("nobody could move in that position")
    return Game(board)


def names_file(text: str) -> bool:
    """Return whether a text has the suffix of a game format, or names an existing file with any suffix."""
    try:
        path = path_of(text)
        return path.suffix.lower() in SUFFIXES or (path.suffix != "" and path.is_file())
    except (RecordError, OSError):
        return False


def path_of(text: str) -> Path:
    """Return a file name as a path, with `~` expanded. Raises RecordError for an invalid name."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # `~name` with an unknown user name
        raise RecordError(f"{text}: {error}") from None
