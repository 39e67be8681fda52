"""Functions that answer messages. The sender is untrusted, so the length of each text is limited."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

LONGEST: Final = 10_000  # The maximum number of characters in a message. A transcript has at most 756.
LARGEST_SEED: Final = 2**128 - 1
_LONGEST_ERROR: Final = 500
_LONGEST_WORD: Final = 80

# Handlers by message prefix. A handler maps the rest of the message to the answer or raises ValueError.
Handlers: TypeAlias = Mapping[str, Callable[[str], str]]


def answer(handlers: Handlers, message: str, role: str) -> str:
    """Return the handler's answer, or `error: ...`, which names the `role`. `help` lists all messages."""
    if len(message) > LONGEST:
        return f"error: a message of {len(message):,} characters is too long: at most {LONGEST:,} are read"
    message = message.strip()
    for beginning, handle in handlers.items():
        if message == beginning or message.startswith(beginning + " "):
            try:
                return handle(message.removeprefix(beginning).strip())
            except ValueError as error:
                return f"error: {truncate_middle(str(error), _LONGEST_ERROR)}"
    known = [*handlers, "help"]
    if message == "help":
        return "\n".join(known)
    text = repr(truncate_middle(message, _LONGEST_WORD))
    return f"error: {text} is no message of this {role}; it takes {', '.join(known)}"


def understood(answer: str) -> bool:
    """Return whether the answer confirms that the message was carried out."""
    return answer.lower().startswith("message understood")


def natural(text: str, largest: int) -> int:
    """Parse a whole number from 0 to `largest`. Raises ValueError for any other text."""
    digits = len(str(largest))
    # Check the length first, because Python raises a different error for thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= largest):
        raise ValueError(f"{truncate_middle(text, _LONGEST_WORD)!r} is no whole number from 0 to {largest}")
    return int(text)


def truncate_middle(text: str, width: int) -> str:
    """Return the text with at most `width` characters. An ellipsis … replaces the middle of a longer text."""
    if len(text) <= width:
        return text
    begin = (width - 1) // 2
    return f"{text[:begin]}…{text[begin + 1 - width :]}"


def json_object(text: str) -> dict[str, Any]:
    """Parse a JSON object. Raises ValueError for any other text."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value
