"""How a person leaves a conversation."""

from console.plain.terminal import Terminal


class Left(Exception):  # noqa: N818  no error: the person chose to leave
    """The person left; the text says how."""


def asked(terminal: Terminal, prompt: str) -> str:
    """Return what the person types; raise Left at the end of input."""
    try:
        return terminal.ask(prompt)
    except EOFError:
        raise Left("\nEnd of input: you have left.") from None
