"""Expected errors, whose text is one line for the person; the command line shows it and ends."""


class FailedError(ValueError):
    """What was asked for could not be done; a command ends with exit code 1."""


class RefusedError(ValueError):
    """What was asked for cannot be done at all, like a wrong option; a command ends with exit code 2."""


class UnplayableError(FailedError):
    """A game that a player cannot take part in at all: a board size or a start that it does not take."""
