"""Game records in WTHOR's .wtb: finished or forfeited games on 8x8 from the standard start.

Little-endian. A header of 16 bytes (date, number of games, year of the games, size and type of board), then
68 bytes a game: tournament, black, white (numbers into files of names), black's discs with the empty squares
given to the winner, the same by best play (the theoretical score; the header says from how many empty squares
on), and 60 moves as 10 * row + column from 1, 0 where there is none. Passes are not stored.

Files of names stand beside it, .jou of players and .trn of tournaments: the same header with the number of
names, then names of 20 and 26 bytes in Latin-1, each with a zero at its end. One pair of them, WTHOR.JOU and
WTHOR.TRN, serves all years. (Fédération Française d'Othello)
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from othello_lab.game.board import Board, Colour
from othello_lab.game.files import read_bytes, replace
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.records.record import (
    BestPlay,
    Entry,
    Forfeited,
    Record,
    RecordError,
    contradiction,
    early,
    lost_by,
    replay,
)

SIZE = 8
"""The only board there is in these files."""
_HEADER = struct.Struct("<4BiHH4B")
HEADER_SIZE = _HEADER.size
_GAME = struct.Struct("<3H2B60s")
# A date has to be there. Always the same one: the same games give the same file.
_DATE = (20, 0, 1, 1)
_ALL = SIZE * SIZE
_MOST = 2**16 - 1
"""Numbers of players and of tournaments are unsigned 16-bit integers."""
_SOLITAIRES = 1
_SQUARES = {10 * row + column: SIZE * (row - 1) + column - 1 for row in range(1, 9) for column in range(1, 9)}
_NO_MOVES = bytes([0, 92])
"""What stands after the last move: 0, or 92 in files that Edax writes."""
_BYTES = {square: byte for byte, square in _SQUARES.items()}


class Names(NamedTuple):
    """Names of players and of tournaments by their numbers, which begin at 0."""

    players: Sequence[str] = ()
    events: Sequence[str] = ()


def refusal(why: str) -> str:
    """Return the line about a game that the format cannot hold."""
    return f"WTHOR (.wtb) holds games on 8x8 from the standard start, {why}: use .jsonl or .ggf"


def dump(records: Iterable[Record]) -> tuple[bytes, Names]:
    """Return the file of games and the names of the numbers in it, given as they come. Raises RecordError.

    Theoretical scores are kept where all games have them from the same number of empty squares on, which the
    file says once; else the real ones are written, from 0 empty squares on.
    """
    records, players, events, years = [*records], dict[str, int](), {"": 0}, set[int]()
    depths = {record.best_play.empties if record.best_play else 0 for record in records}
    depth = depths.pop() if len(depths) == 1 else None
    games = list[bytes]()
    for number, record in enumerate(records, 1):
        try:
            _check(record)
            sides = [_number(players, name) for name in (record.black, record.white)]
            games.append(_pack(record, depth is not None, _number(events, record.event), *sides))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from None
        years.add(record.year or 0)
    year = years.pop() if len(years) == 1 else 0
    return header(len(games), year=year, size=SIZE, depth=depth or 0) + b"".join(games), Names(
        [*players], [*events]
    )


def header(games: int = 0, names: int = 0, year: int = 0, size: int = 0, depth: int = 0) -> bytes:
    """Return the beginning of a file of games or of names, HEADER_SIZE bytes."""
    return _HEADER.pack(*_DATE, games, names, year, size, 0, depth, 0)


def _check(record: Record) -> None:
    if record.game.start != Board.start(SIZE):
        raise RecordError(refusal("not from another position or on another size"))
    if not record.is_over:
        raise RecordError(refusal("finished or forfeited"))


def _number(numbers: dict[str, int], name: str) -> int:
    """Return the number of a name, a new one if need be."""
    number = numbers.setdefault(name, len(numbers))
    if number >= _MOST:
        raise RecordError(f"WTHOR (.wtb) holds at most {_MOST} names: use .jsonl or .ggf")
    return number


def _pack(record: Record, theory: bool, event: int, black: int, white: int) -> bytes:
    squares = bytes(_BYTES[move] for move in record.game.moves if move != PASS)
    discs = _discs(record)
    best = record.best_play.discs if record.best_play and theory else discs
    return _GAME.pack(event, black, white, discs, best, squares)


def _discs(record: Record) -> int:
    """Return black's discs, the empty squares given to the winner; all or none after a forfeit."""
    if record.forfeit:
        return 0 if record.forfeit.by is Colour.BLACK else _ALL
    return _discs_with_empties(record.game)


def _discs_with_empties(game: Game) -> int:
    outcome = game.board.outcome()
    return (_ALL + outcome.final_score) // 2 if outcome else -1


def entries(data: bytes, names: Names = Names()) -> Iterator[Entry]:  # noqa: B008  nothing changes it
    """Yield the games, or why one cannot be read; after the last why the file is too short or too long.

    Raises RecordError for a file that holds no games on 8x8.
    """
    games, year, depth = _header(data)
    there = (len(data) - HEADER_SIZE) // _GAME.size
    for number in range(1, min(games, there) + 1):
        yield _unpack(data, number, names, str(year or ""), depth)
    announced = HEADER_SIZE + games * _GAME.size
    if len(data) != announced:
        yield RecordError(f"byte 4: {games} games take {announced} bytes, but the file has {len(data)}")


def _header(data: bytes) -> tuple[int, int, int]:
    """Return the number of games, their year, and from how many empty squares on best play is known."""
    if len(data) < HEADER_SIZE:
        raise RecordError(f"byte {len(data)}: the file ends within the header of {HEADER_SIZE} bytes")
    *_, games, _, year, size, kind, depth, _ = _HEADER.unpack_from(data)
    if size not in (0, SIZE):
        raise RecordError(f"byte 12: the games are on {size}x{size}; only those on 8x8 (8 or 0) can be read")
    if kind == _SOLITAIRES:
        raise RecordError("byte 13: type 1 is a file of solitaires, which are problems and no games")
    if kind or games < 0:
        raise RecordError(f"no file of games: type {kind} and {games} games, expected type 0")
    return games, year, depth


def _unpack(data: bytes, number: int, names: Names, year: str, depth: int) -> Entry:
    place = HEADER_SIZE + (number - 1) * _GAME.size
    event, black, white, discs, best, squares = _GAME.unpack_from(data, place)
    try:
        game = replay(Board.start(SIZE), _moves(squares.rstrip(_NO_MOVES)))
        forfeit = _forfeit(game, discs)
    except RecordError as error:
        return RecordError(f"game {number}, which begins at byte {place}: {error}")
    return Record(
        game,
        _name(names.players, black, f"player {black}"),
        _name(names.players, white, f"player {white}"),
        forfeit=forfeit,
        event=_name(names.events, event, f"tournament {event}" if event else ""),
        date=year,
        best_play=_best_play(best, discs, depth),
        warning=contradiction(game, 2 * discs - _ALL, f"black has {discs} discs"),
    )


def _best_play(best: int, discs: int, depth: int) -> BestPlay | None:
    """Return what is known of best play; the real score from 0 empty squares on says nothing."""
    return BestPlay(best, depth) if max(best, depth) <= _ALL and (best, 0) != (discs, depth) else None


def _name(names: Sequence[str], number: int, unknown: str) -> str:
    return names[number] if number < len(names) else unknown


def _forfeit(game: Game, discs: int) -> Forfeited | None:
    """Return who gave the game up, by black's discs; raise RecordError if that cannot be."""
    if game.board.is_over:
        return None
    game.pass_if_forced()
    if discs > _ALL:
        raise RecordError(f"black has {discs} discs, more than there are squares")
    lead = 2 * discs - _ALL
    return lost_by(game, lead) if abs(lead) == _ALL else lost_by(game, lead, early(discs, _ALL - discs))


def _moves(squares: bytes) -> list[int]:
    try:
        return [_SQUARES[byte] for byte in squares]
    except KeyError as error:
        ply = squares.index(error.args[0]) + 1
        raise RecordError(
            f"move {ply}: {error} is no square: expected 10 * row + column, each 1 to {SIZE}"
        ) from None


_LENGTHS: Final = {".jou": 20, ".trn": 26}
_ALL_YEARS = "wthor"


def files_beside(path: Path) -> tuple[Path, Path]:
    """Return where the names of players and of tournaments are written for a file of games."""
    return path.with_suffix(".jou"), path.with_suffix(".trn")


def read_names(path: Path) -> Names:
    """Return the names for a file of games; none where there is no file of names beside it."""
    return Names(*(_names_beside(path, suffix) for suffix in _LENGTHS))


def write_names(path: Path, names: Names) -> None:
    """Write the names for a file of games; longer ones are cut. Raises OSError."""
    for file, listed in zip(files_beside(path), names, strict=True):
        replace(file, _dump_names(listed, _LENGTHS[file.suffix]))


def _dump_names(names: Sequence[str], length: int) -> bytes:
    cells = (name.encode("latin-1", "replace")[: length - 1].ljust(length, b"\0") for name in names)
    return header(names=len(names)) + b"".join(cells)


def _names_beside(path: Path, suffix: str) -> list[str]:
    with suppress(OSError):
        if file := _file_beside(path, suffix):
            return _load_names(read_bytes(file), _LENGTHS[suffix])
    return []


def _file_beside(path: Path, suffix: str) -> Path | None:
    """Return the file of names of that name, else WTHOR's own for all years, else the only one."""
    found = {other.stem.lower(): other for other in path.parent.iterdir() if other.suffix.lower() == suffix}
    only = next(iter(found.values())) if len(found) == 1 else None
    return found.get(path.stem.lower()) or found.get(_ALL_YEARS) or only


def _load_names(data: bytes, length: int) -> list[str]:
    cells = (data[place : place + length] for place in range(HEADER_SIZE, len(data), length))
    return [cell.split(b"\0")[0].decode("latin-1").strip() for cell in cells]
