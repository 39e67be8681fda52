"""Answers of an agent to `agent_message` and of an environment to `env_message`.

The sender is untrusted, so the length of a message and the length of the answer are limited.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

LONGEST: Final = 10_000
"""The largest number of characters in a message. A transcript of the largest board has 756."""
LARGEST_SEED: Final = 2**128 - 1
"""The largest seed. A seed is a whole number and never negative, as in numpy."""
_LONGEST_ERROR: Final = 500
_LONGEST_WORD: Final = 80

Handlers: TypeAlias = Mapping[str, Callable[[str], str]]
"""A table of functions by the beginning of a message. The argument of a function is the rest of the message.
The function returns the answer, or raises ValueError."""


def answer(handlers: Handlers, message: str, role: str) -> str:
    """Return the answer of the handler for this message, or a text that begins with `error:`.

    `role` is the word for this program in errors, such as `agent`. Without a handler for the message `help`,
    the answer to `help` is a list of all messages that have a handler.
    """
    if len(message) > LONGEST:
        return f"error: a message of {len(message):,} characters is too long: at most {LONGEST:,} are read"
    message = message.strip()
    for beginning, handle in handlers.items():
        if message == beginning or message.startswith(beginning + " "):
            try:
                return handle(message.removeprefix(beginning).strip())
            except ValueError as error:
                return f"error: {truncate_middle(str(error), _LONGEST_ERROR)}"
    known = [*handlers, *(["help"] if "help" not in handlers else [])]
    if message == "help":
        return "\n".join(known)
    text = repr(truncate_middle(message, _LONGEST_WORD))
    return f"error: {text} is no message of this {role}; it takes {', '.join(known)}"


def understood(answer: str) -> bool:
    """Tell whether the answer confirms that the message was carried out."""
    return answer.lower().startswith("message understood")


def natural(text: str, largest: int) -> int:
    """Parse a whole number from 0 to `largest`. Raises ValueError for any other text."""
    digits = len(str(largest))
    # The length is checked first, because Python raises a different error for thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= largest):
        raise ValueError(f"{truncate_middle(text, _LONGEST_WORD)!r} is no whole number from 0 to {largest}")
    return int(text)


def truncate_middle(text: str, width: int) -> str:
    """Return the text, shortened to at most `width` characters. The sign … replaces the middle part."""
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
