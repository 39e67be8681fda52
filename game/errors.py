"""Expected errors. The command line shows the message of an expected error in one line, and exits."""


class FailedError(ValueError):
    """A task has failed. The command ends with exit code 1."""


class RefusedError(ValueError):
    """A request is wrong, such as an unknown option. The command ends with exit code 2."""


class UnplayableError(FailedError):
    """A player does not support the board size or the start."""


class Forfeit(Exception):  # noqa: N818  `forfeit` is the usual term in games
    """A player forfeits the game. The message is the one-line reason."""
