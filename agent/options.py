"""The options of a learner are the fields of a dataclass. This module parses key=value texts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

T = TypeVar("T")
_TYPES = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`float | null`": "a number or none",
    "`bool`": "true or false",
}
# The groups of options in a help text.
Group = Literal["Run", "Network", "Replay", "Search", "Learning", "Exploring", "Self-play"]
GROUPS: Final[tuple[str, ...]] = get_args(Group)  # The groups in the order of the help text.


def option(default: T, group: Group, meaning: str) -> T:
    """Return the dataclass field of an option. The help text shows `meaning`."""
    return field(default=default, metadata={"group": group, "meaning": meaning})


class Described(NamedTuple):
    """The description of an option for a help text."""

    default: str
    group: str
    meaning: str


def names_of(form: type[Any]) -> list[str]:
    """Return the names of the fields that the user can set, all except those in the set `fixed`."""
    fixed: frozenset[str] = getattr(form, "fixed", frozenset())
    return [each.name for each in fields(form) if each.name not in fixed]


def described(config: object) -> dict[str, Described]:
    """Return descriptions of a configuration's options, by name, with the current values as defaults."""
    form: Any = type(config)
    return {name: _described(form, name, getattr(config, name)) for name in names_of(form)}


def _described(form: type, name: str, value: object) -> Described:
    if isinstance(value, tuple):
        text = ",".join(map(str, value))
    else:
        text = str(value).lower() if isinstance(value, bool) or value is None else str(value)
    for base in form.__mro__:
        declared = getattr(base, "__dataclass_fields__", {}).get(name)
        if declared and "meaning" in declared.metadata:
            return Described(text, declared.metadata["group"], declared.metadata["meaning"])
    return Described(text, "", "")


AtLeastOne = Annotated[int, Meta(ge=1)]
AtLeastZero = Annotated[int, Meta(ge=0)]
NotNegative = Annotated[float, Meta(ge=0, le=1e300)]
Positive = Annotated[float, Meta(gt=0, le=1e300)]
Share = Annotated[float, Meta(ge=0, le=1)]
Layers = Annotated[tuple[AtLeastOne, ...], Meta(max_length=99)]  # The number of units in each layer.
Blocks = Annotated[int, Meta(ge=0, le=99)]


@dataclass(frozen=True)
class Schedule:
    """The exploration of an agent, and when it stops learning. The unit of time is a decision or a game."""

    clock: Literal["steps", "games"] = "steps"
    epsilon_schedule: Literal["linear", "exponential"] = option(
        "linear",
        "Exploring",
        "Epsilon is the probability of a random move. At each tick of the clock it falls by the same "
        "amount (linear) or by the same factor (exponential).",
    )
    epsilon_start: Share = option(1.0, "Exploring", "Epsilon before it begins to fall.")
    epsilon_end: Share = option(0.0, "Exploring", "Epsilon after it has fallen.")
    epsilon_from: AtLeastZero = option(0, "Exploring", "Tick of the clock at which epsilon begins to fall.")
    epsilon_steps: AtLeastZero = option(
        0, "Exploring", "Number of ticks of the clock during which epsilon falls."
    )
    opening_moves: AtLeastZero = option(
        0,
        "Exploring",
        "Number of decisions at the start of each game in which epsilon is at least opening_epsilon.",
    )
    opening_epsilon: Share = option(
        0.0, "Exploring", "Minimum of epsilon in the first opening_moves decisions of a game."
    )
    freeze_after_wins: AtLeastZero = option(
        0,
        "Exploring",
        "Stop learning and exploring after this many games in a row without a loss. 0: never stop. In "
        "self-play the option has no effect, because one side always wins.",
    )

    def epsilon(self, tick: int) -> float:
        """Return the probability of a random move at a tick of the clock."""
        done = min(max((tick - self.epsilon_from) / max(self.epsilon_steps, 1), 0.0), 1.0)
        if self.epsilon_schedule == "exponential":
            return float(self.epsilon_start * (self.epsilon_end / self.epsilon_start) ** done)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done


def read_options(
    name: str, form: type[Any], options: dict[str, str], more: Iterable[str] = ()
) -> dict[str, Any]:
    """Convert the texts of options to values for the fields of the dataclass `form`. Raises ValueError.

    `name` is the name of the learner. `more` has names of options that are not fields.
    """
    hints, known = get_type_hints(form, include_extras=True), names_of(form)
    for key in options:
        if key not in known:
            from othello_lab.agent.option_names import instead_of

            raise ValueError(f"{name} has no option {key!r}{instead_of(name, key, [*more, *known])}")
    return {key: _read(key, text, hints[key]) for key, text in options.items()}


def read_length(text: str) -> int:
    """Convert a text to a number of games. Raises ValueError unless it is an integer of at least 1."""
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise ValueError(f"episodes is {text[:40]!r}, expected a whole number from 1")
    return int(text)


def _read(key: str, text: str, form: Any) -> Any:  # noqa: ANN401  the type of the option
    """Convert a text to a value. A tuple is written as `256,256`, and None as `none`."""
    choices = get_args(form)
    value: object = text.replace(" ", "").split(",") if form == Layers else text
    if type(None) in choices and text.lower() == "none":
        return None
    if get_origin(form) is Literal and text not in choices:
        raise ValueError(f"{key} is {text[:40]!r}, expected {' or '.join(choices)}")
    if text.startswith("."):
        value = f"0{text}"
    try:
        return msgspec.convert(value, form, strict=False)
    except msgspec.ValidationError as error:
        expected = str(error).partition(", got")[0].partition(" - at")[0]
        for kind, name in _TYPES.items():
            expected = expected.replace(kind, name)
        raise ValueError(f"{key} is {text[:40]!r}, {expected[0].lower()}{expected[1:]}") from None
