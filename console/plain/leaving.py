"""The ways in which a person leaves a conversation in lines of text."""

from console.plain.terminal import Terminal


class Left(Exception):  # noqa: N818  no error: the person chose to leave
    """The person left; the text says how."""


def asked(terminal: Terminal, prompt: str, farewell: str = "\nEnd of input: you have left.") -> str:
    """Return what the person types; raise Left with the farewell at the end of input."""
    try:
        return terminal.ask(prompt)
    except EOFError:
        raise Left(farewell) from None
