"""Expected errors: the command line shows the one-line message of the error, and exits."""


class FailedError(ValueError):
    """A task failed; a command ends with exit code 1."""


class RefusedError(ValueError):
    """A wrong request, such as a wrong option; a command ends with exit code 2."""


class UnplayableError(FailedError):
    """A board size or a start that a player does not support."""


class Forfeit(Exception):  # noqa: N818  the game's own word: the player loses, the program goes on
    """Raised by a player that cannot go on with a game. The player loses; the text is the one-line reason."""
