"""Parse the squares and commands that a person types."""

from enum import Enum
from typing import NamedTuple

from othello_lab.game.notation import NotationError, brief, parse_square

# The input formats of a square, with explanations.
SQUARES = {
    "d3": "place a disc: column letter and row number",
    "2,3 or 2 3": "the same square: row and column, counted from 0",
}
LEGEND = "On the board: [ ] the last move, ( ) the discs it turned over, + your legal moves."


class Command(Enum):
    """A command, with the name of its argument ("" without an argument) and its help text."""

    UNDO = "", "take back your last move"
    REDO = "", "play the moves again that you took back, up to your next decision"
    GOTO = "N", "show the position after N moves; a pass is a move, and 0 is the start"
    GO = "", "delete the moves after the shown position, and let the opponent move"
    HINT = "", "show the value of each legal move"
    REVIEW = "", "show the value and the loss of each move so far"
    MOVES = "", "list your legal moves"
    BOARD = "", "draw the board again"
    OPPONENT = "WHO", "continue against another player, such as level:3, greedy, a run or human"
    NEW = "", "begin a new game with the same players"
    SETUP = "", "show the position as text, which you can change and load"
    SAVE = "FILE", "write the game to a new file: .jsonl, .ggf, .wtb, or .txt without names"
    LOAD = "FILE", "continue a game from a file, or from typed moves or a typed position"
    RESIGN = "", "give up"
    HELP = "", "show this list"
    QUIT = "", "leave the game"

    @property
    def keyword(self) -> str:
        """The keyword to type for the command."""
        return self.name.lower()

    @property
    def usage(self) -> str:
        """The keyword and the name of the argument, such as `goto N`."""
        return f"{self.keyword} {self.value[0]}".strip()


class Order(NamedTuple):
    """A command with its argument."""

    command: Command
    argument: str = ""

    @property
    def number(self) -> int:
        """The argument as an integer from 0 to 999. Raises NotationError for any other text."""
        if not (self.argument.isascii() and self.argument.isdigit() and len(self.argument) < 4):
            raise NotationError(f"expected a number of moves, got {brief(self.argument)!r}")
        return int(self.argument)


# The commands by keyword, including aliases.
COMMANDS = {command.keyword: command for command in Command} | {
    "exit": Command.QUIT,
    "q": Command.QUIT,
    "?": Command.HELP,
    "h": Command.HELP,
}


def parse_entry(text: str, size: int) -> Order | int:
    """Parse a command or a square. Raises NotationError for any other text."""
    keyword, _, argument = text.strip().partition(" ")
    if command := COMMANDS.get(keyword.lower()):
        if bool(argument.strip()) != bool(command.value[0]):
            raise NotationError(f"expected `{command.usage}` and nothing else: {command.value[1]}")
        return Order(command, argument.strip())
    if not keyword:
        raise NotationError("nothing was typed: say a square such as d3, or help")
    if keyword.lower() == "pass":
        raise NotationError("a pass is not legal here: you have a move (a forced pass is made for you)")
    try:
        return parse_square(text.strip().lower(), size)
    except NotationError as error:
        raise NotationError(f"{error}; `help` lists the commands") from None


def help_text() -> str:
    """Return the help text on squares, commands and board symbols."""
    usages = SQUARES | {command.usage: command.value[1] for command in Command}
    return "\n".join([*(f"{usage:13} {meaning}" for usage, meaning in usages.items()), LEGEND])
