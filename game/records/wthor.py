"""Game records in WTHOR's .wtb: finished or forfeited games on 8x8 from the standard start.

Numbers are little-endian. A file has a header of 16 bytes (date, number of games, year of the games, size and
type of board) and 68 bytes for each game. The fields of a game are: tournament, black and white (indices into
files of names); black's discs with the empty squares given to the winner; a theoretical score, which is not
read; 60 moves as 10 * row + column from 1, 0 if there is none. Passes are not stored.

The folder also has files of names: .jou for players and .trn for tournaments. They have the same header with
the number of names, then names of 20 and 26 bytes in Latin-1, each with a zero at its end. The pair WTHOR.JOU
and WTHOR.TRN serves all years. (Fédération Française d'Othello)
"""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from othello_lab.game.board import Board
from othello_lab.game.game import replay
from othello_lab.game.records.record import Entry, Record, RecordError, forfeit_of
from othello_lab.game.safe_files import read_bytes

SIZE = 8
"""The only board size in these files."""
_HEADER = struct.Struct("<4BiHH4B")
_GAME = struct.Struct("<3H2B60s")
_ALL = SIZE * SIZE
_SOLITAIRES = 1
_SQUARES = {10 * row + column: SIZE * (row - 1) + column - 1 for row in range(1, 9) for column in range(1, 9)}
_NO_MOVES = bytes([0, 92])
"""The bytes that may follow the last move: 0, or 92 in files of Edax."""
_NAME_LENGTHS: Final = {".jou": 20, ".trn": 26}
"""The number of bytes of a name in the files of players and of tournaments."""


def entries(data: bytes, players: Sequence[str] = (), events: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield each game, or an error that says why it cannot be read.

    If the file is too short or too long, an error follows the last game. Raises RecordError for a file that
    is not a file of games on 8x8.
    """
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
    return Record(
        game,
        _name(players, black, f"player {black}"),
        _name(players, white, f"player {white}"),
        forfeit=forfeit_of(game, lead, reason),
        event=_name(events, event, f"tournament {event}" if event else ""),
        date=year,
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
    """Return the names for a file of games: of players (".jou") or of tournaments (".trn").

    They are in the file with the same name as the games, else in WTHOR's own file, else in the only file with
    this suffix. Return no names if this file cannot be read.
    """
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
