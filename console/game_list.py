"""Games of a file as lines of text: a list of them, and one on a sheet. Nothing here prints."""

from collections.abc import Iterator, Sequence

from game.drawing import Symbols
from game.game import Game
from game.notation import PASS
from game.records import Record
from game.records.selection import Numbered

_NAME = 20
"""Letters of a name in the list: as many as a WTHOR file has."""
_DATE = 10


def list_lines(games: Sequence[Numbered]) -> Iterator[str]:
    """Yield a line for each game: number, date, black, result, white, moves, tournament."""
    names = [max([5, *(len(_short(getattr(game.record, side), _NAME)) for game in games)]) for side in _SIDES]
    yield f"{'game':>6}  {'date':{_DATE}}  {'black':>{names[0]}}  result  {'white':{names[1]}}  moves  where"
    for number, record in games:
        black, white = (_short(getattr(record, side), _NAME) for side in _SIDES)
        plies = sum(1 for move in record.game.moves if move != PASS)
        yield (
            f"{number:>6}  {_short(record.date, _DATE):{_DATE}}  {black:>{names[0]}}  {result(record):^6}  "
            f"{white:{names[1]}}  {plies:>5}  {_short(record.event, 30)}"
        ).rstrip()


_SIDES = ("black", "white")


def _short(text: str, width: int) -> str:
    """Return a text in one line and in this many letters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}+"


def result(record: Record) -> str:
    """Return the discs of both sides, the empty squares given to the winner; `1-0` for a game given up."""
    if record.forfeit:
        return "1-0" if record.winner and record.winner.value == "black" else "0-1"
    outcome = record.game.board.outcome()
    if not outcome:
        return "-"
    black = (record.game.size**2 + outcome.final_score) // 2
    return f"{black}-{record.game.size**2 - black}"


def heading(game: Numbered) -> str:
    """Return who played, when and where, and how it ended."""
    number, record = game
    black, white = (_short(name, 60) or "?" for name in (record.black, record.white))
    about = ", ".join(_short(text, 60) for text in (record.event, record.date) if text)
    ended = result(record) + (f" ({_short(record.forfeit.reason, 60)})" if record.forfeit else "")
    return f"game {number}: {black} (black) {ended} {white} (white){f', {about}' if about else ''}"


def sheet_lines(game: Game, symbols: Symbols) -> Iterator[str]:
    """Yield the rows of a board on which each square has the number of the disc that was placed there.

    Squares of the start have its discs. Passes are not counted.
    """
    discs = [move for move in game.moves if move != PASS]
    numbers = {square: str(number) for number, square in enumerate(discs, 1)}
    width = max(2, len(str(len(discs))))
    columns = range(game.size)
    yield "    " + " ".join(f"{chr(ord('a') + column):>{width}}" for column in columns)
    for row in columns:
        cells = (_cell(game, row * game.size + column, numbers, symbols) for column in columns)
        yield f"{row + 1:>3} " + " ".join(f"{cell:>{width}}" for cell in cells)


def _cell(game: Game, square: int, numbers: dict[int, str], symbols: Symbols) -> str:
    if game.start.black >> square & 1:
        return symbols.black
    if game.start.white >> square & 1:
        return symbols.white
    return numbers.get(square, symbols.empty)
