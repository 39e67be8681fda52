"""The Go Text Protocol, version 2, from the side that answers, as Othello programs speak it.

Commands and answers are those of the specification (Farnebäck, GTP version 2 draft 2, 2002), `set_game` and
`list_games` those of Quarry; squares in capitals and the score with the empty squares given to the winner are
as gtp-rhino has them.
"""

import re
from collections.abc import Callable, Iterator
from importlib.metadata import version

from othello_lab.console.engines.engine_game import Session
from othello_lab.console.engines.lines import LONGEST, one_line, whole_number
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.drawing import as_text
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, NotationError, brief, parse_square, square_name
from othello_lab.game.players.engines.gtp import GET_RANDOMNESS, OURS, SET_RANDOMNESS
from othello_lab.game.players.player import Forfeit

_LINE = re.compile(r"\s*(?:([0-9]{1,10})(?:\s+|$))?(.*)")
_COLOURS = {"b": Colour.BLACK, "black": Colour.BLACK, "w": Colour.WHITE, "white": Colour.WHITE}
_GAME = "Othello"


class _RefusedError(Exception):
    """What is answered with `?`."""


class GtpServer:
    """Answers GTP commands about the game of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.done = False

    @staticmethod
    def is_urgent(line: str) -> bool:
        """Tell whether a line ends what the player thinks about: none does."""
        return False

    def hear(self, line: str) -> Iterator[str]:
        """Yield the answer to a command and the blank line behind it; nothing for a comment."""
        found = _LINE.fullmatch(line[:LONGEST].partition("#")[0])
        assert found is not None  # noqa: S101  the pattern takes any line
        number, words = found[1] or "", found[2].split()
        if not words and not number:
            return
        try:
            status, text = "=", self._answer(line, words)
        except (_RefusedError, Forfeit, UnplayableError) as why:
            status, text = "?", one_line(why)
        yield f"{status}{number} {text}".rstrip() + "\n"

    def _answer(self, line: str, words: list[str]) -> str:
        if len(line) > LONGEST:
            raise _RefusedError(f"line too long: more than {LONGEST:,} characters")
        name, *arguments = words or [""]
        if name not in _COMMANDS:
            raise _RefusedError(f"unknown command {brief(name)}".rstrip())
        usage, run = _COMMANDS[name]
        if len(arguments) != len(usage.split()):
            raise _syntax(name)
        try:
            return run(self, *arguments)
        except NotationError as error:
            raise _RefusedError(f"syntax error: {error}") from None
        except IllegalMoveError as error:
            raise _RefusedError(f"illegal move: {error}") from None

    def _quit(self) -> str:
        self.done = True
        return ""

    def _boardsize(self, size: str) -> str:
        length = whole_number(size)
        try:
            self._begin(length)
        except ValueError as error:
            raise _RefusedError(f"unacceptable size: {error}") from None
        return ""

    def _clear_board(self) -> str:
        self._begin(self._session.game.size)
        return ""

    def _begin(self, size: int) -> None:
        self._session.set_up(Game(Board.start(size)))
        self._session.clock.restart()

    def _play(self, colour: str, move: str) -> str:
        is_pass = move.lower() == "pass"
        square = PASS if is_pass else parse_square(move, self._session.game.size)
        self._session.play(square, _colour(colour))
        return ""

    def _move(self, move: int) -> str:
        return square_name(move, self._session.game.size).upper()

    def _undo(self) -> str:
        try:
            self._session.undo()
        except IndexError:
            raise _RefusedError("cannot undo") from None
        return ""

    def _final_score(self) -> str:
        outcome = self._session.game.board.outcome()
        if outcome is None:
            raise _RefusedError("cannot score: the game goes on")
        side = "B" if outcome.final_score > 0 else "W"
        return f"{side}+{abs(outcome.final_score)}" if outcome.winner else "0"

    def _set_game(self, name: str) -> str:
        if name.lower() != _GAME.lower():
            raise _RefusedError("unsupported game")
        return ""

    def _set_randomness(self, *words: str) -> str:
        try:
            self._session.randomness = " ".join(words)
        except ValueError as error:
            raise _RefusedError(f"syntax error: {error}") from None
        return ""

    def _komi(self, komi: str) -> str:
        if not re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+", komi):
            raise _syntax("komi")
        return ""

    def _time_settings(self, main: str, period: str, stones: str) -> str:
        self._session.clock.set(whole_number(main), whole_number(period), whole_number(stones))
        return ""

    def _time_left(self, colour: str, seconds: str, stones: str) -> str:
        self._session.clock.tell(_colour(colour), whole_number(seconds), whole_number(stones))
        return ""


def _colour(text: str) -> Colour:
    if text.lower() not in _COLOURS:
        raise NotationError(f"{brief(text)!r} is no colour: say black or white")
    return _COLOURS[text.lower()]


def _syntax(command: str) -> _RefusedError:
    return _RefusedError(f"syntax error: expected {command} {_COMMANDS[command][0]}".rstrip())


_COMMANDS: dict[str, tuple[str, Callable[..., str]]] = {
    "protocol_version": ("", lambda at: "2"),
    "name": ("", lambda at: f"{OURS} {at._session.name}"),
    "version": ("", lambda at: version("othello-lab")),
    "known_command": ("COMMAND", lambda at, name: "true" if name in _COMMANDS else "false"),
    "list_commands": ("", lambda at: "\n".join(_COMMANDS)),
    "quit": ("", GtpServer._quit),
    "boardsize": ("SIZE", GtpServer._boardsize),
    "clear_board": ("", GtpServer._clear_board),
    "komi": ("KOMI", GtpServer._komi),
    "play": ("COLOUR MOVE", GtpServer._play),
    "genmove": ("COLOUR", lambda at, colour: at._move(at._session.generate(_colour(colour)))),
    "reg_genmove": ("COLOUR", lambda at, colour: at._move(at._session.consider(_colour(colour)))),
    "undo": ("", GtpServer._undo),
    "showboard": ("", lambda at: f"\n{as_text(at._session.game)}"),
    "final_score": ("", GtpServer._final_score),
    "set_game": ("GAME", GtpServer._set_game),
    "list_games": ("", lambda at: _GAME),
    "time_settings": ("MAIN BYO_YOMI STONES", GtpServer._time_settings),
    "time_left": ("COLOUR TIME STONES", GtpServer._time_left),
    GET_RANDOMNESS: ("", lambda at: at._session.randomness or ""),
    SET_RANDOMNESS: ("STATE INCREMENT HAS_HALF HALF", GtpServer._set_randomness),
}
"""Each with its arguments. Komi means nothing here."""
