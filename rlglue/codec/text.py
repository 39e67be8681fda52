"""The texts that travel: a str that old code may also treat as the bytes that rlglue-py3 gave it."""

from collections.abc import Callable
from typing import Any, Final

_METHODS: Final = (
    *("__add__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("count", "endswith", "find", "index", "join", "lstrip", "partition", "removeprefix", "removesuffix"),
    *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip"),
    *("__getitem__", "__mul__", "lower", "splitlines", "upper"),
)


class Text(str):
    """A str whose methods take bytes (as UTF-8) as well, and give Texts.

    What bytes alone can do stays an error or differs: an item is a character, not a number; `bytes + text`
    gives a Text; `isinstance(text, bytes)` is False.
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The text itself, as a plain str: it has been decoded."""
        return str(self)

    def __radd__(self, other: str | bytes) -> "Text":
        return Text(_plain(other) + str(self))


def _plain(value: Any) -> Any:  # noqa: ANN401 - any argument of a method of str
    """Bytes, also those within a tuple or list, as str; everything else as it is."""
    if isinstance(value, bytes | bytearray):
        return value.decode("utf-8", "surrogateescape")
    return type(value)(map(_plain, value)) if type(value) in (tuple, list) else value


def _own(value: Any) -> Any:  # noqa: ANN401 - any result of a method of str
    """A str, also one within a tuple or list, as Text; everything else as it is."""
    if type(value) is str:
        return Text(value)
    return type(value)(map(_own, value)) if type(value) in (tuple, list) else value


def _taking_bytes(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Text, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - those of the method
        return _own(method(self, *map(_plain, arguments), **named))

    return call


for _name in _METHODS:
    setattr(Text, _name, _taking_bytes(getattr(str, _name)))
