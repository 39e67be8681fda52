"""The agent's side of the control channel: `agent_message` in, a line of text out."""

from collections.abc import Callable, Mapping

Handlers = Mapping[str, Callable[[str], str]]
"""What a message begins with: a function from the rest of it to the answer."""


def answer(handlers: Handlers, message: str) -> str:
    """Obey a message and return `message understood, ...`, what was asked for, or `error: ...`."""
    message = message.strip()
    if message == "help":
        return "\n".join([*handlers, "help"])
    for beginning, handle in handlers.items():
        if message == beginning or message.startswith(beginning + " "):
            try:
                return handle(message.removeprefix(beginning).strip())
            except ValueError as error:
                return f"error: {error}"
    return f"error: {message[:80]!r} is no message of this agent; it takes {', '.join([*handlers, 'help'])}"
