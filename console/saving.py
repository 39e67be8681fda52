"""A game to and from files: transcripts, JSON lines, GGF and WTHOR, told apart by the name of the file."""

from pathlib import Path

from game.records import SIZE, SUFFIXES, Record, RecordError, check_suffix, files_of, one, write
from game.start import parse_start


def save(path: Path, record: Record, overwrite: bool = False) -> None:
    """Write one game to a file in the format of its suffix.

    Raises RecordError, in one line, where the file is there and not to be overwritten, where it cannot be
    written, and for a game that the format cannot hold.
    """
    check_suffix(path, record.game.size)
    for file in files_of(path):
        if file.exists() and not overwrite:
            raise RecordError(f"{file} is there already: name a new file")
    try:
        write(path, [record])
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def load(text: str, number: int = 1, size: int = SIZE) -> Record:
    """Return game `number`, from 1, of the file that a text names, or the game that a text says.

    `size` is that of transcripts that say none. Raises RecordError, in one line, where it is missing.
    """
    path = path_of(text)
    if path.suffix.lower() in SUFFIXES:
        return _of_file(path, number, size)
    if number > 1:
        raise RecordError(f"there is no game {number}: moves or a position are one game, a file has several")
    return of_text(text, size)


def of_text(text: str, size: int) -> Record:
    """Return the game of a transcript, or the one that begins at a position.

    Raises RecordError, which says what else there could be.
    """
    try:
        return Record(parse_start(text, size))
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def path_of(text: str) -> Path:
    """Return the path that a person typed, `~` being the home; raise RecordError for what is none."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # the home of somebody who is not there
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
