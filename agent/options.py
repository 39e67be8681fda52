"""Values of a configuration's dataclass from key=value texts."""

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, get_args, get_origin, get_type_hints

from game.registry import similar

_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_options(
    name: str, form: type[Any], options: dict[str, str], more: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the values that texts give to the fields of a dataclass, each by its type.

    `name` is that of the learner and `more` what else it takes, for the complaint: raises ValueError for an
    option that is no field, or a text that is no value of its type.
    """
    types = {field.name: get_type_hints(form)[field.name] for field in fields(form)}
    for key in options:
        if key not in types:
            raise ValueError(f"{name} has no option {key!r}{similar(key, [*more, *sorted(types)], 'it has')}")
    return {key: _read(key, text, types[key]) for key, text in options.items()}


def read_length(text: str) -> int:
    """Return a number of games; raise ValueError for any other text."""
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise ValueError(f"episodes is {text[:40]!r}, expected a whole number from 1")
    return int(text)


def _read(key: str, text: str, kind: Any) -> Any:  # noqa: ANN401  any type in, its value out
    try:
        return _value(text, kind)
    except (ValueError, KeyError):
        name = getattr(kind, "__name__", str(kind))
        raise ValueError(f"{key}={text} is no {name}") from None


def _value(text: str, kind: Any) -> Any:  # noqa: ANN401  any type in, its value out
    """Read the text of one value; tuples are written `256,256`, None is `none`."""
    if kind is bool:
        return _FLAGS[text.lower()]
    if get_origin(kind) is tuple:
        return tuple(int(word) for word in text.split(","))
    if type(None) in get_args(kind):
        return None if text.lower() == "none" else float(text)
    return kind(text)
