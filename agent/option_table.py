"""The options of a learner for a help text: default, group and meaning of each."""

from typing import Any

from othello_lab.agent.learner import AnyMethod
from othello_lab.agent.options import Described, names_of


def options_of(method: AnyMethod, size: int) -> dict[str, Described]:
    """Return all options of a method by name, with their defaults on boards of a size."""
    own = described(method.configure({}, size, None))
    texts = method.texts
    return {**{name: row for name, row in texts.items() if name not in own}, **own, **texts}


def described(config: object) -> dict[str, Described]:
    """Return the options of a configuration by name, with its values as the defaults.

    A field without `option` has neither group nor meaning. Where a class overrides a field of its base and
    says neither, both are those of the base.
    """
    form: Any = type(config)
    return {name: _described(form, name, getattr(config, name)) for name in names_of(form)}


def _described(form: type, name: str, value: object) -> Described:
    for base in form.__mro__:
        declared = getattr(base, "__dataclass_fields__", {}).get(name)
        if declared and "meaning" in declared.metadata:
            return Described(_as_text(value), declared.metadata["group"], declared.metadata["meaning"])
    return Described(_as_text(value), "", "")


def _as_text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
