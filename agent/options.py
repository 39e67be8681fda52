"""Options of a learner: what a field of its configuration may be, and how it is read from a text."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from othello_lab.game.registry import similar

_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Expected(NamedTuple):
    """What the type of an option says of its values, besides their kind."""

    words: str
    """For the complaint."""
    fits: Callable[[Any], bool]


def one_of(*words: str) -> Expected:
    """Return what an option is that takes one of some words, two or more."""
    return Expected(f"{', '.join(words[:-1])} or {words[-1]}", lambda value: value in words)


_NOT_NEGATIVE = Expected("0 or more", lambda value: 0 <= value < math.inf)
AtLeastOne = Annotated[int, Expected("1 or more", lambda value: value >= 1)]
AtLeastZero = Annotated[int, _NOT_NEGATIVE]
NotNegative = Annotated[float, _NOT_NEGATIVE]
Positive = Annotated[float, Expected("a number above 0", lambda value: 0 < value < math.inf)]
Share = Annotated[float, Expected("0 to 1", lambda value: 0 <= value <= 1)]
Layers = Annotated[
    tuple[int, ...], Expected("layers of 1 or more units", lambda value: min(value, default=1) >= 1)
]


def check(config: object) -> None:
    """Raise ValueError for a field of a configuration that is not None and not what its type expects."""
    form: Any = type(config)  # mypy knows no class for hashable
    for name, expected in _expectations(form).items():
        value = getattr(config, name)
        if value is not None and not expected.fits(value):
            told = list(value) if isinstance(value, tuple) else value
            raise ValueError(f"{name} is {told!r}, expected {expected.words}")


@cache
def _expectations(form: type[Any]) -> dict[str, Expected]:
    hints = get_type_hints(form, include_extras=True)
    parts = {name: [kind, *get_args(kind)] for name, kind in hints.items()}  # also of `Share | None`
    return {
        name: expected
        for name, kinds in parts.items()
        for kind in kinds
        for expected in getattr(kind, "__metadata__", ())
    }


@dataclass(frozen=True)
class Schedule:
    """How much an agent explores, and until when it learns: epsilon over a clock of steps or games."""

    clock: Annotated[str, one_of("steps", "games")] = "steps"
    """What the ticks below are: steps, which are decisions while learning, or games."""
    epsilon_schedule: Annotated[str, one_of("linear", "exponential")] = "linear"
    """linear, or exponential: the same factor at every tick."""
    epsilon_start: Share = 1.0
    epsilon_end: Share = 0.0
    epsilon_from: AtLeastZero = 0
    """Tick up to which epsilon stays at its start; from there it falls."""
    epsilon_steps: AtLeastZero = 0
    """Ticks from epsilon_from until epsilon is at its end."""
    opening_moves: AtLeastZero = 0
    """First decisions of a game that are taken at random with opening_epsilon, where that is more."""
    opening_epsilon: Share = 0.0
    freeze_after_wins: AtLeastZero = 0
    """Stop learning and exploring after this many games in a row without a loss, but not in self-play, where
    one side always wins; 0 never stops."""

    def epsilon(self, tick: int) -> float:
        """Return the share of random moves at a tick of the clock."""
        done = min(max((tick - self.epsilon_from) / max(self.epsilon_steps, 1), 0.0), 1.0)
        if self.epsilon_schedule == "exponential":
            return float(self.epsilon_start * (self.epsilon_end / self.epsilon_start) ** done)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done


def read_options(
    name: str, form: type[Any], options: dict[str, str], more: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the values that texts give to the fields of a dataclass, each by its type.

    `name` is that of the learner and `more` what else it takes, for the complaint: raises ValueError for an
    option that is no field, or a text that is no value of its type.
    """
    hints = get_type_hints(form)
    types = {field.name: hints[field.name] for field in fields(form)}
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
