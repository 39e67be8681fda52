"""Task specifications of version RL-Glue-3.0: a parser and a writer.

    VERSION <name> PROBLEMTYPE <type> DISCOUNTFACTOR <gamma>
    OBSERVATIONS INTS ([n] min max)* DOUBLES ([n] min max)* CHARCOUNT <k>
    ACTIONS      INTS ([n] min max)* DOUBLES ([n] min max)* CHARCOUNT <k>
    REWARDS (min max) EXTRA [free text to the end]

The parser also accepts a text without EXTRA.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from rlglue.types import MAX_COUNT

VERSION: Final = "RL-Glue-3.0"


class TaskSpecError(ValueError):
    """A text that is not a task specification. The message names the position and the expected text."""


class UnsupportedVersion(TaskSpecError):
    """A text with a version other than RL-Glue-3.0. The parser does not read the rest of the text."""


class Special(StrEnum):
    """A bound that is not a number."""

    NEGINF = "NEGINF"
    POSINF = "POSINF"
    UNSPEC = "UNSPEC"


Bound: TypeAlias = int | float | Special


@dataclass(frozen=True)
class Range:
    """`count` numbers, each from `low` to `high`."""

    low: Bound
    high: Bound
    count: int = 1

    def __str__(self) -> str:
        head = "" if self.count == 1 else f"{self.count} "
        return f"({head}{self.low} {self.high})"


@dataclass(frozen=True)
class Space:
    """The numbers and characters of an observation or an action."""

    ints: tuple[Range, ...] = ()
    doubles: tuple[Range, ...] = ()
    charcount: int = 0

    @property
    def int_count(self) -> int:
        """The number of ints."""
        return sum(item.count for item in self.ints)

    def __str__(self) -> str:
        groups = [
            " ".join([name, *map(str, ranges)])
            for name, ranges in (("INTS", self.ints), ("DOUBLES", self.doubles))
            if ranges
        ]
        return " ".join(groups + ([f"CHARCOUNT {self.charcount}"] if self.charcount else []))


@dataclass(frozen=True)
class TaskSpec:
    """A task specification. `str()` returns its text."""

    problem_type: str = "episodic"
    discount: float = 1.0
    observations: Space = field(default_factory=Space)
    actions: Space = field(default_factory=Space)
    rewards: Range = field(default_factory=lambda: Range(Special.UNSPEC, Special.UNSPEC))
    extra: str = ""
    version: str = VERSION

    def __str__(self) -> str:
        parts = (
            f"VERSION {self.version} PROBLEMTYPE {self.problem_type} DISCOUNTFACTOR {self.discount}",
            f"OBSERVATIONS {self.observations}".rstrip(),
            f"ACTIONS {self.actions}".rstrip(),
            f"REWARDS {self.rewards} EXTRA",
        )
        return " ".join(parts + ((self.extra,) if self.extra else ()))

    def extra_values(self) -> dict[str, str]:
        """Return the key=value pairs of the extra text. Other words of the extra text are ignored."""
        pairs = (word.partition("=") for word in self.extra.split())
        return {key: value for key, equals, value in pairs if equals}


def parse(text: str) -> TaskSpec:
    """Parse a specification. Raises UnsupportedVersion or another TaskSpecError for a wrong text."""
    scanner = _Scanner(text)
    scanner.keyword("VERSION")
    version = scanner.word("the name of a version")
    if version != VERSION:
        raise UnsupportedVersion(f"the task specification has version {version!r}; expected {VERSION}")
    scanner.keyword("PROBLEMTYPE")
    problem_type = scanner.word("a problem type")
    scanner.keyword("DISCOUNTFACTOR")
    discount = _discount(scanner)
    scanner.keyword("OBSERVATIONS")
    observations = _space(scanner, "ACTIONS")
    actions = _space(scanner, "REWARDS")
    rewards = scanner.range(whole=False)
    return TaskSpec(problem_type, discount, observations, actions, rewards, _extra(scanner), version)


def _discount(scanner: "_Scanner") -> float:
    start = scanner.position
    discount = scanner.number(scanner.word("a discount factor"), whole=False)
    if not 0 <= discount <= 1:
        raise scanner.error("a discount factor from 0 to 1", start)
    return float(discount)


def _space(scanner: "_Scanner", end: Literal["ACTIONS", "REWARDS"]) -> Space:
    ints: tuple[Range, ...] = ()
    doubles: tuple[Range, ...] = ()
    charcount = 0
    while (group := scanner.keyword("INTS", "DOUBLES", "CHARCOUNT", end)) != end:
        if group == "INTS":
            ints += scanner.ranges(whole=True)
        elif group == "DOUBLES":
            doubles += scanner.ranges(whole=False)
        else:
            charcount = scanner.count(scanner.word("a count of chars"), lowest=0)
    return Space(ints, doubles, charcount)


def _extra(scanner: "_Scanner") -> str:
    if scanner.at_end():
        return ""
    scanner.keyword("EXTRA")
    return scanner.rest().lstrip(" ")


class _Scanner:
    _NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
    _SPACES = re.compile(r" *")
    _WORD = re.compile(r"[^ ]+")
    _KEYWORD = re.compile(r"[^ (]+")
    _TUPLE = re.compile(r"\(([^()]*)\)")

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def error(self, expected: str, position: int | None = None) -> TaskSpecError:
        start = self.position if position is None else position
        start += len(self.text[start:]) - len(self.text[start:].lstrip(" "))
        rest = self.text[start : start + 20]
        what = f"has {rest!r} at character {start}" if rest else "stops too early"
        return TaskSpecError(f"the task specification {what}; expected {expected}")

    def _take(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.match(self.text, self._after_spaces())
        if match is None:
            raise self.error(expected)
        self.position = match.end()
        return match

    def _after_spaces(self) -> int:
        match = self._SPACES.match(self.text, self.position)
        return match.end() if match else self.position

    def at_end(self) -> bool:
        return self._after_spaces() == len(self.text)

    def rest(self) -> str:
        return self.text[self.position :]

    def word(self, expected: str) -> str:
        return self._take(self._WORD, expected)[0]

    def keyword(self, *names: str) -> str:
        """Read one of the names, in upper case or in lower case."""
        start = self.position
        word = self._take(self._KEYWORD, " or ".join(names))[0]
        if word.upper() not in names or not (word.isupper() or word.islower()):
            raise self.error(" or ".join(names), start)
        return word.upper()

    def ranges(self, whole: bool) -> tuple[Range, ...]:
        ranges = list[Range]()
        while self.text.startswith("(", self._after_spaces()):
            ranges.append(self.range(whole))
        return tuple(ranges)

    def range(self, whole: bool) -> Range:
        """Read (low high) or (count low high). `count` is the number of values with this range."""
        start = self.position
        words: Sequence[str] = self._take(self._TUPLE, "a range such as (0 1)")[1].split(" ")
        words = [word for word in words if word]
        if len(words) not in (2, 3):
            raise self.error("a range of the form (low high) or (count low high)", start)
        count = self.count(words[0], lowest=1) if len(words) == 3 else 1
        low = self.bound(words[-2], Special.NEGINF, whole)
        return Range(low, self.bound(words[-1], Special.POSINF, whole), count)

    def bound(self, word: str, infinity: Special, whole: bool) -> Bound:
        """Parse a number, UNSPEC or the value of `infinity`."""
        if word in (infinity, infinity.lower()):
            return infinity
        if word in (Special.UNSPEC, Special.UNSPEC.lower()):
            return Special.UNSPEC
        return self.number(word, whole)

    def number(self, word: str, whole: bool) -> int | float:
        value = float(word) if self._NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(value) or (whole and value != int(value)):
            raise self._bad_word(word, "a whole number" if whole else "a number")
        return int(value) if whole else value

    def count(self, word: str, lowest: int) -> int:
        if not word.isascii() or not word.isdigit() or not lowest <= float(word) <= MAX_COUNT:
            raise self._bad_word(word, f"a count from {lowest} to {MAX_COUNT}")
        return int(word)

    def _bad_word(self, word: str, expected: str) -> TaskSpecError:
        return TaskSpecError(
            f"the task specification has {word[:20]!r} before character {self.position}; expected {expected}"
        )
