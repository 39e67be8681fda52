"""Game records in WTHOR's .wtb: finished or forfeited games on 8x8 from the standard start.

Little-endian. A header of 16 bytes (date, number of games, size and type of board), then 68 bytes a game:
tournament, black, white (numbers into files of names), black's discs with the empty squares given to the
winner, the same with best play, and 60 moves as 10 * row + column from 1, 0 where there is none. Passes are
not stored. (Fédération Française d'Othello)
"""

import struct
from collections.abc import Iterable

from game.board import Board, Colour
from game.game import Game
from game.notation import PASS
from game.records.record import Forfeited, Record, RecordError, replay, result_text

SIZE = 8
"""The only board there is in these files."""
_HEADER = struct.Struct("<4BiHH4B")
_GAME = struct.Struct("<3H2B60s")
# A date has to be there. Always the same one: the same games give the same file.
_CENTURY, _YEAR_OF_CENTURY, _MONTH, _DAY, _YEAR = 20, 0, 1, 1, 2000
_ALL = SIZE * SIZE
_MOST = 2**16
"""Numbers of players are unsigned 16-bit integers."""


def refusal(why: str) -> str:
    """Return the line about a game that the format cannot hold."""
    return f"WTHOR (.wtb) holds games on 8x8 from the standard start, {why}: use .jsonl or .ggf"


def dump(records: Iterable[Record]) -> bytes:
    """Return the file of games; the players are numbered as they come. Raises RecordError."""
    numbers: dict[str, int] = {}
    games = [_pack(record, number, numbers) for number, record in enumerate(records, 1)]
    date = (_CENTURY, _YEAR_OF_CENTURY, _MONTH, _DAY)
    return _HEADER.pack(*date, len(games), 0, _YEAR, SIZE, 0, 0, 0) + b"".join(games)


def _pack(record: Record, number: int, numbers: dict[str, int]) -> bytes:
    game = record.game
    if game.boards[0] != Board.start(SIZE):
        raise RecordError(f"game {number}: {refusal('not from another position or on another size')}")
    if not record.is_over:
        raise RecordError(f"game {number}: {refusal('finished or forfeited')}")
    black, white = (numbers.setdefault(name, len(numbers)) for name in (record.black, record.white))
    if len(numbers) > _MOST:
        raise RecordError(f"game {number}: WTHOR (.wtb) holds at most {_MOST} players: use .jsonl or .ggf")
    squares = bytes(10 * (move // SIZE + 1) + move % SIZE + 1 for move in game.moves if move != PASS)
    discs = _discs(record)
    return _GAME.pack(0, black, white, discs, discs, squares)


def _discs(record: Record) -> int:
    """Return black's discs, the empty squares given to the winner; all or none after a forfeit."""
    if record.forfeit:
        return 0 if record.forfeit.by is Colour.BLACK else _ALL
    return _discs_on_board(record.game)


def _discs_on_board(game: Game) -> int:
    outcome = game.board.outcome()
    return (_ALL + outcome.final_score) // 2 if outcome else -1


def load(data: bytes) -> list[Record]:
    """Read games; raises RecordError with the number of the game and the byte where it begins."""
    if len(data) < _HEADER.size:
        raise RecordError(f"byte {len(data)}: the file ends within the header of {_HEADER.size} bytes")
    _, _, _, _, games, _, _, size, kind, _, _ = _HEADER.unpack_from(data)
    if size not in (0, SIZE) or kind != 0:
        raise RecordError(
            f"byte 12: board size {size} and type {kind}; expected 0 or {SIZE}, and 0 for games"
        )
    announced = _HEADER.size + games * _GAME.size
    if games < 0 or len(data) != announced:
        raise RecordError(f"byte 4: {games} games take {announced} bytes, but the file has {len(data)}")
    return [_unpack(data, number) for number in range(1, games + 1)]


def _unpack(data: bytes, number: int) -> Record:
    place = _HEADER.size + (number - 1) * _GAME.size
    _, black, white, discs, _, squares = _GAME.unpack_from(data, place)
    try:
        return _record(squares.rstrip(b"\0"), discs, f"player {black}", f"player {white}")
    except RecordError as error:
        raise RecordError(f"game {number}, which begins at byte {place}: {error}") from None


def _record(squares: bytes, discs: int, black: str, white: str) -> Record:
    game = replay(Board.start(SIZE), [_square(byte, ply) for ply, byte in enumerate(squares, 1)])
    if game.board.is_over:
        if discs != _discs_on_board(game):
            raise RecordError(f"black has {discs} discs, but by the moves {result_text(game)}")
        return Record(game, black, white)
    game.pass_if_forced()
    forfeit = None
    if discs in (0, _ALL):
        forfeit = Forfeited(Colour.BLACK if discs == 0 else Colour.WHITE, "unknown")
    return Record(game, black, white, forfeit=forfeit)


def _square(byte: int, ply: int) -> int:
    row, column = divmod(byte, 10)
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        raise RecordError(f"move {ply}: {byte} is no square: expected 10 * row + column, each 1 to {SIZE}")
    return (row - 1) * SIZE + column - 1
