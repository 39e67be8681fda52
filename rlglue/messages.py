"""The control channel: how an agent or an environment answers `agent_message` and `env_message`.

Whoever asks is not trusted: a message and its answer are bounded.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

LONGEST: Final = 10_000
"""Characters of a message that is obeyed: a transcript of the largest board has 756."""
LARGEST_SEED: Final = 2**128 - 1
"""Seeds are natural numbers up to this one, as numpy draws them."""
_LONGEST_ERROR: Final = 500
_LONGEST_WORD: Final = 80

Handlers: TypeAlias = Mapping[str, Callable[[str], str]]
"""What a message begins with: a function from the rest of it to the answer, which may raise ValueError."""


def answer(handlers: Handlers, message: str, who: str) -> str:
    """Obey a message and return `message understood, ...`, what was asked for, or `error: ...`.

    `who` answers, such as `agent`. Without a handler of its own `help` lists the others.
    """
    if len(message) > LONGEST:
        return f"error: a message of {len(message):,} characters is too long: at most {LONGEST:,} are read"
    message = message.strip()
    for beginning, handle in handlers.items():
        if message == beginning or message.startswith(beginning + " "):
            return _obey(handle, message.removeprefix(beginning).strip())
    known = [*handlers, *(["help"] if "help" not in handlers else [])]
    if message == "help":
        return "\n".join(known)
    said = repr(shortened(message, _LONGEST_WORD))
    return f"error: {said} is no message of this {who}; it takes {', '.join(known)}"


def _obey(handle: Callable[[str], str], rest: str) -> str:
    try:
        return handle(rest)
    except ValueError as error:
        return f"error: {shortened(str(error), _LONGEST_ERROR)}"


def understood(answer: str) -> bool:
    """Whether an answer is that of a peer that has done what was asked."""
    return answer.lower().startswith("message understood")


def natural(text: str, largest: int) -> int:
    """Read a whole number from 0 to `largest`; raise ValueError for anything else."""
    digits = len(str(largest))
    # Counted first: Python refuses to read thousands of digits, with words of its own.
    if not (text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= largest):
        raise ValueError(f"{shortened(text, _LONGEST_WORD)!r} is no whole number from 0 to {largest}")
    return int(text)


def shortened(text: str, width: int) -> str:
    """Return a text that has room, its middle left out if need be."""
    if len(text) <= width:
        return text
    begin = (width - 1) // 2
    return f"{text[:begin]}…{text[begin + 1 - width :]}"


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a text is; raise ValueError if it is none."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value
