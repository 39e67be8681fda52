"""Game records in WTHOR's format .wtb: finished or forfeited games on 8x8 from the standard start.

A file has a header of 16 bytes, and 68 bytes for each game. Numbers are little-endian. The header holds the
date, the number of games, the year of the games, and the size and type of the board. A game has these fields:
- the tournament, the black player and the white player, as indices into files of names;
- the number of black discs, where the empty squares count for the winner;
- a theoretical score, which this module does not read;
- 60 moves as 10 * row + column, counted from 1, with 0 for a missing move. Passes are not stored.

The folder also has files of names, .jou for players and .trn for tournaments. They have the same header with
the number of names. Then come the names in Latin-1. A name has 20 bytes (.jou) or 26 bytes (.trn) and ends
with a zero. The files WTHOR.JOU and WTHOR.TRN hold the names of all years. (Fédération Française d'Othello)
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
"""The only board size in .wtb files."""
_HEADER = struct.Struct("<4BiHH4B")
_GAME = struct.Struct("<3H2B60s")
_ALL = SIZE * SIZE
_SOLITAIRES = 1
_SQUARES = {10 * row + column: SIZE * (row - 1) + column - 1 for row in range(1, 9) for column in range(1, 9)}
_NO_MOVES = bytes([0, 92])
"""The bytes that may follow the last move. Edax writes 92."""
_NAME_LENGTHS: Final = {".jou": 20, ".trn": 26}
"""The number of bytes of a name in the files of players and tournaments."""


def entries(data: bytes, players: Sequence[str] = (), events: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read.

    If the file is too short or too long, an error follows the last game. Raises RecordError if the file does
    not contain games on 8x8.
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
    """Return the names of players (".jou") or tournaments (".trn") for a file of games.

    The names are in a file in the same folder. Its name is the name of the games file with this suffix, or
    WTHOR with this suffix. If both are missing, take the only file with this suffix. Return no names if the
    file cannot be read.
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
