"""The engine side of the Go Text Protocol, version 2 (Farnebäck, GTP version 2 draft 2, 2002).

`set_game` and `list_games` are extensions of Quarry. As in gtp-rhino, squares have capital letters, and
`final_score` counts the empty squares for the winner.
"""

import re
from collections.abc import Callable, Iterator
from importlib.metadata import version

from othello_lab.console.engines.engine_game import EngineGame
from othello_lab.console.engines.lines import LONGEST, one_line, whole_number
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.drawing import as_text
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, NotationError, brief, parse_square, square_name
from othello_lab.game.players.player import Forfeit

_LINE = re.compile(r"\s*(?:([0-9]{1,10})(?:\s+|$))?(.*)")
_COLOURS = {"b": Colour.BLACK, "black": Colour.BLACK, "w": Colour.WHITE, "white": Colour.WHITE}
_GAME = "Othello"


class _RefusedError(Exception):
    """An error to send as a GTP failure response, which begins with `?`."""


class GtpServer:
    """Answers the GTP commands of another program."""

    def __init__(self, at: EngineGame) -> None:
        self.at = at

    @staticmethod
    def is_urgent(line: str) -> bool:
        """Return False, because no GTP command interrupts the player."""
        return False

    def answer(self, line: str) -> Iterator[str]:
        """Yield the response to a command, followed by a blank line. Ignore empty lines and comments."""
        match = _LINE.fullmatch(line[:LONGEST].partition("#")[0])
        assert match is not None  # noqa: S101  the pattern matches any line
        number, arguments = match[1] or "", match[2].split()
        if not arguments and not number:
            return
        try:
            status, text = "=", self._run(line, arguments)
        except NotationError as error:
            status, text = "?", one_line(f"syntax error: {error}")
        except IllegalMoveError as error:
            status, text = "?", one_line(f"illegal move: {error}")
        except (_RefusedError, Forfeit, UnplayableError) as error:
            status, text = "?", one_line(error)
        yield f"{status}{number} {text}".rstrip() + "\n"

    def _run(self, line: str, arguments: list[str]) -> str:
        if len(line) > LONGEST:
            raise _RefusedError(f"line too long: more than {LONGEST:,} characters")
        name, *arguments = arguments or [""]
        if name not in _COMMANDS:
            raise _RefusedError(f"unknown command {brief(name)}".rstrip())
        usage, run = _COMMANDS[name]
        if len(arguments) != len(usage.split()):
            raise _syntax_error(name)
        return run(self, *arguments) or ""

    def _quit(self) -> None:
        self.at.conversation.is_over = True

    def _clear_board(self, size: int) -> None:
        try:
            self.at.set_up(Game(Board.start(size)))
        except ValueError as error:
            raise _RefusedError(f"unacceptable size: {error}") from None
        self.at.clock.restart()

    def _play(self, colour: str, move: str) -> None:
        is_pass = move.lower() == "pass"
        self.at.play(PASS if is_pass else parse_square(move, self.at.game.size), _colour(colour))

    def _square(self, move: int) -> str:
        return square_name(move, self.at.game.size).upper()

    def _undo(self) -> None:
        try:
            self.at.undo()
        except IndexError:
            raise _RefusedError("cannot undo") from None

    def _final_score(self) -> str:
        outcome = self.at.game.board.outcome()
        if outcome is None:
            raise _RefusedError("cannot score: the game goes on")
        side = "B" if outcome.final_score > 0 else "W"
        return f"{side}+{abs(outcome.final_score)}" if outcome.winner else "0"

    def _set_game(self, name: str) -> None:
        if name.lower() != _GAME.lower():
            raise _RefusedError("unsupported game")

    def _komi(self, komi: str) -> None:
        if not re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+", komi):
            raise _syntax_error("komi")

    def _time_settings(self, *times: str) -> None:
        self.at.clock.set(*map(whole_number, times))

    def _time_left(self, colour: str, *times: str) -> None:
        self.at.clock.tell(_colour(colour), *map(whole_number, times))


def _colour(text: str) -> Colour:
    if text.lower() not in _COLOURS:
        raise NotationError(f"{brief(text)!r} is no colour: say black or white")
    return _COLOURS[text.lower()]


def _syntax_error(command: str) -> _RefusedError:
    return _RefusedError(f"syntax error: expected {command} {_COMMANDS[command][0]}".rstrip())


# The argument names and the handler of each command.
_COMMANDS: dict[str, tuple[str, Callable[..., str | None]]] = {
    "protocol_version": ("", lambda _: "2"),
    "name": ("", lambda server: f"othello-lab {server.at.seat.name}"),
    "version": ("", lambda _: version("othello-lab")),
    "known_command": ("COMMAND", lambda _, name: "true" if name in _COMMANDS else "false"),
    "list_commands": ("", lambda _: "\n".join(_COMMANDS)),
    "quit": ("", GtpServer._quit),
    "boardsize": ("SIZE", lambda server, size: server._clear_board(whole_number(size))),
    "clear_board": ("", lambda server: server._clear_board(server.at.game.size)),
    "komi": ("KOMI", GtpServer._komi),
    "play": ("COLOUR MOVE", GtpServer._play),
    "genmove": ("COLOUR", lambda server, colour: server._square(server.at.generate(_colour(colour)))),
    "undo": ("", GtpServer._undo),
    "showboard": ("", lambda server: f"\n{as_text(server.at.game)}"),
    "final_score": ("", GtpServer._final_score),
    "set_game": ("GAME", GtpServer._set_game),
    "list_games": ("", lambda _: _GAME),
    "time_settings": ("MAIN BYO_YOMI STONES", GtpServer._time_settings),
    "time_left": ("COLOUR TIME STONES", GtpServer._time_left),
}
