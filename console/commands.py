"""What a person types, read. Nothing here asks or prints."""

from enum import Enum

from game.notation import NotationError, parse_square


class Command(Enum):
    """A word that is no move; the value says what it does."""

    UNDO = "take back to your previous decision"
    HINT = "a suggestion for your move"
    MOVES = "list your legal moves"
    BOARD = "draw the board again"
    HELP = "this list"
    QUIT = "leave the game"

    @property
    def word(self) -> str:
        """What is typed for it."""
        return self.name.lower()


WORDS = {command.word: command for command in Command} | {"exit": Command.QUIT, "?": Command.HELP}


def parse_entry(text: str, size: int) -> Command | int:
    """Read a command or a square; raise NotationError that says what could have been typed."""
    word = text.strip().lower()
    if word in WORDS:
        return WORDS[word]
    if word == "pass":
        raise NotationError("a pass is not legal here: you have a move (a forced pass is made for you)")
    try:
        return parse_square(text, size)
    except NotationError as error:
        raise NotationError(f"{error}; `help` lists the commands") from None


def help_text() -> str:
    """Return the list of what can be typed."""
    lines = ["d3 or 2,3   place a disc: column letter and row number, or row,col counted from 0"]
    lines += [f"{command.word:11} {command.value}" for command in Command]
    return "\n".join(lines)
