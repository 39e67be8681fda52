"""The registry: text such as `greedy` or `dqn:PATH,device=cpu` in, a player out.

The grammar is `name[:argument][,key=value]...`; a value that itself has commas stands in square brackets. The
first option may follow the colon: `alphabeta:depth=4,eval=[weights:swh,fade=1]`.
Other packages add players through the entry-point group `othello.players`: the name of the entry point is
the name in the text, its object a function from (Spec, size) to a Player.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import entry_points

from game.players.base import Player
from game.players.simple import CornerGreedyPlayer, GreedyPlayer, RandomPlayer

ENTRY_POINTS = "othello.players"
_OPTION = re.compile(r"[a-z][a-z0-9_-]*=")


class RegistryError(ValueError):
    """A registry text that names no player, or names one wrongly."""


@dataclass(frozen=True)
class Spec:
    """A registry text taken apart."""

    name: str
    argument: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def refuse_extras(self, argument: bool = False, options: tuple[str, ...] = ()) -> None:
        """Raise RegistryError for an argument or an option that this player does not take."""
        if self.argument is not None and not argument:
            raise RegistryError(f"{self.name} takes no argument, but got {self.argument!r}")
        for key in self.options:
            if key not in options:
                known = ", ".join(options) or "none"
                raise RegistryError(f"{self.name} has no option {key!r}; its options: {known}")


Factory = Callable[[Spec, int], Player]


def _plain(player: Callable[[], Player]) -> Factory:
    def make_plain(spec: Spec, size: int) -> Player:
        spec.refuse_extras()
        return player()

    return make_plain


BUILT_IN: dict[str, tuple[Factory, str]] = {
    "random": (_plain(RandomPlayer), "any legal move"),
    "greedy": (_plain(GreedyPlayer), "the move that turns over the most discs"),
    "corner-greedy": (_plain(CornerGreedyPlayer), "corners first, else most discs, with some random moves"),
}
"""The players of this package: name, how to make it, one line about it."""


def parse(text: str) -> Spec:
    """Take a registry text apart; raise RegistryError where it does not follow the grammar."""
    head, *rest = _split(text.strip())
    name, colon, argument = head.partition(":")
    if _OPTION.match(argument):
        colon, rest = "", [argument, *rest]
    options: dict[str, str] = {}
    for word in rest:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not (key and equals):
            raise RegistryError(f"{word!r} in {text!r} is no option: say key=value")
        if key in options:
            raise RegistryError(f"{text!r} gives {key} twice: say it once")
        options[key] = value[1:-1] if value[:1] == "[" and value[-1:] == "]" else value
    return Spec(name.strip(), argument if colon else None, options)


def _split(text: str) -> list[str]:
    """Split at the commas outside of square brackets, which may be nested."""
    words, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            break
        if character == "," and depth == 0:
            words.append("")
        else:
            words[-1] += character
    if depth != 0:
        raise RegistryError(f"the square brackets in {text!r} do not match: close each one that is opened")
    return words


def make(text: str, size: int) -> Player:
    """Return the player that a registry text names, for boards of `size`; raise RegistryError."""
    spec = parse(text)
    return _factory(spec)(spec, size)


def check(text: str) -> None:
    """Raise RegistryError for a text whose name no player has; what follows the name is not looked at."""
    _factory(parse(text))


def _factory(spec: Spec) -> Factory:
    if spec.name in BUILT_IN:
        return BUILT_IN[spec.name][0]
    for entry in entry_points(group=ENTRY_POINTS, name=spec.name):
        factory: Factory = entry.load()
        return factory
    raise RegistryError(f"there is no player {spec.name!r}; there are: {', '.join(names())}")


def names() -> list[str]:
    """Return the names of all players, those of other packages included."""
    return [*BUILT_IN, *sorted(entry.name for entry in entry_points(group=ENTRY_POINTS))]


def is_built_in(text: str) -> bool:
    """Tell whether a text names a built-in player and no argument, so opens no file and no process."""
    spec = parse(text)
    return spec.name in BUILT_IN and spec.argument is None
