"""The control channel: how an agent or an environment answers `agent_message` and `env_message`.

The sender is not trusted: a message and its answer are bounded.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

LONGEST: Final = 10_000
"""Characters of the longest message that is read: a transcript of the largest board has 756."""
LARGEST_SEED: Final = 2**128 - 1
"""Seeds are natural numbers up to this one, as numpy draws them."""
_LONGEST_ERROR: Final = 500
_LONGEST_WORD: Final = 80

Handlers: TypeAlias = Mapping[str, Callable[[str], str]]
"""Map the beginning of a message to a function of its rest, which returns the answer or raises ValueError."""


def answer(handlers: Handlers, message: str, role: str) -> str:
    """Handle a message; return the answer of its handler, or `error: ...`.

    `role` names the side that answers, such as `agent`. Without a handler for `help`, it lists the others.
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
    """Tell whether an answer says that the message was obeyed."""
    return answer.lower().startswith("message understood")


def natural(text: str, largest: int) -> int:
    """Read a whole number from 0 to `largest`; raise ValueError for anything else."""
    digits = len(str(largest))
    # The length is checked first: Python refuses to read thousands of digits, with an error of its own.
    if not (text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= largest):
        raise ValueError(f"{truncate_middle(text, _LONGEST_WORD)!r} is no whole number from 0 to {largest}")
    return int(text)


def truncate_middle(text: str, width: int) -> str:
    """Return a text of at most `width` characters, with … for its middle where it is longer."""
    if len(text) <= width:
        return text
    begin = (width - 1) // 2
    return f"{text[:begin]}…{text[begin + 1 - width :]}"


def json_object(text: str) -> dict[str, Any]:
    """Parse a JSON object; raise ValueError for any other text."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value
