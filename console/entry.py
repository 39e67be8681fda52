"""What a person types, read. Nothing here asks or prints."""

from enum import Enum

from game.notation import NotationError, parse_square

LONGEST = 20
"""Characters that are looked at; what is longer is no move nor command, and is not repeated whole."""


class Command(Enum):
    """A word that is no move; the value says what it does."""

    UNDO = "take back to your previous decision"
    HINT = "the best moves and what they are worth"
    MOVES = "list your legal moves"
    BOARD = "draw the board again"
    HELP = "this list"
    QUIT = "leave the game"

    @property
    def word(self) -> str:
        """What is typed for it."""
        return self.name.lower()


WORDS = {command.word: command for command in Command} | {
    "exit": Command.QUIT,
    "q": Command.QUIT,
    "?": Command.HELP,
    "h": Command.HELP,
}


def parse_entry(text: str, size: int) -> Command | int:
    """Read a command or a square; raise NotationError that says what could have been typed."""
    word = text.strip().lower()
    if word in WORDS:
        return WORDS[word]
    if word == "pass":
        raise NotationError("a pass is not legal here: you have a move (a forced pass is made for you)")
    try:
        return parse_square(word if len(word) <= LONGEST else f"{word[:LONGEST]}...", size)
    except NotationError as error:
        raise NotationError(f"{error}; `help` lists the commands") from None


def help_text() -> str:
    """Return the list of what can be typed, and what the board shows."""
    lines = ["d3 or 2,3   place a disc: column letter and row number, or row,col counted from 0"]
    lines += [f"{command.word:11} {command.value}" for command in Command]
    lines += ["On the board: [ ] the last move, ( ) the discs it turned over, + your legal moves."]
    return "\n".join(lines)
