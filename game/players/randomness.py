"""The state of a player's randomness in words: a player at the other end of a pipe then draws as one here."""

import re

import numpy as np

_GENERATOR = "PCG64"
_WORDS = re.compile(r"([0-9]{1,39}) ([0-9]{1,39}) ([01]) ([0-9]{1,10})", re.ASCII)


def state_of(rng: np.random.Generator) -> str | None:
    """Return a state as four numbers; None of a generator of another kind than `default_rng` makes."""
    state = rng.bit_generator.state
    if state["bit_generator"] != _GENERATOR:
        return None
    return f"{state['state']['state']} {state['state']['inc']} {state['has_uint32']} {state['uinteger']}"


def restore(rng: np.random.Generator, words: str) -> None:
    """Set the state that `state_of` has returned; raise ValueError for words that are none."""
    found = _WORDS.fullmatch(words.strip())
    if not found or not max(int(found[1]), int(found[2])) < 1 << 128 or not int(found[4]) < 1 << 32:
        raise ValueError(f"{words[:40]!r} is no state of randomness: expected four numbers")
    rng.bit_generator.state = {
        "bit_generator": _GENERATOR,
        "state": {"state": int(found[1]), "inc": int(found[2])},
        "has_uint32": int(found[3]),
        "uinteger": int(found[4]),
    }
