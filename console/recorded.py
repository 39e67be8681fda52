"""Recorded games as text: a list of games, and a board with the number of each move."""

from collections.abc import Iterator, Mapping

from othello_lab.game import PASS, Game
from othello_lab.game.drawing import Symbols
from othello_lab.game.openings import opening_name
from othello_lab.game.records import Record
from othello_lab.game.short_names import short_name

_NAME = 20  # The maximum length of a name, as in WTHOR files.
_DATE = 10


def list_lines(games: Mapping[int, Record]) -> Iterator[str]:
    """Yield a heading and one line for each game. `games` maps game numbers to records."""
    blacks = [_short(short_name(record.black), _NAME) for record in games.values()]
    whites = [_short(short_name(record.white), _NAME) for record in games.values()]
    openings = [_short(opening_name(record.game), _NAME) for record in games.values()]
    black, white, widest = (
        max(least, *map(len, column), 0) for least, column in ((5, blacks), (5, whites), (7, openings))
    )
    heading = f"{'black':>{black}}  result  {'white':{white}}  moves  {'opening':{widest}}"
    yield f"{'game':>6}  {'date':{_DATE}}  {heading}  where"
    for (number, record), *names in zip(games.items(), blacks, whites, openings, strict=True):
        day = _short(record.date.partition(" ")[0], _DATE)  # a GGS date also contains the time of day
        plies = sum(1 for move in record.game.moves if move != PASS)
        yield (
            f"{number:>6}  {day:{_DATE}}  {names[0]:>{black}}  {result(record):^6}  "
            f"{names[1]:{white}}  {plies:>5}  {names[2]:{widest}}  {_short(record.event, 30)}"
        ).rstrip()


def _short(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}+"


def result(record: Record) -> str:
    """Return the score with black first, such as `40-24`, `1-0` after a forfeit, or `-` if unfinished."""
    if record.forfeit:
        return "1-0" if record.winner and record.winner.value == "black" else "0-1"
    outcome = record.game.board.outcome()
    if not outcome:
        return "-"
    black = (record.game.size**2 + outcome.final_score) // 2
    return f"{black}-{record.game.size**2 - black}"


def heading(number: int, record: Record) -> str:
    """Return a line with the players, the result, the event, the date and the opening of a game."""
    black, white = (_short(short_name(name), 60) or "?" for name in (record.black, record.white))
    ended = result(record) + (f" ({_short(record.forfeit.reason, 60)})" if record.forfeit else "")
    opening = opening_name(record.game)
    facts = [_short(text, 60) for text in (record.event, record.date)]
    facts.append(f"opening: {opening}" if opening else "")
    after = "".join(f", {fact}" for fact in facts if fact)
    return f"game {number}: {black} (black) {ended} {white} (white){after}"


def sheet_lines(game: Game, symbols: Symbols) -> Iterator[str]:
    """Yield the lines of a board with the start discs and the move numbers. Passes have no number."""
    discs = [move for move in game.moves if move != PASS]
    texts = {square: str(number) for number, square in enumerate(discs, 1)}
    for squares, symbol in ((game.start.black, symbols.black), (game.start.white, symbols.white)):
        texts |= {square: symbol for square in range(game.size**2) if squares >> square & 1}
    width = max(2, len(str(len(discs))))
    yield "    " + " ".join(f"{chr(ord('a') + column):>{width}}" for column in range(game.size))
    for row in range(game.size):
        cells = (texts.get(row * game.size + column, symbols.empty) for column in range(game.size))
        yield f"{row + 1:>3} " + " ".join(f"{cell:>{width}}" for cell in cells)
