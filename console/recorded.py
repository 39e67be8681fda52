"""Recorded games in lines of text: a list of them, one on a sheet, and one board after another."""

from collections.abc import Iterator, Mapping

from othello_lab.console.terminal import Left, Terminal
from othello_lab.game import PASS, Game
from othello_lab.game.drawing import Symbols
from othello_lab.game.notation import square_name
from othello_lab.game.openings import opening_name
from othello_lab.game.players.short_names import short_name
from othello_lab.game.records import BestPlay, Record

_NAME = 20
"""Letters of a name in the list: as many as a WTHOR file has."""
_DATE = 10


def list_lines(games: Mapping[int, Record]) -> Iterator[str]:
    """Yield a line for each numbered game: date, black, result, white, moves, opening, tournament."""
    names = [
        max([5, *(len(_name(getattr(record, side), _NAME)) for record in games.values())]) for side in _SIDES
    ]
    openings = [_short(opening_name(record.game), _NAME) for record in games.values()]
    widest = max([len("opening"), *map(len, openings)])
    heading = f"{'black':>{names[0]}}  result  {'white':{names[1]}}  moves  {'opening':{widest}}"
    yield f"{'game':>6}  {'date':{_DATE}}  {heading}  where"
    for (number, record), opening in zip(games.items(), openings, strict=True):
        black, white = (_name(getattr(record, side), _NAME) for side in _SIDES)
        day = _short(record.date.partition(" ")[0], _DATE)  # GGS writes the time of day behind it
        plies = sum(1 for move in record.game.moves if move != PASS)
        yield (
            f"{number:>6}  {day:{_DATE}}  {black:>{names[0]}}  {result(record):^6}  "
            f"{white:{names[1]}}  {plies:>5}  {opening:{widest}}  {_short(record.event, 30)}"
        ).rstrip()


_SIDES = ("black", "white")


def _short(text: str, width: int) -> str:
    """Return a text in one line and in this many letters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}+"


def _name(text: str, width: int) -> str:
    return _short(short_name(text), width)


def result(record: Record) -> str:
    """Return the discs of both sides, the empty squares given to the winner; `1-0` for a game given up."""
    if record.forfeit:
        return "1-0" if record.winner and record.winner.value == "black" else "0-1"
    outcome = record.game.board.outcome()
    if not outcome:
        return "-"
    black = (record.game.size**2 + outcome.final_score) // 2
    return f"{black}-{record.game.size**2 - black}"


def heading(number: int, record: Record) -> str:
    """Return who played game `number`, when and where, how it ended, and the opening."""
    black, white = (_name(name, 60) or "?" for name in (record.black, record.white))
    ended = result(record) + (f" ({_short(record.forfeit.reason, 60)})" if record.forfeit else "")
    opening, best = opening_name(record.game), record.best_play
    about = [_short(text, 60) for text in (record.event, record.date)]
    about += [f"opening: {opening}" if opening else "", _best_play(best, record.game.size) if best else ""]
    after = "".join(f", {text}" for text in about if text)
    return f"game {number}: {black} (black) {ended} {white} (white){after}"


def _best_play(best: BestPlay, size: int) -> str:
    """Return the theoretical score of a game in words."""
    return f"by best play from {best.empties} empty squares on {best.discs}-{size**2 - best.discs}"


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


HELP = "Enter: on, b: back, a number: to that move, q: leave"


class Replay:
    """Steps through a game, as the person who looks at it types."""

    def __init__(self, game: Game, terminal: Terminal) -> None:
        self._game = game
        self._terminal = terminal
        self._ply = 0

    def play(self) -> None:
        """Show positions until the one who looks leaves, or input ends."""
        self._terminal.say(HELP)
        self._show()
        while True:
            try:
                word = self._terminal.ask(f"move {self._ply} of {len(self._game.moves)}: ").strip().lower()
            except Left:
                return
            if word in ("q", "quit"):
                return
            self._go(word)

    def play_whole(self) -> None:
        """Show every position."""
        for ply in range(len(self._game.boards)):
            self._ply = ply
            self._show()

    def _go(self, word: str) -> None:
        ply = self._target(word)
        if ply is None:
            self._terminal.complain(f"{word[:20]!r}? {HELP}")
        elif not 0 <= ply <= len(self._game.moves):
            self._terminal.say("That is the start." if ply < 0 else "That was the last move.")
        else:
            self._ply = ply
            self._show()

    def _target(self, word: str) -> int | None:
        """Return the ply that is asked for, which the game may not have; None for a word that names none."""
        if word in ("", "n"):
            return self._ply + 1
        if word == "b":
            return self._ply - 1
        return int(word) if word.isascii() and word.isdigit() and len(word) < 5 else None

    def _show(self) -> None:
        so_far = self._game.until(self._ply)
        self._terminal.show(so_far, legal=True)
        black, white = so_far.board.counts()
        self._terminal.say(f"{_what(so_far)}   black {black}, white {white}")


def _what(game: Game) -> str:
    """Return the last move and whose turn it is."""
    now = "the game is over" if game.board.is_over else f"{game.board.turn.value} to move"
    if not game.moves:
        return f"the start: {now}"
    mover, move = game.board.turn.other.value, game.moves[-1]
    done = "passes" if move == PASS else square_name(move, game.size)
    return f"{len(game.moves)}. {mover} {done}: {now}"
