"""Save and load games in files that a person names."""

from pathlib import Path

from othello_lab.game import Board, Game, records
from othello_lab.game.records import SIZE, SUFFIXES, WRITTEN, Record, RecordError, one, suffix_of, write


def save(path: Path, record: Record) -> None:
    """Write a game to a new file in the format that the suffix names.

    Raises RecordError with a one-line message if the file exists or cannot be written, or if the format
    cannot hold the game.
    """
    suffix_of(path, WRITTEN)
    try:
        if path.exists():
            raise RecordError(f"{path} is there already: name a new file")
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
