"""The NBoard protocol, version 2, from the side of the engine (Welty, The NBoard protocol, part of NTest).

Lines that it does not know are ignored, as the protocol asks for; a known one that is wrong is answered with
a `status` line. `go` makes no move: the game goes on with the `move` that the board program sends.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator

from othello_lab.console.advice import Advice
from othello_lab.console.engines.engine_game import Session
from othello_lab.console.engines.lines import LONGEST, one_line, whole_number
from othello_lab.game.board import Colour
from othello_lab.game.notation import PASS, NotationError, brief, square_name
from othello_lab.game.players.engines.nboard import GET_RANDOMNESS, RANDOMNESS
from othello_lab.game.players.player import Forfeit
from othello_lab.game.records import RecordError, ggf
from othello_lab.game.records.record import strict
from othello_lab.game.search.textbook import DEEPEST

_NEEDS_POSITION = ("move", "go", "hint", "analyze")


class NBoardServer:
    """Answers the lines of a board program about the game of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._version = 2
        self._depth: int | None = None
        """Plies that `hint` and `analyze` look ahead, once they have been told."""
        self._returns_randomness = False
        self._unread = ""
        """The first `move` or `set game` that failed since the last that set up a game; "" if none did."""
        self.done = False

    @staticmethod
    def is_urgent(line: str) -> bool:
        """Tell whether a line ends what the player thinks about: the position is about to change."""
        return _command(line)[0] in ("ping", "set game", "move", "quit")

    def hear(self, line: str) -> Iterator[str]:
        """Yield the lines that answer one; none for a line that is not known.

        After a `move` or `set game` that cannot be followed, the position differs from the board program's:
        until the next `set game` nothing is played or valued.
        """
        word, rest = _command(line[:LONGEST])
        if len(line) > LONGEST:
            self._note_failure(word, line)
            yield f"status line too long: more than {LONGEST:,} characters"
            return
        try:
            if self._unread and word in _NEEDS_POSITION:
                raise NotationError(f"the position is unknown since {self._unread!r} failed: send set game")
            yield from _COMMANDS.get(word, _ignore)(self, rest) or ()
        except (ValueError, Forfeit) as why:  # the former also for an illegal move and a game not played
            self._note_failure(word, line)
            yield f"status {word}: {one_line(why)}"

    def _note_failure(self, word: str, line: str) -> None:
        if word in ("move", "set game"):
            self._unread = self._unread or brief(line)

    def _nboard(self, text: str) -> Iterator[str]:
        self._version = whole_number(text)
        yield f"set myname {one_line(self._session.name)}"

    def _set_game(self, text: str) -> None:
        games = strict(ggf.entries(text))
        if len(games) != 1:
            raise RecordError(f"expected one game in GGF, found {len(games)}")
        self._session.set_up(games[0].game)
        self._unread = ""
        self._session.clock.set(_allowed(text))
        for side, move in re.findall(r"(?<![A-Z])([BW])\[([^]]*)\]", text):
            self._session.clock.use(ggf.SIDES[side], _taken(move))

    def _move(self, text: str) -> None:
        game = self._session.game
        self._session.play(ggf.parse_move(ggf.fields_of(text)[0], game.size))
        self._session.clock.use(game.boards[len(game.moves) - 1].turn, _taken(text))

    def _go(self, _: str) -> Iterator[str]:
        if self._session.game.board.is_over:
            raise NotationError("the game is over")
        yield self._status("thinking")
        started = time.monotonic()
        move = self._session.decide()
        seconds = time.monotonic() - started
        if self._returns_randomness:
            yield from self._get_randomness()
        name, discs = _move_name(move, self._session.game.size), _chosen(self._session, move)
        value = "" if discs is None else _number(discs)
        yield f"=== {name}/{value}/{seconds:.2f}" if self._version > 1 else f"=== {name}"
        yield self._status("waiting")

    def _hint(self, text: str) -> Iterator[str]:
        most = max(1, whole_number(text))
        if not self._session.game.board.legal_moves:
            raise NotationError("there is no move to value here")
        yield self._status("thinking")
        started, is_valued = time.monotonic(), False
        for look in self._session.looks(self._depth):
            is_valued = True
            yield from self._search_lines(look, most)
            yield from _node_stats(look.nodes, started)
        if not is_valued:
            name = _move_name(self._session.consider(), self._session.game.size)
            yield f"status {one_line(self._session.name)} values no moves; it would play {name}"
        yield self._status("waiting")

    def _search_lines(self, advice: Advice, most: int) -> Iterator[str]:
        board = advice.board
        for move in sorted(advice.moves, key=lambda move: -move.discs(board))[:most]:
            line = "".join(_move_name(square, board.size) for square in move.line or (move.move,))
            depth = "100%" if move.exact is not None else move.depth or 1
            yield f"search {line} {_number(move.discs(board))} 0 {depth}"

    def _analyze(self, _: str) -> Iterator[str]:
        """Value the positions of the game from the last to the first, as far as there are moves and time."""
        game, started, nodes = self._session.game, time.monotonic(), 0
        try:
            for ply in range(len(game.moves), -1, -1):
                if self._session.is_called_away(time.monotonic() - started):
                    break
                self._session.set_up(game.until(ply))
                value, more = _position(self._session, self._depth)
                nodes += more
                if value is not None:
                    yield f"analysis {ply} {_number(value)}"
                yield from _node_stats(nodes, started)
        finally:
            self._session.set_up(game)
        yield self._status("waiting")

    def _get_randomness(self, _: str = "") -> Iterator[str]:
        yield f"{RANDOMNESS} {self._session.randomness}"

    def _set_randomness(self, text: str) -> None:
        self._session.randomness, self._returns_randomness = text, True

    def _set_depth(self, text: str) -> None:
        self._depth = min(max(1, whole_number(text)), DEEPEST)

    def _set_contempt(self, text: str) -> None:
        whole_number(text.removeprefix("-"))

    def _quit(self, _: str) -> None:
        self.done = True

    def _status(self, what: str) -> str:
        return f"status {one_line(self._session.name)} is {what}"


def _ignore(_: NBoardServer, text: str) -> None:
    """Do nothing for a line that is not known, as the protocol asks for."""


def _command(line: str) -> tuple[str, str]:
    """Return the one or two words of a command and the rest of its line."""
    word, _, rest = line.strip().partition(" ")
    if word in ("set", "get"):
        second, _, rest = rest.strip().partition(" ")
        word = f"{word} {second}"
    return word, rest.strip()


def _allowed(ggf: str) -> float:
    """Return the seconds that a side has for the game, `TI[5:00]` or `TI[1:00:00]`; 0 if it is not said."""
    found = re.search(r"\bTI\[\s*([0-9]{1,4}(?::[0-9]{1,2}){1,2})[^0-9:]", ggf)
    seconds = 0
    for part in found[1].split(":") if found else []:
        seconds = 60 * seconds + int(part)
    return seconds


def _taken(move: str) -> float:
    """Return the seconds that a move took, of `F5/1.20/0.53`; 0 if it is not said."""
    seconds = ggf.fields_of(move)[2]
    return float(seconds) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", seconds) else 0.0


def _position(session: Session, depth: int | None) -> tuple[float | None, int]:
    """Return the discs that the position is worth to the side to move, None where nobody knows, and nodes."""
    board = session.game.board
    if outcome := board.outcome():
        return float(outcome.disc_diff if board.turn is Colour.BLACK else -outcome.disc_diff), 0
    if board.must_pass:
        session.play(PASS)
        value, nodes = _position(session, depth)
        return None if value is None else -value, nodes
    *_, found = [None, *session.looks(depth)]
    return (max(move.discs(board) for move in found.moves), found.nodes) if found else (None, 0)


def _chosen(session: Session, move: int) -> float | None:
    """Return the discs of the move just chosen; None where to find out would take as long again."""
    board = session.game.board
    if found := session.last_found:
        return found.discs(board) if found.move == move else None
    if move == PASS or not session.answers_at_once:
        return None
    *_, advice = [None, *session.looks()]
    return advice.by_square[move].discs(board) if advice else None


def _move_name(move: int, size: int) -> str:
    return "PA" if move == PASS else square_name(move, size).upper()


def _number(discs: float) -> str:
    return f"{round(discs, 2) + 0.0:.2f}"


def _node_stats(nodes: int, started: float) -> Iterator[str]:
    """Yield how many positions a search has looked at, and for how long, since it was asked."""
    if nodes:
        yield f"nodestats {nodes} {time.monotonic() - started:.2f}"


_COMMANDS: dict[str, Callable[[NBoardServer, str], Iterable[str] | None]] = {
    "nboard": NBoardServer._nboard,
    "set game": NBoardServer._set_game,
    "set depth": NBoardServer._set_depth,
    "set contempt": NBoardServer._set_contempt,
    f"set {RANDOMNESS}": NBoardServer._set_randomness,
    GET_RANDOMNESS: NBoardServer._get_randomness,
    "move": NBoardServer._move,
    "hint": NBoardServer._hint,
    "go": NBoardServer._go,
    "ping": lambda _, text: [f"pong {whole_number(text)}"],
    "learn": lambda *_: ["learned"],
    "analyze": NBoardServer._analyze,
    "quit": NBoardServer._quit,
}
"""Contempt is read and changes nothing, and depth changes no move: the player's text says how it searches."""
