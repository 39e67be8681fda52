"""Expected errors. The command line shows the message of such an error in one line, and exits."""


class FailedError(ValueError):
    """A task has failed. The command ends with exit code 1."""


class RefusedError(ValueError):
    """A request is wrong, for example an option. The command ends with exit code 2."""


class UnplayableError(FailedError):
    """A player does not support the board size or the start."""


class Forfeit(Exception):  # noqa: N818  `forfeit` is the usual term in games
    """A player cannot continue a game, so it loses the game. The message is the reason, in one line."""
