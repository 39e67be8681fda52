"""A program that speaks GTP as a player: `engine:gtp-rhino -l 1`."""

import os
import re
from collections.abc import Sequence

import numpy as np

from game import command_line
from game.board import Board
from game.game import Game
from game.notation import PASS, NotationError, parse_square, square_name
from game.players.base import Forfeit, Player, UnplayableError
from game.players.engine.gtp import GtpClient, RefusalError
from game.players.engine.retrace import retrace
from game.registry import Entry, RegistryError, Spec

SECONDS = 10.0
"""The time for each answer, unless told otherwise."""
# Where the file system standard puts them; the superuser's PATH leaves them out.
_GAMES = ("/usr/games", "/usr/local/games")


class EnginePlayer(Player):
    """Another program, asked for its moves over GTP. One that dies, hangs or talks rubbish forfeits.

    It is started when it is first needed, and again after a forfeit. It hears of the moves just before it is
    asked, and of all of them again when the game has gone another way than it knows: a new game, an undo.
    """

    def __init__(self, command: Sequence[str], size: int, seconds: float = SECONDS, name: str = "") -> None:
        self._command = command
        self._size = size
        self._seconds = seconds
        self._name = name or os.path.basename(command[0])
        self._client: GtpClient | None = None
        self._told: list[int] = []
        self._passes_by_itself = False
        self._way: tuple[Board, list[int]] = (Board.start(size), [])

    def start(self, game: Game) -> None:
        """Begin a new game in the program."""
        self._set_up()
        self._tell(self._moves(game))

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the program's move; its randomness is its own."""
        moves = self._moves(game)
        if self._client is None or self._told != moves[: len(self._told)]:
            self._set_up()
        self._tell(moves[len(self._told) :])
        move = self._legal(self._ask(f"genmove {_colour(len(moves))}"), game)
        self._told.append(move)
        return move

    def close(self) -> None:
        """End the program."""
        if self._client:
            self._client.close()
        self._client = None
        self._told = []

    def _moves(self, game: Game) -> list[int]:
        """Return the moves of a game from the standard start; raise UnplayableError if there are none."""
        start = game.boards[0]
        if start != self._way[0]:
            way = retrace(start)
            if way is None:
                raise UnplayableError(
                    f"{self._name} is set up by moves, but none were found from the standard start to {start}"
                )
            self._way = start, way
        return self._way[1] + game.moves

    def _set_up(self) -> None:
        if self._client is None:
            self._client = GtpClient(self._command, self._name, self._seconds)
        try:
            self._order(f"boardsize {self._size}")
        except RefusalError as error:
            self.close()
            size = f"{self._size}x{self._size}"
            raise UnplayableError(f"{self._name} does not play on a board of {size}: {error}") from None
        self._ask("clear_board")
        self._told = []

    def _tell(self, moves: Sequence[int]) -> None:
        for move in moves:
            colour = _colour(len(self._told))
            if move == PASS:
                self._tell_pass(colour)
            else:
                self._ask(f"play {colour} {square_name(move, self._size)}")
            self._told.append(move)

    def _tell_pass(self, colour: str) -> None:
        # Some programs want to hear of a pass, others make it themselves and refuse to (gtp-rhino).
        if not self._passes_by_itself:
            try:
                self._order(f"play {colour} pass")
            except RefusalError:
                self._passes_by_itself = True

    def _ask(self, command: str) -> str:
        """Return the answer to a command that no program may refuse; raise Forfeit."""
        try:
            return self._order(command)
        except RefusalError as error:
            raise self._forfeit(f"refused {command!r}: {error}") from None

    def _order(self, command: str) -> str:
        assert self._client is not None  # noqa: S101  started by _set_up
        try:
            return self._client.ask(command)
        except (Forfeit, KeyboardInterrupt):
            self.close()
            raise

    def _legal(self, answer: str, game: Game) -> int:
        """Read a move and return it if it is legal; raise Forfeit."""
        if answer.strip().lower() == "resign":
            raise self._forfeit("resigned")
        try:
            move = PASS if answer.strip().lower() == "pass" else parse_square(answer, self._size)
        except NotationError:
            raise self._forfeit(f"answered {answer[:60]!r}, which is no move") from None
        if move not in game.board.legal_moves:
            raise self._forfeit(f"played {square_name(move, self._size)}, which is not legal in {game.board}")
        return move

    def _forfeit(self, why: str) -> Forfeit:
        self.close()
        return Forfeit(f"{self._name} {why}")


def _colour(ply: int) -> str:
    """Return who moves at a ply: passes are plies, so black and white take turns."""
    return "white" if ply % 2 else "black"


def split_command(text: str) -> list[str]:
    """Split the command line of an engine; raise ValueError if it is none or the program does not exist."""
    if not text.strip():
        raise ValueError("name the program, such as engine:gtp-rhino -l 1")
    return command_line.split_command(text, [os.environ.get("PATH", os.defpath), *_GAMES])


def make_engine(spec: Spec, size: int) -> Player:
    """Return the player that a registry text names; raise RegistryError. The program is not started yet."""
    argument, seconds = spec.argument or "", spec.options.get("time", f"{SECONDS:g}")
    try:
        command = split_command(argument)
    except ValueError as error:
        raise RegistryError(f"{spec.name}: {error}") from None
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", seconds, re.ASCII) or float(seconds) == 0:
        raise RegistryError(f"{spec.name}: time is {seconds!r}, expected seconds for each answer, above 0")
    return EnginePlayer(command, size, float(seconds), spec.options.get("name", ""))


ENTRIES: dict[str, Entry[Player]] = {
    "engine": Entry(
        make_engine,
        "a program that speaks GTP, such as engine:gtp-rhino -l 1",
        argument="COMMAND",
        options={
            "time": f"seconds for each of its answers, then it forfeits ({SECONDS:g})",
            "name": "what to call it (the program's name)",
        },
        harmless=lambda spec, size: False,  # it starts a program
    ),
}
