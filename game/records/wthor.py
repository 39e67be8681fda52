"""Game records in .wtb, the format of the Fédération Française d'Othello for games from the start on 8x8."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import replay
from othello_lab.game.notation import PASS
from othello_lab.game.records.record import Entry, Record, RecordError, compare_result
from othello_lab.game.safe_files import read_bytes, replace

SIZE = 8  # The only board size in .wtb files.
# The date, the number of games, the number of names, the year, the board size, the type, and two zeros.
_HEADER = struct.Struct("<4BiHH4B")
# The tournament, black, white, black's discs, black's discs by perfect play, and 60 moves without passes.
_GAME = struct.Struct("<3H2B60s")
_DATE = (20, 0, 1, 1)  # The header needs a date. A constant date makes the file reproducible.
_ALL = SIZE * SIZE
_MOST = 2**16 - 1  # The maximum number of players and of tournaments, because an index has 16 bits.
_SOLITAIRES = 1
_SQUARES = {10 * row + column: SIZE * (row - 1) + column - 1 for row in range(1, 9) for column in range(1, 9)}
_BYTES = {square: byte for byte, square in _SQUARES.items()}
_NO_MOVES = bytes([0, 92])  # The padding bytes after the last move. Edax writes 92.
_NAME_LENGTHS: Final = {".jou": 20, ".trn": 26}  # Bytes of a name in the files of players and tournaments.


def refusal(why: str) -> str:
    """Return the error message for a game that the format cannot store."""
    return f"WTHOR (.wtb) holds games on 8x8 from the standard start, {why}: use .jsonl or .ggf"


def write(path: Path, records: Iterable[Record]) -> None:
    """Write games, and the files of names in the same folder. Raises RecordError or OSError."""
    data, *names = dump(records)
    replace(path, data)
    for file, listed in zip(files_beside(path), names, strict=True):
        length = _NAME_LENGTHS[file.suffix]
        cells = (name.encode("latin-1", "replace")[: length - 1].ljust(length, b"\0") for name in listed)
        replace(file, _HEADER.pack(*_DATE, 0, len(listed), 0, 0, 0, 0, 0) + b"".join(cells))


def files_beside(path: Path) -> tuple[Path, ...]:
    """Return the two files of names that belong to a file of games."""
    return tuple(path.with_suffix(suffix) for suffix in _NAME_LENGTHS)


def dump(records: Iterable[Record]) -> tuple[bytes, list[str], list[str]]:
    """Return the bytes of a file and the names of players and of tournaments. Raises RecordError."""
    records, players, events = [*records], dict[str, int](), {"": 0}
    years = {record.year or 0 for record in records}
    games = list[bytes]()
    for number, record in enumerate(records, 1):
        try:
            event = _number(events, record.event)
            black, white = (_number(players, name) for name in (record.black, record.white))
            games.append(_pack(record, event, black, white))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from None
    year = years.pop() if len(years) == 1 else 0
    data = _HEADER.pack(*_DATE, len(games), 0, year, SIZE, 0, 0, 0) + b"".join(games)
    return data, [*players], [*events]


def _number(numbers: dict[str, int], name: str) -> int:
    number = numbers.setdefault(name, len(numbers))
    if number >= _MOST:
        raise RecordError(f"WTHOR (.wtb) holds at most {_MOST} names: use .jsonl or .ggf")
    return number


def _pack(record: Record, event: int, black: int, white: int) -> bytes:
    game, outcome = record.game, record.game.board.outcome()
    if game.start != Board.start(SIZE):
        raise RecordError(refusal("not from another position or on another size"))
    if record.forfeit:
        discs = 0 if record.forfeit.by is Colour.BLACK else _ALL
    elif outcome:
        discs = (_ALL + outcome.final_score) // 2
    else:
        raise RecordError(refusal("finished or forfeited"))
    squares = bytes(_BYTES[move] for move in game.moves if move != PASS)
    return _GAME.pack(event, black, white, discs, discs, squares)


def entries(data: bytes, players: Sequence[str] = (), events: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield each game, or an error for an invalid game or length. Raises RecordError for a bad header."""
    if len(data) < _HEADER.size:
        raise RecordError(f"byte {len(data)}: the file ends within the header of {_HEADER.size} bytes")
    *_, games, _, year, size, kind, _, _ = _HEADER.unpack_from(data)
    if size not in (0, SIZE):
        raise RecordError(f"byte 12: the games are on {size}x{size}; only those on 8x8 (8 or 0) can be read")
    if kind == _SOLITAIRES:
        raise RecordError("byte 13: type 1 is a file of solitaires, which are problems and no games")
    if kind or games < 0:
        raise RecordError(f"no file of games: type {kind} and {games} games, expected type 0")
    end = _HEADER.size + games * _GAME.size
    for place in range(_HEADER.size, min(end, len(data) - _GAME.size + 1), _GAME.size):
        try:
            yield _unpack(data, place, players, events, str(year or ""))
        except ValueError as error:
            number = (place - _HEADER.size) // _GAME.size + 1
            yield RecordError(f"game {number}, which begins at byte {place}: {error}")
    if len(data) != end:
        yield RecordError(f"byte 4: {games} games take {end} bytes, but the file has {len(data)}")


def _unpack(data: bytes, place: int, players: Sequence[str], events: Sequence[str], year: str) -> Record:
    event, black, white, discs, _, squares = _GAME.unpack_from(data, place)
    game = replay(Board.start(SIZE), _moves(squares.rstrip(_NO_MOVES)))
    game.pass_if_forced()
    if discs > _ALL and not game.board.is_over:
        raise RecordError(f"black has {discs} discs, more than there are squares")
    lead, score = 2 * discs - _ALL, f"{discs}-{_ALL - discs}"
    reason = "unknown" if abs(lead) == _ALL else f"the moves end early, at {score}"
    forfeit, warning = compare_result(game, lead, f"black has {discs} discs", reason)
    return Record(
        game,
        _name(players, black, f"player {black}"),
        _name(players, white, f"player {white}"),
        forfeit=forfeit,
        event=_name(events, event, f"tournament {event}" if event else ""),
        date=year,
        warning=warning,
    )


def _moves(squares: bytes) -> list[int]:
    try:
        return [_SQUARES[byte] for byte in squares]
    except KeyError as error:
        ply = squares.index(error.args[0]) + 1
        raise RecordError(
            f"move {ply}: {error} is no square: expected 10 * row + column, each 1 to {SIZE}"
        ) from None


def _name(names: Sequence[str], number: int, unknown: str) -> str:
    return names[number] if number < len(names) else unknown


def names_beside(path: Path, suffix: str) -> list[str]:
    """Return the names of players (".jou") or tournaments (".trn") beside a file of games, or []."""
    try:
        files = {file.stem.lower(): file for file in path.parent.iterdir() if file.suffix.lower() == suffix}
        only = next(iter(files.values())) if len(files) == 1 else None
        file = files.get(path.stem.lower()) or files.get("wthor") or only
        data = read_bytes(file) if file else b""
    except OSError:
        return []
    length = _NAME_LENGTHS[suffix]
    cells = (data[place : place + length] for place in range(_HEADER.size, len(data), length))
    return [cell.split(b"\0")[0].decode("latin-1").strip() for cell in cells]
