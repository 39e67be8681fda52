"""Options of a learner: fields of a dataclass, with limits and help texts. Key=value texts set them."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from othello_lab.game.registry import did_you_mean

T = TypeVar("T")
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_TYPES = {bool: "true or false", int: "a whole number", float: "a number"}

RUN, NETWORK, REPLAY, SEARCH, LEARNING, EXPLORING, MANY_GAMES = GROUPS = (
    "Run",
    "Network",
    "Replay and frames",
    "Search",
    "Learning",
    "Exploring",
    "Many games at once (othello selfplay)",
)
"""The groups of options in a help text, in this order."""


def option(default: T, group: str, meaning: str) -> T:
    """Return the dataclass field of an option. `group` is one of GROUPS, `meaning` is for the help text."""
    return field(default=default, metadata={"group": group, "meaning": meaning})


class Described(NamedTuple):
    """The description of an option for a help text."""

    default: str
    group: str
    meaning: str


def names_of(form: type[Any]) -> list[str]:
    """Return the names of the fields that texts can set: all except those in the class attribute `fixed`."""
    fixed: frozenset[str] = getattr(form, "fixed", frozenset())
    return [each.name for each in fields(form) if each.name not in fixed]


def described(config: object) -> dict[str, Described]:
    """Return the options of a configuration by name. The defaults are the configuration's values.

    A field without `option` has an empty group and meaning, unless it overrides a field of a base class with
    `option`. It then has the group and the meaning of that field.
    """
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


class Expected(NamedTuple):
    """The limits of an option's values. They stand in the option's type."""

    text: str
    """The expected values, for the error message."""
    fits: Callable[[Any], bool]


def one_of(*values: str) -> Expected:
    """Return the limits of an option with these values as choices, at least two."""
    return Expected(f"{', '.join(values[:-1])} or {values[-1]}", lambda value: value in values)


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
    """Raise ValueError if a field is outside the limits of its type. None is always allowed."""
    form: Any = type(config)  # Any: mypy does not accept a class as hashable
    for name, expected in _expectations(form).items():
        value = getattr(config, name)
        if value is not None and not expected.fits(value):
            printed = list(value) if isinstance(value, tuple) else value
            raise ValueError(f"{name} is {printed!r}, expected {expected.text}")


@cache
def _expectations(form: type[Any]) -> dict[str, Expected]:
    hints = get_type_hints(form, include_extras=True)
    parts = {name: [kind, *get_args(kind)] for name, kind in hints.items()}  # for `Share | None` too
    return {
        name: expected
        for name, kinds in parts.items()
        for kind in kinds
        for expected in getattr(kind, "__metadata__", ())
    }


@dataclass(frozen=True)
class Schedule:
    """How much an agent explores, and when it stops learning.

    Epsilon follows a clock. A tick of the clock is a step (a decision while learning) or a game.
    """

    clock: Annotated[str, one_of("steps", "games")] = "steps"
    epsilon_schedule: Annotated[str, one_of("linear", "exponential")] = option(
        "linear",
        EXPLORING,
        "How epsilon falls: linear, or exponential, by the same factor at every tick of the clock.",
    )
    epsilon_start: Share = option(1.0, EXPLORING, "Share of random moves at first.")
    epsilon_end: Share = option(0.0, EXPLORING, "Share of random moves at the end of the schedule.")
    epsilon_from: AtLeastZero = option(0, EXPLORING, "Tick of the clock at which epsilon begins to fall.")
    epsilon_steps: AtLeastZero = option(
        0, EXPLORING, "Ticks of the clock from epsilon_from until epsilon is epsilon_end."
    )
    opening_moves: AtLeastZero = option(
        0, EXPLORING, "First decisions of a game in which epsilon is at least opening_epsilon."
    )
    opening_epsilon: Share = option(0.0, EXPLORING, "Share of random moves among the opening_moves.")
    freeze_after_wins: AtLeastZero = option(
        0,
        EXPLORING,
        "Stop learning and exploring after this many games in a row without a loss; 0 never stops. In "
        "self-play, where one side always wins, it has no effect.",
    )

    def epsilon(self, tick: int) -> float:
        """Return the probability of a random move at a tick of the clock."""
        done = min(max((tick - self.epsilon_from) / max(self.epsilon_steps, 1), 0.0), 1.0)
        if self.epsilon_schedule == "exponential":
            return float(self.epsilon_start * (self.epsilon_end / self.epsilon_start) ** done)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done


ALSO_CALLED: Final[Mapping[str, str]] = {
    "batch": "batch_size minibatch_size",
    "blocks": "num_blocks n_blocks residual_blocks",
    "channels": "filters num_filters n_filters",
    "clip": "clip_range clip_coef clip_epsilon",
    "clip_norm": "max_grad_norm max_gradient_norm grad_clip gradient_clip",
    "double": "double_dqn double_q",
    "dueling": "dueling_dqn duel",
    "entropy_weight": "ent_coef entropy_coef",
    "epochs": "n_epochs num_epochs update_epochs",
    "epsilon": "eps exploration exploration_rate",
    "epsilon_start": "epsilon eps_start initial_epsilon exploration_initial_eps",
    "epsilon_end": "epsilon eps_end min_epsilon epsilon_min final_epsilon exploration_final_eps",
    "epsilon_steps": "exploration_fraction epsilon_decay eps_decay epsilon_decay_steps",
    "frames": "frame_stack stack_size n_stack num_stack history",
    "gamma": "discount discount_factor",
    "hidden": "hidden_layers hidden_sizes hidden_size net_arch layers",
    "horizon": "n_steps num_steps rollout_length",
    "lam": "lambda gae_lambda",
    "learning_rate": "lr alpha step_size",
    "loss": "loss_fn criterion",
    "memory": "buffer_size replay_size memory_size replay_capacity replay",
    "n_step": "n_steps multi_step",
    "optimiser": "optimizer",
    "priority": "per prioritized prioritized_replay prioritized_replay_alpha",
    "priority_beta": "prioritized_replay_beta",
    "replay": "buffer_size replay_size memory_size replay_capacity memory",
    "simulations": "num_simulations n_simulations",
    "target_every": "target_update_interval target_update target_network_frequency",
    "target_rate": "tau polyak",
    "units": "activation activation_fn",
    "update_every": "train_freq train_frequency update_frequency",
    "value_weight": "vf_coef value_coef",
    "warm_up": "learning_starts min_replay_size",
    "width": "hidden hidden_layers hidden_sizes hidden_size net_arch layers",
}
"""Our options, and the names of the same options in other libraries and textbooks."""


def read_options(
    name: str, form: type[Any], options: dict[str, str], more: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the values of a dataclass's fields from texts, each converted to the type of its field.

    `name` is the learner's. `more` are options of the learner that are not fields. Raises ValueError for an
    unknown option and for a text that does not fit its type.
    """
    hints, known = get_type_hints(form), names_of(form)
    for key in options:
        if key not in known:
            raise ValueError(f"{name} has no option {key!r}{_instead_of(name, key, [*more, *known])}")
    return {key: _read(key, text, hints[key]) for key, text in options.items()}


def _instead_of(name: str, key: str, known: list[str]) -> str:
    """Return the end of the error for an unknown option: its name here, similar names, or the help."""
    names = [name for name, others in ALSO_CALLED.items() if name in known and key in others.split()]
    if names:
        return f"; here it is called {' or '.join(names)}"
    return did_you_mean(key, known) or f"; `othello agent {name} --help` lists its options"


def read_length(text: str) -> int:
    """Return a number of games from a text. Raises ValueError if it is not a whole number from 1."""
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise ValueError(f"episodes is {text[:40]!r}, expected a whole number from 1")
    return int(text)


def _read(key: str, text: str, kind: Any) -> Any:  # noqa: ANN401  the type of the option
    try:
        return _value(text, kind)
    except (ValueError, KeyError):
        expected = _TYPES.get(kind) or (
            "a number or none" if type(None) in get_args(kind) else "whole numbers"
        )
        raise ValueError(f"{key} is {text[:40]!r}, expected {expected}") from None


def _value(text: str, kind: Any) -> Any:  # noqa: ANN401  the type of the option
    """Return the value of a text. A tuple is written as `256,256`, None as `none`."""
    if kind is bool:
        return _FLAGS[text.lower()]
    if get_origin(kind) is tuple:
        return tuple(int(part) for part in text.split(","))
    if type(None) in get_args(kind):
        return None if text.lower() == "none" else float(text)
    return kind(text)
