"""The meaning of what a person types. Nothing here asks or prints."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from othello_lab.game.notation import NotationError, brief, parse_square

LEGEND = "On the board: [ ] the last move, ( ) the discs it turned over, + your legal moves."
"""What the characters around and between the discs mean."""


class Command(Enum):
    """A word that is no move; its value is what is typed behind it, and what it does."""

    UNDO = "", "take back to your previous decision"
    REDO = "", "make again what was taken back, to your next decision"
    GOTO = "N", "look at the game after N moves, passes counted; 0 is the start"
    GO = "", "go on from there: what came after is dropped, and the opponent moves"
    HINT = "", "what the legal moves are worth"
    REVIEW = "", "what each move so far was worth, and what was lost"
    MOVES = "", "list your legal moves"
    BOARD = "", "draw the board again"
    OPPONENT = "WHO", "play on against another: level:3, greedy, a run, or human"
    NEW = "", "begin a new game with the same players"
    SWAP = "", "the same with the colours changed"
    HARDER = "", "the same against a level higher"
    EASIER = "", "the same against a level lower"
    SETUP = "", "put discs on the board, and play on from there"
    SAVE = "FILE", "write the game to a new file (.jsonl, .ggf; .txt without names), or its picture (.png)"
    LOAD = "FILE", "go on with the game of a file, or with moves or a position as text"
    RESIGN = "", "give the game up"
    HELP = "", "this list"
    QUIT = "", "leave the game"

    @property
    def word(self) -> str:
        """What is typed for it."""
        return self.name.lower()

    @property
    def usage(self) -> str:
        """The word with what is typed behind it."""
        return f"{self.word} {self.value[0]}".strip()


class Order(NamedTuple):
    """A command with what was typed behind it."""

    command: Command
    argument: str

    @property
    def number(self) -> int:
        """What was typed behind it, as a number of moves; raises NotationError."""
        if not (self.argument.isascii() and self.argument.isdigit() and len(self.argument) < 4):
            raise NotationError(f"expected a number of moves, got {brief(self.argument)!r}")
        return int(self.argument)


WORDS = {command.word: command for command in Command} | {
    "exit": Command.QUIT,
    "q": Command.QUIT,
    "?": Command.HELP,
    "h": Command.HELP,
}


def parse_entry(text: str, size: int) -> Order | int:
    """Read a command or a square; raise NotationError that says what could have been typed."""
    word, _, argument = text.strip().partition(" ")
    if command := WORDS.get(word.lower()):
        return _order(command, argument.strip())
    if not word:
        raise NotationError("nothing was typed: say a square such as d3, or help")
    if word.lower() == "pass":
        raise NotationError("a pass is not legal here: you have a move (a forced pass is made for you)")
    try:
        return parse_square(text.strip().lower(), size)
    except NotationError as error:
        raise NotationError(f"{error}; `help` lists the commands") from None


def _order(command: Command, argument: str) -> Order:
    if bool(argument) != bool(command.value[0]):
        raise NotationError(f"expected `{command.usage}` and nothing else: {command.value[1]}")
    return Order(command, argument)


def help_text(commands: Iterable[Command] = Command) -> str:
    """Return the list of what can be typed, and what the board shows."""
    lines = [
        "d3            place a disc: column letter and row number",
        "2,3 or 2 3    the same square: row and column, counted from 0",
    ]
    lines += [f"{command.usage:13} {command.value[1]}" for command in commands]
    return "\n".join([*lines, LEGEND])
