"""The engine side of the NBoard protocol, version 2 (Welty, The NBoard protocol, part of NTest).

As the protocol requires, the server ignores unknown commands. The command `go` only returns a move. To play
the move, the board program sends the command `move`.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator

from othello_lab.console.advice import Advice
from othello_lab.console.engines.engine_game import EngineGame
from othello_lab.console.engines.lines import LONGEST, one_line, whole_number
from othello_lab.game.board import Colour
from othello_lab.game.notation import PASS, NotationError, brief, square_name
from othello_lab.game.players.player import Forfeit, Policy
from othello_lab.game.records import Record, RecordError, ggf
from othello_lab.game.search.textbook import DEEPEST

_NEEDS_POSITION = ("move", "go", "hint", "analyze")


class NBoardServer:
    """Answers the NBoard commands of a board program."""

    def __init__(self, at: EngineGame) -> None:
        self.at = at
        self._version = 2
        self._depth: int | None = None  # The search depth of `hint` and `analyze` in plies, or None.
        self._failed_line = ""  # The first failed `move` or `set game` since a valid `set game`, or "".

    @staticmethod
    def is_urgent(line: str) -> bool:
        """Return whether a line interrupts the player."""
        return _command(line)[0] in ("ping", "set game", "move", "quit")

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines of the answer to a command.

        After a failed `move` or `set game`, commands that need the position fail until a valid `set game`.
        """
        name, rest = _command(line[:LONGEST])
        if len(line) > LONGEST:
            self._note_failure(name, line)
            yield f"status line too long: more than {LONGEST:,} characters"
            return
        try:
            if self._failed_line and name in _NEEDS_POSITION:
                why = f"the position is unknown since {self._failed_line!r} failed"
                raise NotationError(f"{why}: send set game")
            if run := _COMMANDS.get(name):
                yield from run(self, rest) or ()
        except (ValueError, Forfeit) as error:  # ValueError: also illegal moves and unsupported sizes
            self._note_failure(name, line)
            yield f"status {name}: {one_line(error)}"

    def _note_failure(self, name: str, line: str) -> None:
        if name in ("move", "set game"):
            self._failed_line = self._failed_line or brief(line)

    def _nboard(self, text: str) -> Iterator[str]:
        self._version = whole_number(text)
        yield f"set myname {one_line(self.at.seat.name)}"

    def _set_game(self, text: str) -> None:
        match [*ggf.entries(text)]:
            case [Record() as record]:
                self.at.set_up(record.game)
            case [RecordError() as error, *_]:
                raise error
            case games:
                raise RecordError(f"expected one game in GGF, found {len(games)}")
        self._failed_line = ""
        self.at.clock.set(_time_limit(text))
        for side, move in re.findall(r"(?<![A-Z])([BW])\[([^]]*)\]", text):
            self.at.clock.use(ggf.SIDES[side], _time_of(move))

    def _move(self, text: str) -> None:
        game = self.at.game
        self.at.play(ggf.parse_move(ggf.fields_of(text)[0], game.size))
        self.at.clock.use(game.boards[len(game.moves) - 1].turn, _time_of(text))

    def _go(self, _: str) -> Iterator[str]:
        if self.at.game.board.is_over:
            raise NotationError("the game is over")
        yield self._status("thinking")
        started = time.monotonic()
        move = self.at.decide()
        seconds = time.monotonic() - started
        name, discs = _move_name(move, self.at.game.size), self._value_of(move)
        value = "" if discs is None else _number(discs)
        yield f"=== {name}/{value}/{seconds:.2f}" if self._version > 1 else f"=== {name}"
        yield self._status("waiting")

    def _value_of(self, move: int) -> float | None:
        """Return the chosen move's value in discs, or None if the value needs another search."""
        board = self.at.game.board
        if search := self.at.last_search:
            return search.discs(board) if search.move == move else None
        if move == PASS or not isinstance(self.at.seat.player, Policy):
            return None
        *_, advice = [None, *self.at.looks()]
        return advice.by_square[move].discs(board) if advice else None

    def _hint(self, text: str) -> Iterator[str]:
        most = max(1, whole_number(text))
        if not self.at.game.board.legal_moves:
            raise NotationError("there is no move to value here")
        yield self._status("thinking")
        started, has_values = time.monotonic(), False
        for advice in self.at.looks(self._depth):
            has_values = True
            yield from _search_lines(advice, most)
            yield from _node_stats(advice.nodes, started)
        if not has_values:
            yield f"status {one_line(self.at.seat.name)} values no moves"
        yield self._status("waiting")

    def _analyze(self, _: str) -> Iterator[str]:
        """Evaluate the positions of the game from last to first, until an urgent line interrupts."""
        game, started, nodes = self.at.game, time.monotonic(), 0
        try:
            for ply in range(len(game.moves), -1, -1):
                if self.at.is_interrupted(time.monotonic() - started):
                    break
                self.at.set_up(game.until(ply))
                value, more = self._value()
                nodes += more
                if value is not None:
                    yield f"analysis {ply} {_number(value)}"
                yield from _node_stats(nodes, started)
        finally:
            self.at.set_up(game)
        yield self._status("waiting")

    def _value(self) -> tuple[float | None, int]:
        """Return the value for the side to move in discs (None if unknown), and the number of nodes."""
        board = self.at.game.board
        if outcome := board.outcome():
            return float(outcome.disc_diff if board.turn is Colour.BLACK else -outcome.disc_diff), 0
        if board.must_pass:
            self.at.play(PASS)
            value, nodes = self._value()
            return None if value is None else -value, nodes
        *_, advice = [None, *self.at.looks(self._depth)]
        return (max(move.discs(board) for move in advice.moves), advice.nodes) if advice else (None, 0)

    def _set_depth(self, text: str) -> None:
        self._depth = min(max(1, whole_number(text)), DEEPEST)

    def _quit(self, _: str) -> None:
        self.at.conversation.is_over = True

    def _status(self, state: str) -> str:
        return f"status {one_line(self.at.seat.name)} is {state}"


def _command(line: str) -> tuple[str, str]:
    """Split a line into a command of one or two words and the arguments."""
    name, _, rest = line.strip().partition(" ")
    if name in ("set", "get"):
        second, _, rest = rest.strip().partition(" ")
        name = f"{name} {second}"
    return name, rest.strip()


def _time_limit(text: str) -> float:
    """Return each side's time limit in seconds: 3600 for `TI[1:00:00]`, 0 without a time limit."""
    match = re.search(r"\bTI\[\s*([0-9]{1,4}(?::[0-9]{1,2}){1,2})[^0-9:]", text)
    seconds = 0
    for part in match[1].split(":") if match else []:
        seconds = 60 * seconds + int(part)
    return seconds


def _time_of(move: str) -> float:
    """Return the duration of a move in seconds: 0.53 for `F5/1.20/0.53`, 0 for a missing field."""
    seconds = ggf.fields_of(move)[2]
    return float(seconds) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", seconds) else 0.0


def _search_lines(advice: Advice, most: int) -> Iterator[str]:
    board = advice.board
    for move in sorted(advice.moves, key=lambda move: -move.discs(board))[:most]:
        line = "".join(_move_name(square, board.size) for square in move.line or (move.move,))
        depth = "100%" if move.exact is not None else move.depth or 1
        yield f"search {line} {_number(move.discs(board))} 0 {depth}"


def _move_name(move: int, size: int) -> str:
    return "PA" if move == PASS else square_name(move, size).upper()


def _number(discs: float) -> str:
    return f"{round(discs, 2) + 0.0:.2f}"


def _node_stats(nodes: int, started: float) -> Iterator[str]:
    if nodes:
        yield f"nodestats {nodes} {time.monotonic() - started:.2f}"


# The handler of each command.
_COMMANDS: dict[str, Callable[[NBoardServer, str], Iterable[str] | None]] = {
    "nboard": NBoardServer._nboard,
    "set game": NBoardServer._set_game,
    "set depth": NBoardServer._set_depth,
    "move": NBoardServer._move,
    "hint": NBoardServer._hint,
    "go": NBoardServer._go,
    "ping": lambda _, text: [f"pong {whole_number(text)}"],
    "learn": lambda *_: ["learned"],
    "analyze": NBoardServer._analyze,
    "quit": NBoardServer._quit,
}
