"""Registry texts `name[:argument][,key=value]...`, such as `alphabeta:depth=4,eval=[weights:swh,fade=1]`."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import accumulate

from othello_lab.game.errors import FailedError

# The prefix of an option, which follows the colon if there is no argument. [ ] escape commas.
OPTION = re.compile(r"[a-z][a-z0-9_-]*=")
_BRACKET = re.compile(r"[][]")
_PACKAGE = "othello-lab"
_WHOLE = ("all", "dev")  # The extras of this package that only combine other extras.


class RegistryError(FailedError):
    """A registry text has invalid syntax, or names an object that does not exist."""


@dataclass(frozen=True)
class Spec:
    """A parsed registry text."""

    name: str
    argument: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    text: str = field(default="", compare=False)  # The unparsed registry text.

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """Return an integer option from `low` to `high`. Raises RegistryError for any other value."""
        text = self.options.get(key, str(default))
        if not (re.fullmatch("[0-9]{1,9}", text) and low <= int(text) <= high):
            raise RegistryError(
                f"{self.name}: {key} is {text!r}, expected a whole number from {low} to {high}"
            )
        return int(text)


def similar(word: str, known: Sequence[str], all_are: str = "there are") -> str:
    """Return the suffix of an unknown-word error: similar words, or else all known words."""
    return did_you_mean(word, known) or f"; {all_are}: {', '.join(known) or 'none'}"


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return the suffix of an unknown-word error: similar words, or "" if no known word is similar."""
    close = get_close_matches(word, known)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def parse(text: str) -> Spec:
    """Parse a registry text. Raises RegistryError for invalid syntax."""
    text = text.strip()
    head, *rest = _split(text)
    name, colon, argument = (part.strip() for part in head.partition(":"))
    if OPTION.match(argument):
        colon, rest = "", [argument, *rest]
    if _BRACKET.search(name):
        raise RegistryError(f"{text!r}: a name has no square brackets, but an argument after its colon may")
    options: dict[str, str] = {}
    for word in rest:
        key, equals, value = (part.strip() for part in word.partition("="))
        key = underscored(key)
        if not (key and equals) or _BRACKET.search(key):
            raise RegistryError(f"{word!r} in {text!r} is no option: say key=value")
        if key in options:
            raise RegistryError(f"{text!r} gives {key} twice: say it once")
        options[key] = _unwrapped(value)
    return Spec(name, _unwrapped(argument) if colon else None, options, text)


def nested(text: str) -> Iterator[str]:
    """Yield a registry text and all registry texts nested in this text. Yield nothing for an invalid text."""
    with suppress(RegistryError):
        spec = parse(text)
        yield spec.text
        for word in (spec.argument, *spec.options.values()):
            if word:
                yield from nested(word)


def starts_a_program(text: str) -> bool:
    """Return whether a text contains an engine or an agent program."""
    return any(parse(part).name in ("engine", "agent") for part in nested(text))


def _split(text: str) -> list[str]:
    """Split a text at the commas that are not inside square brackets."""
    depths, words = _depths(text), [""]
    if min(depths, default=0) < 0 or text.count("[") != text.count("]"):
        raise RegistryError(f"the square brackets in {text!r} do not match: close each one that is opened")
    for character, depth in zip(text, depths, strict=True):
        if character == "," and depth == 0:
            words.append("")
        else:
            words[-1] += character
    return words


def _depths(text: str) -> list[int]:
    """Return the number of open square brackets after each character."""
    return list(accumulate((character == "[") - (character == "]") for character in text))


def _unwrapped(word: str) -> str:
    wrapped = word[:1] == "[" and word[-1:] == "]" and min(_depths(word[1:-1]), default=0) == 0
    return word[1:-1] if wrapped else word


def underscored(key: str) -> str:
    """Return the key of an option with underscores instead of dashes."""
    return key.replace("-", "_")


def announced(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group in all installed packages."""
    return _announced(group, tuple(sys.path))


@cache
def _announced(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the entry points on `path`. The result is cached, because a search takes about 10 ms."""
    return tuple(entry_points(group=group))


def compose(table: Mapping[str, object]) -> str:
    """Convert a table, which may be nested, to a registry text. Raises RegistryError for an invalid table."""
    words = {underscored(key): _written(key, value) for key, value in table.items()}
    has_duplicates = len(words) < len(table)
    name, argument = words.pop("name", ""), words.pop("argument", None)
    head = name
    if argument is not None:  # an argument that looks like an option needs brackets
        head += f":[{argument}]" if OPTION.match(argument) else f":{_bracketed(argument)}"
    text = ",".join([head, *(f"{key}={_bracketed(word)}" for key, word in words.items())])
    if not name or has_duplicates or parse(text) != Spec(name, argument, words):
        raise RegistryError(f"{dict(table)} cannot be written as a text: {text!r} says something else")
    return text


def _written(key: str, value: object) -> str:
    if isinstance(value, Mapping):
        return compose(value)
    if isinstance(value, list):
        return ",".join(_bracketed(_written(key, item)) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise RegistryError(f"{key} is {value}: expected a text, a number, true or false, a list or a table")
    return str(value)


def _bracketed(text: str) -> str:
    return f"[{text}]" if "," in text or text.startswith("[") or text != text.strip() else text


def how_to_install(package: str) -> str:
    """Return the command that installs a missing package, as an extra of this package if possible."""
    from importlib.metadata import requires  # lazy import: slow to load

    for requirement in requires(_PACKAGE) or []:
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found and found[2] not in _WHOLE and _module_of(found[1]) == _module_of(package):
            return f"python -m pip install '{_PACKAGE}[{found[2]}]'"
    return f"python -m pip install {package}"


def _module_of(package: str) -> str:
    return re.sub(r"[-.]", "_", package).lower()
