"""Registries that make players and evaluators from texts such as `alphabeta:depth=4,eval=positional`."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Generic, TypeVar

from othello_lab.game.registry import RegistryError, Spec, did_you_mean, how_to_install, parse, similar

if TYPE_CHECKING:
    from othello_lab.game.evaluators.evaluator import Evaluator
    from othello_lab.game.players.player import Player

T = TypeVar("T")
_SHOWN = 8  # The maximum number of names in an error message.


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A registry entry: a factory of players or evaluators, and descriptions of the options."""

    # The factory, called with the parsed text and the board size. Raises RegistryError.
    make: Callable[[Spec, int], T]
    line: str  # A one-line description.
    argument: str = ""  # The placeholder of the argument after the colon, or "" without an argument.
    options: Mapping[str, str] = field(default_factory=dict)  # The descriptions of the options by name.
    files: Callable[[Spec, int], tuple[Path, ...]] = lambda spec, size: ()  # Returns the files to read.


class Registry(Generic[T]):
    """A dictionary from names to entries for objects of one kind. Each entry is a lazy import."""

    def __init__(self, kind: str, entries: dict[str, str]) -> None:
        """`entries` maps names to the "module:attribute" of an Entry."""
        self.kind = kind
        self.entries = entries

    def entry(self, name: str) -> Entry[T]:
        """Import and return the entry `name`. Raises RegistryError for an unknown name."""
        if name not in self.entries:
            raise RegistryError(f"there is no {self.kind} {name!r}{self.instead_of(name)}")
        entry: Entry[T] = resolve_name(self.entries[name])
        return entry

    def make(self, text: str, size: int) -> T:
        """Make the object of a registry text. Raises RegistryError for an invalid text."""
        with self._checked(text) as (entry, spec):
            return entry.make(spec, size)

    def files(self, text: str, size: int) -> tuple[Path, ...]:
        """Return the files that a text's object reads. Raises RegistryError for an invalid text."""
        with self._checked(text) as (entry, spec):
            return entry.files(spec, size)

    def check(self, text: str) -> None:
        """Raise RegistryError for an unknown name, an unknown option or an unexpected argument."""
        with self._checked(text):
            pass

    def instead_of(self, word: str) -> str:
        """Return the suffix of an unknown-name error: similar names, or else the first names."""
        names = [*self.entries]
        more = f" and {len(names) - _SHOWN} more, see `othello players`" if len(names) > _SHOWN else ""
        return did_you_mean(word, names) or f"; there are: {', '.join(names[:_SHOWN])}{more}"

    @contextmanager
    def _checked(self, text: str) -> Iterator[tuple[Entry[T], Spec]]:
        """Yield the entry and the parsed text. Convert the error for a missing package to RegistryError."""
        spec = parse(text)
        try:
            entry = self.entry(spec.name)
            if spec.argument is not None and not entry.argument:
                raise RegistryError(f"{spec.name} takes no argument, but got {spec.argument!r}")
            for key in spec.options:
                if key not in entry.options:
                    known = similar(key, tuple(entry.options), "its options")
                    raise RegistryError(f"{spec.name} has no option {key!r}{known}")
            yield entry, spec
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            raise RegistryError(
                f"the {self.kind} {spec.name} needs the package {package}, which is not installed: "
                f"{how_to_install(package)}"
            ) from None


PUBLISHED = ("swh", "heur", "bench")  # The names of published weight matrices in registry texts.
_TRAINED = "othello_lab.agent.trained"
_FOREIGN = "othello_lab.agent.foreign.player"
TRAINED_EVALUATORS = dict.fromkeys(("alphazero", "dqn", "ntuple", "trained"), f"{_TRAINED}:EVALUATOR")


def _places(module: str, *names: str) -> dict[str, str]:
    """Return the "module:attribute" of each name. The attribute is the name in upper case."""
    return {name: f"othello_lab.game.{module}:{name.upper().replace('-', '_')}" for name in names}


EVALUATORS: "Registry[Evaluator]" = Registry(
    "evaluator",
    _places("evaluators.weights", "positional", "mobility", "weights", "piece-values", "discs")
    | TRAINED_EVALUATORS,
)
_PLAIN_EVALUATORS = EVALUATORS.entries.keys() - TRAINED_EVALUATORS.keys()


def make_evaluator(text: str, size: int) -> "Evaluator":
    """Make the evaluator of a registry text for a board size. Raises RegistryError for an invalid text."""
    return EVALUATORS.make(text, size)


_FURTHER = "Players that look further"
# The groups of built-in players. A group maps each name to the "module:attribute" of an entry.
KINDS: dict[str, dict[str, str]] = {
    "Players that look at one move": (
        _places("players.simple", "random", "greedy", "corner-greedy", "corner-or-random")
        | _places("players.minimax", "positional", "mobility", "weights", "piece-values")
    ),
    _FURTHER: (
        _places("players.minimax", "minimax", "alphabeta", "negamax", "negamax-ab", "negascout")
        | _places("players.minimax", "alphabeta-sorted", "negamax-ab-sorted", "negascout-sorted")
        | _places("players.search", "search")
        | _places("players.mcts", "mcts")
    ),
    "Players made of others": _places("players.noisy", "noisy", "level")
    | _places("players.engine", "engine"),
}
BUILT_IN = {name: where for entries in KINDS.values() for name, where in entries.items()}
OTHERS = {  # Trained players, programs and Python objects. The import of some entries is slow.
    "agent": "othello_lab.environment.agent_player:AGENT",
    "alphazero": f"{_TRAINED}:PLAYER",
    "dqn": f"{_TRAINED}:PLAYER",
    "given": "othello_lab.game.players.given:GIVEN",
    "mlp": f"{_FOREIGN}:MLP",
    "ntuple": f"{_TRAINED}:PLAYER",
    "sb3": f"{_FOREIGN}:SB3",
    "trained": f"{_TRAINED}:PLAYER",
}
PLAYERS: "Registry[Player]" = Registry("player", {**BUILT_IN, **OTHERS})
files = PLAYERS.files
# The trained evaluators of this package, for one-ply players and for searches.
PRETRAINED, FOR_SEARCH = "ntuple:pretrained", "ntuple:for-search"

_MOST = {  # The maximum option values for `is_built_in`, with which a move takes at most a few seconds.
    **{"depth": 6, "time": 5, "nodes": 1e6, "simulations": 20_000},
    **{"endgame": 16, "hash": 64, "share": 1, "fade": 1},
}
_SMALL = 8  # The maximum board size for a fast search.
_DEEPEST_BEYOND_8X8 = 3
_LIMITS = {"depth", "time", "nodes", "simulations"}


def is_built_in(text: str, size: int) -> bool:
    """Return whether a text names a fast built-in player without files or programs. Raises RegistryError."""
    spec = parse(text)
    if spec.name == "noisy" and spec.argument is not None:
        return is_built_in(spec.argument, size) and spec.options.keys() <= {"share"}
    has_plain_argument = spec.argument in (None, *PUBLISHED) or spec.name == "level"
    if spec.name not in BUILT_IN or spec.name == "engine" or not has_plain_argument:
        return False
    if size > _SMALL and spec.name in KINDS[_FURTHER] and not spec.options.keys() & _LIMITS:
        return False
    return all(_is_small(key, value, size) for key, value in spec.options.items())


def _is_small(key: str, value: str, size: int) -> bool:
    if key == "eval":
        spec = parse(value)
        is_plain = spec.name in _PLAIN_EVALUATORS and spec.argument in (None, *PUBLISHED)
        return value in (PRETRAINED, FOR_SEARCH) or (is_plain and spec.options.keys() <= {"fade"})
    most = _DEEPEST_BEYOND_8X8 if key == "depth" and size > _SMALL else _MOST.get(key, -1)
    return re.fullmatch(r"[0-9]*\.?[0-9]+", value, re.ASCII) is not None and float(value) <= most


def make(text: str, size: int) -> "Player":
    """Make the player of a registry text for a board size. Raises RegistryError for an invalid text."""
    player = PLAYERS.make(text, size)
    player.made_from = text
    return player
