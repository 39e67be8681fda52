"""A learning method: the interface `Learner`, and `Method`, which configures, makes and loads its learners.

A method stands in a folder of its own and is announced by an entry point `othello.learners`;
`agent/learning_agent.py` does everything that is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, SavedPolicy, Stored, Values, arrays_of, config_of
from othello_lab.agent.options import Described, Schedule, described, read_options
from othello_lab.game.notation import SIZES
from othello_lab.game.registry import RegistryError, announced, compose, similar

if TYPE_CHECKING:  # so that a list of learners and their options loads neither numba nor torch
    from othello_lab.agent.memory.recorder import Recorder
    from othello_lab.agent.policy import Learned
    from othello_lab.agent.selfplay.games import GameBatch
    from othello_lab.agent.task import Task
    from othello_lab.game.batch.positions import Positions

Options = dict[str, str]
"""The key=value texts of an agent."""


class Seeds(NamedTuple):
    """The seeds of a learner: of its draws while it learns, and of its first weights."""

    draws: np.random.SeedSequence
    weights: np.random.SeedSequence


class Learner(Protocol):
    """A method of learning, without sockets, texts or files.

    Its recorder passes transitions to it while it learns; the agent calls `begin`, `choose`, `step` and
    `end`. Random moves are the agent's, unless the method explores in a way of its own.
    """

    config: Any
    """The options of its method. Replaced before the first decision if a schedule depends on the number of
    episodes."""

    @property
    def numbers(self) -> dict[str, float]:
        """Return numbers for the log, such as updates and loss."""

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that turns a task's observations into transitions for this learner."""

    def begin(self, best: bool) -> None:
        """Forget the game so far, which may have been cut off; from here on play by all that was learned.

        With `best` play as `policy` does, else by what learns. Also called when either is switched.
        """

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square to play.

        stack: uint8 [frames, squares / 2], the packed frames of this side's decisions, newest first;
        legal: int64 [moves], at least one.
        """

    def step(self, steps: int) -> None:
        """Learn if it is time to, after `steps` decisions while learning; the recorder has passed them on."""
        return

    def end(self, games: int) -> None:
        """Learn if it is time to, after `games` games while learning; the recorder has passed them on."""
        return

    def state(self) -> tuple[Arrays, Values]:
        """Return all that a resume needs; the names of the values differ from those of the agent."""

    def restore(self, stored: Stored) -> None:
        """Become what `state` returned, from new; raise CheckpointError (it is then not used any more)."""

    def policy(self) -> Arrays:
        """Return the policy that plays when exploring is off."""

    def take_policy(self, saved: SavedPolicy[Any]) -> None:
        """Play, and learn on, with the policy of a checkpoint of this method.

        Raise CheckpointError for one that does not fit, and change nothing then.
        """


class BatchLearner(Learner, Protocol):
    """A learner that also learns from thousands of games at once: `othello selfplay`.

    It plays the moves of the highest value and random moves, unless it has a method `decide(turn, luck)` of
    the type `agent.selfplay.play.Decide`.
    """

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the value of each legal move for its side, by all that was learned, float64 [moves].

        Those of the first position by ascending square, then those of the second. Every position has a legal
        move; a won game is worth 1.
        """

    def learn(self, batch: GameBatch) -> None:
        """Learn from games that are over."""

    def weights(self) -> Arrays:
        """Return copies of all that `move_values` depends on, for past selves and other processes."""

    def take_weights(self, arrays: Arrays) -> None:
        """Load what `weights` of a learner with the same configuration returned."""


def _constant(config: Any) -> Schedule:  # noqa: ANN401  any method's dataclass
    return Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon)


@dataclass(frozen=True)
class Method:
    """How to configure, make and load the learners of one method. Most set the first five fields alone.

    Classes that need heavy libraries are named by texts such as `agent.td.learner:TDLearner`, and imported
    when they are needed; configuring needs none.
    """

    name: str
    """Its name in texts and checkpoints."""
    config: type[Any]
    """The class of its options: a frozen dataclass of JSON values that raises ValueError for invalid ones."""
    learner: str
    """The class of its learners, made of a configuration, a board size and Seeds. A configuration may name
    another class in its attribute `learner`."""
    policy: str
    """The class of its policies, an `agent.policy.Learned`."""
    line: str = ""
    """The method in one line, for `othello players NAME`."""
    from_texts: Callable[[Options, int, int | None], Any] | None = None
    """The configuration from texts, the board size and the number of games (None: unknown); raises
    ValueError. Default: each text is one option."""
    texts: Mapping[str, Described] = field(default_factory=dict)
    """Options that `from_texts` reads itself, such as `preset`."""
    presets: Mapping[str, str] = field(default_factory=dict)
    """The values of the option `preset`, with one line about each."""
    follows_length: Callable[[Options], Iterable[str]] = lambda options: ()
    """The fields of a configuration that follow the length of the run with these options. A checkpoint has
    its own values of them."""
    schedule: Callable[[Any], Schedule] = _constant
    """How much its agents explore. Default: the option `epsilon`, all the time."""
    batched: str = ""
    """An option such as `preset=NAME` that `othello selfplay` adds to a text without that option."""
    largest: int = SIZES[-1]
    """The largest board of its learners."""
    finds_legal_moves: bool = True
    """Whether its learners compute the legal moves from the discs. The agent then checks every observation;
    for learners that use the observed legal moves it checks the first one of each episode."""
    devices: bool = False
    """Whether its learners take the argument `device`, such as "cuda:0"; the others compute on the CPU."""

    def text(self, options: Options) -> str:
        """Return the text that names a learner with these options."""
        return compose({"name": self.name, **options})

    def configure(self, options: Options, size: int, episodes: int | None) -> Any:  # noqa: ANN401  a configuration
        """Return the configuration of these texts; raise ValueError."""
        if self.from_texts:
            return self.from_texts(options, size, episodes)
        return self.config(**read_options(self.name, self.config, options))

    def options(self, size: int, chosen: Options | None = None) -> dict[str, Described]:
        """Return all options by name, with their values on boards of a size where some are chosen."""
        chosen = chosen or {}
        rows = described(self.configure(chosen, size, None))
        texts = {
            name: row._replace(default=chosen.get(name, row.default)) for name, row in self.texts.items()
        }
        return {**{name: row for name, row in texts.items() if name not in rows}, **rows, **texts}

    def load(self, config: Any, device: str = "cpu") -> Callable[..., Any]:  # noqa: ANN401
        """Import the class of the learners of a configuration; return a function that makes one."""
        make: Callable[..., Any] = resolve_name(getattr(config, "learner", self.learner))
        return partial(make, device=device) if self.devices else make

    def read(self, stored: Stored, size: int) -> SavedPolicy[Any]:
        """Return the policy of a checkpoint for boards of that size; raise CheckpointError."""
        kind = self._policy()
        config: Any = config_of(stored, size, kind.options or self.config, partial=bool(kind.options))
        arrays = arrays_of(stored, kind.prefix, partial(kind.forms, config, size))
        return SavedPolicy(stored.path, size, config, arrays)

    def open(self, stored: Stored, size: int) -> Learned[Any]:
        """Return the policy of a checkpoint, to play and to evaluate; raise CheckpointError."""
        return self._policy()(self.read(stored, size))

    def _policy(self) -> type[Learned[Any]]:
        policy: type[Learned[Any]] = resolve_name(self.policy)
        return policy


GROUP = "othello.learners"
"""The group of entry points that announce methods: each has a method's name, and its object is a `Method`."""


def method_names() -> list[str]:
    """Return the names of all methods, those of other packages included.

    Raises RegistryError where even ours are missing.
    """
    names = sorted(entry.name for entry in announced(GROUP))
    if not names:
        raise RegistryError("this installation is older than its files: python -m pip install -e .")
    return names


def find_method(name: str) -> Method:
    """Return the method of that name; raise RegistryError if there is none."""
    for entry in announced(GROUP):
        if entry.name == name:
            method: Method = entry.load()
            return method
    raise RegistryError(f"there is no learner {name!r}{similar(name, method_names())}")
