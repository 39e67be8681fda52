"""Expected errors: the command line shows their message, one line, and ends."""


class FailedError(ValueError):
    """A task failed; a command ends with exit code 1."""


class RefusedError(ValueError):
    """A wrong request, such as a wrong option; a command ends with exit code 2."""


class UnplayableError(FailedError):
    """A board size or a start that a player does not support."""
