"""The NBoard protocol, version 2, from the side of the engine (Welty, The NBoard protocol, part of NTest).

Lines that it does not know are ignored, as the protocol asks for; a known one that is wrong is answered with
a `status` line. `go` makes no move: the game goes on with the `move` that the board program sends.
"""

import time
from collections.abc import Callable, Iterator

from console.engines.lines import LONGEST, one_line, whole_number
from console.engines.session import Session
from game.board import Colour
from game.notation import PASS, NotationError, parse_square, square_name
from game.players.base import Forfeit
from game.players.engine.nboard import GET_RANDOMNESS, RANDOMNESS
from game.players.values import is_certain
from game.records import RecordError, ggf
from game.search.limits import Report

_PASSES = ("PA", "PASS")


class NBoardServer:
    """Answers the lines of a board program about the game of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._version = 2
        self._is_lent = False
        self.done = False

    def hear(self, line: str) -> Iterator[str]:
        """Yield the lines that answer one; none for a line that is not known."""
        if len(line) > LONGEST:
            yield f"status line too long: more than {LONGEST:,} characters"
            return
        word, rest = _command(line)
        if answer := _COMMANDS.get(word):
            try:
                yield from answer(self, rest)
            except (ValueError, Forfeit) as why:  # the former also for an illegal move and a game not played
                yield f"status {word}: {one_line(why)}"

    def _nboard(self, text: str) -> Iterator[str]:
        self._version = whole_number(text)
        yield f"set myname {one_line(self._session.name)}"

    def _set_game(self, text: str) -> Iterator[str]:
        games = ggf.load(text.encode())
        if len(games) != 1:
            raise RecordError(f"expected one game in GGF, found {len(games)}")
        self._session.set_up(games[0].game)
        yield from ()

    def _move(self, text: str) -> Iterator[str]:
        name = text.split("/")[0].strip()
        size = self._session.game.size
        self._session.play(PASS if name.upper() in _PASSES else parse_square(name[:40], size))
        yield from ()

    def _go(self, _: str) -> Iterator[str]:
        if self._session.game.board.is_over:
            raise NotationError("the game is over")
        yield self._thinking()
        started = time.perf_counter()
        name = _move_name(self._session.decide(), self._session.game.size)
        seconds = time.perf_counter() - started
        if self._is_lent:
            yield from self._get_randomness()
        yield f"=== {name}//{seconds:.2f}" if self._version > 1 else f"=== {name}"
        yield self._waiting()

    def _hint(self, text: str) -> Iterator[str]:
        most = max(1, whole_number(text))
        if not self._session.game.board.legal_moves:
            raise NotationError("there is no move to value here")
        yield self._thinking()
        if reports := self._session.rank():
            yield from self._searched(reports, most)
        else:
            yield from self._valued(most)
        yield self._waiting()

    def _searched(self, reports: list[Report], most: int) -> Iterator[str]:
        size = self._session.game.size
        for report in reports[:most]:
            line = "".join(_move_name(move, size) for move in report.variation)
            depth = "100%" if report.solved else str(report.depth)
            yield f"search {line} {_value(report.value, size)} 0 {depth}"
        nodes, seconds = reports[0].nodes, reports[0].seconds
        yield f"nodestats {nodes} {seconds:.2f}"

    def _valued(self, most: int) -> Iterator[str]:
        game = self._session.game
        found = self._session.values()
        if found is None:
            name = _move_name(self._session.consider(), game.size)
            yield f"status {one_line(self._session.name)} values no moves; it would play {name}"
            return
        worth = found.by_square(game.board.legal_moves)
        for square in sorted(worth, key=lambda square: -worth[square])[:most]:
            yield f"search {_move_name(square, game.size)} {_value(worth[square], game.size)} 0 1"

    def _analyze(self, _: str) -> Iterator[str]:
        """Value the positions of the game from the last to the first, as far as there are moves and time."""
        game, started = self._session.game, time.monotonic()
        try:
            for ply in range(len(game.moves), -1, -1):
                if self._session.is_called_away(time.monotonic() - started):
                    break
                self._session.set_up(game.until(ply))
                if (value := self._worth()) is not None:
                    yield f"analysis {ply} {_value(value, game.size)}"
        finally:
            self._session.set_up(game)
        yield self._waiting()

    def _worth(self) -> float | None:
        """Return what the position is worth to the side to move, None where that is not known."""
        game = self._session.game
        if outcome := game.board.outcome():
            return float(outcome.final_score if game.board.turn is Colour.BLACK else -outcome.final_score)
        if not game.board.legal_moves:
            return None
        found = self._session.values()
        return None if found is None else float(found.values.max())

    def _get_randomness(self, _: str = "") -> Iterator[str]:
        yield f"{RANDOMNESS} {self._session.randomness}"

    def _set_randomness(self, text: str) -> Iterator[str]:
        self._session.randomness, self._is_lent = text, True
        yield from ()

    def _ping(self, text: str) -> Iterator[str]:
        yield f"pong {whole_number(text)}"

    def _learn(self, _: str) -> Iterator[str]:
        yield "learned"

    def _heard(self, text: str) -> Iterator[str]:
        whole_number(text.removeprefix("-"))
        yield from ()

    def _quit(self, _: str) -> Iterator[str]:
        self.done = True
        yield from ()

    def _thinking(self) -> str:
        return f"status {one_line(self._session.name)} is thinking"

    def _waiting(self) -> str:
        return f"status {one_line(self._session.name)} is waiting"


def is_urgent(line: str) -> bool:
    """Tell whether a line ends what the player thinks about: the position is about to change."""
    return _command(line)[0] in ("ping", "set game", "move", "quit")


def _command(line: str) -> tuple[str, str]:
    """Return the one or two words of a command and the rest of its line."""
    word, _, rest = line.strip().partition(" ")
    if word in ("set", "get"):
        second, _, rest = rest.strip().partition(" ")
        word = f"{word} {second}"
    return word, rest.strip()


def _move_name(move: int, size: int) -> str:
    return "PA" if move == PASS else square_name(move, size).upper()


def _value(value: float, size: int) -> str:
    """Return a value; a game that is known to be won or lost stands as all discs."""
    if is_certain(value):
        value = size * size if value > 0 else -size * size
    return f"{round(value, 2) + 0.0:.2f}"


_COMMANDS: dict[str, Callable[[NBoardServer, str], Iterator[str]]] = {
    "nboard": NBoardServer._nboard,
    "set game": NBoardServer._set_game,
    "set depth": NBoardServer._heard,
    "set contempt": NBoardServer._heard,
    f"set {RANDOMNESS}": NBoardServer._set_randomness,
    GET_RANDOMNESS: NBoardServer._get_randomness,
    "move": NBoardServer._move,
    "hint": NBoardServer._hint,
    "go": NBoardServer._go,
    "ping": NBoardServer._ping,
    "learn": NBoardServer._learn,
    "analyze": NBoardServer._analyze,
    "quit": NBoardServer._quit,
}
"""Depth and contempt are heard and change nothing: the player's text says how it searches."""
