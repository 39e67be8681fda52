"""The registry: text such as `greedy` or `dqn:PATH,device=cpu` in, a player out.

The grammar is `name[:argument][,key=value]...`; a value that itself has commas stands in square brackets.
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
    # Commas inside square brackets belong to a value.
    head, *rest = re.split(r",(?![^\[]*\])", text.strip())
    name, colon, argument = head.partition(":")
    options = {}
    for word in rest:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise RegistryError(f"{word!r} in {text!r} is no option: say key=value")
        options[key.strip()] = value.strip().removeprefix("[").removesuffix("]")
    return Spec(name.strip(), argument if colon else None, options)


def make(text: str, size: int) -> Player:
    """Return the player that a registry text names, for boards of `size`; raise RegistryError."""
    spec = parse(text)
    if spec.name in BUILT_IN:
        return BUILT_IN[spec.name][0](spec, size)
    for entry in entry_points(group=ENTRY_POINTS, name=spec.name):
        factory: Factory = entry.load()
        return factory(spec, size)
    raise RegistryError(f"there is no player {spec.name!r}; there are: {', '.join(names())}")


def names() -> list[str]:
    """Return the names of all players, those of other packages included."""
    return [*BUILT_IN, *sorted(entry.name for entry in entry_points(group=ENTRY_POINTS))]


def is_built_in(text: str) -> bool:
    """Tell whether a text names a built-in player and no argument, so opens no file and no process."""
    spec = parse(text)
    return spec.name in BUILT_IN and spec.argument is None
