"""Registry texts as tables and back: `alphabeta:depth=4` is `{name = "alphabeta", depth = 4}` in TOML."""

from collections.abc import Mapping

from othello_lab.game.registry import OPTION, RegistryError, Spec, parse, underscored


def as_table(text: str) -> dict[str, object]:
    """Return a registry text as `compose` takes it.

    Raises RegistryError if it does not follow the grammar, or has an option that a table has no place for.
    """
    spec = parse(text)
    if taken := {"name", "argument"} & spec.options.keys():
        raise RegistryError(f"{text!r} has the option {min(taken)}, which a table cannot say: leave it out")
    argument = {} if spec.argument is None else {"argument": spec.argument}
    return {"name": spec.name, **argument, **spec.options}


def compose(table: Mapping[str, object]) -> str:
    """Return the registry text of a table: a name, perhaps an argument, any other key is an option.

    A table within is an option that is a registry text of its own; a key may have dashes for underscores.
    Raises RegistryError for a table that no text says.
    """
    words = {underscored(key): _written(key, value) for key, value in table.items()}
    said_twice = len(words) < len(table)
    name, argument = words.pop("name", ""), words.pop("argument", None)
    head = name if argument is None else f"{name}:{_as_argument(argument)}"
    text = ",".join([head, *(f"{key}={_bracketed(word)}" for key, word in words.items())])
    if not name or said_twice or parse(text) != Spec(name, argument, words):
        raise RegistryError(f"{dict(table)} cannot be written as a text: {text!r} says something else")
    return text


def _written(key: str, value: object) -> str:
    """Return a value as it stands in a text, without brackets."""
    if isinstance(value, Mapping):
        return compose(value)
    if isinstance(value, list):
        return ",".join(_bracketed(_written(key, item)) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise RegistryError(f"{key} is {value}: expected a text, a number, true or false, a list or a table")
    return str(value)


def _as_argument(text: str) -> str:
    # What looks like the first option is none within brackets.
    return f"[{text}]" if OPTION.match(text) else _bracketed(text)


def _bracketed(text: str) -> str:
    return f"[{text}]" if "," in text or text.startswith("[") or text != text.strip() else text
