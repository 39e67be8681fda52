"""A learning method as its agent sees it: `Learner`, and what makes one, `Method`.

A method stands in a folder of its own and is announced by an entry point `othello.learners`;
`agent/learning_agent.py` does for all of them whatever is not learning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, SavedPolicy, Stored, Values, arrays_of, config_of
from othello_lab.agent.options import Described, Schedule, read_options
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
    """What a learner draws its random numbers from."""

    draws: np.random.SeedSequence
    """While it learns."""
    weights: np.random.SeedSequence
    """For what it starts with."""


class Learner(Protocol):
    """A method of learning, without sockets, texts or files.

    Its recorder hands it what happened while learning; the agent tells it when a game starts, when a decision
    is due and when a game is over. It explores only if its method does; random moves are the agent's.
    """

    config: Any
    """Its method's dataclass. The agent sets another before the first decision, where schedules follow the
    length of the run."""

    @property
    def numbers(self) -> dict[str, float]:
        """Return figures for the log, such as updates and loss."""

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that turns a task's observations into transitions for this learner."""

    def begin(self, best: bool) -> None:
        """Forget the game so far, which may have been cut off; from here on play by all that was learned.

        With `best` play as `policy` does, else by what learns. Also called when either is switched.
        """

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square to play.

        stack: uint8 [frames, squares / 2], the packed frames of this side's decisions, this one's first;
        legal: int64 [moves], at least one.
        """

    def step(self, steps: int) -> None:
        """Take note of decision number `steps` while learning; the recorder has handed it on before."""
        return

    def end(self, games: int) -> None:
        """Take note of the end of game number `games` while learning; it was handed on before."""
        return

    def state(self) -> tuple[Arrays, Values]:
        """Return all that a resume needs; no value is named like one of the agent's own."""

    def restore(self, stored: Stored) -> None:
        """Become what `state` returned, from new; raise CheckpointError (it is then not used any more)."""

    def policy(self) -> Arrays:
        """Return the policy that plays while exploration is frozen."""

    def take_policy(self, saved: SavedPolicy[Any]) -> None:
        """Play, and learn on, with the policy of a checkpoint of this method.

        Raise CheckpointError for one that does not fit, and change nothing then.
        """


class BatchLearner(Learner, Protocol):
    """A learner that also learns from thousands of games at once: `othello selfplay`.

    It plays the best moves by their values and random ones among them, unless it has a method
    `decide(turn, luck)`: see `agent.selfplay.play.Decide`.
    """

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move is worth to its side, by all that was learned, float64 [moves].

        Those of the first position by ascending square, then those of the second: the order of
        `game.search.batched.children`. Every position has a legal move; a won game is worth 1.
        """

    def learn(self, played: GameBatch) -> None:
        """Learn from games that are over."""

    def weights(self) -> Arrays:
        """Return copies of what `move_values` depends on, for past selves and other processes."""

    def take_weights(self, arrays: Arrays) -> None:
        """Load the weights that `weights` of a learner with the same configuration returned."""


C = TypeVar("C")
L = TypeVar("L", bound=Learner)


def _constant(config: Any) -> Schedule:  # noqa: ANN401  any method's dataclass
    return Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon)


@dataclass(frozen=True)
class Method(Generic[C, L]):
    """How to configure, make and load the learners of one method.

    Classes that need heavy libraries are named by texts such as `agent.td.learner:TDLearner`, and imported
    when they are needed; configuring needs none.
    """

    name: str
    """What texts and checkpoints call it."""
    config: type[C]
    """The class of its options: a frozen dataclass of JSON values that raises ValueError for invalid ones."""
    learner: str
    """The class of its learners, made of a configuration, for boards of a size, with Seeds."""
    policy: str
    """The class of what its learners have learned, an `agent.policy.Policy`."""
    from_texts: Callable[[Options, int, int | None], C] | None = None
    """The configuration from texts, the size of the board and the games of the run, None if unknown; raises
    ValueError. Without it each text is one option."""
    schedule: Callable[[C], Schedule] = _constant
    """How much its agents explore; without it the option `epsilon` all the time."""
    following: Callable[[Options], Iterable[str]] = lambda options: ()
    """The fields of a configuration that follow the length of the run with these options: a checkpoint brings
    its own."""
    batched: str = ""
    """Options such as `preset=NAME` for many games at once, where the text of a learner has none of that
    name."""
    unused_in_selfplay: frozenset[str] = frozenset()
    """Options without effect where many games are played at once."""
    largest: int = SIZES[-1]
    """The largest board that its learners play on."""
    finds_legal_moves: bool = True
    """Whether its learners find the legal moves themselves, from the discs. The agent then checks every
    observation; for learners that use the observed legal moves it checks the first of each episode."""
    devices: bool = False
    """Whether its learners take the keyword `device`, such as "cuda:0"; the others compute on the CPU."""
    line: str = ""
    """The method in one line, for `othello players NAME`."""
    texts: Mapping[str, Described] = field(default_factory=dict)
    """Options that `from_texts` reads itself, such as `preset`."""
    presets: Mapping[str, str] = field(default_factory=dict)
    """The values of the option `preset`, with one line about each."""

    def text(self, options: Options) -> str:
        """Return the text that names a learner with these options."""
        return compose({"name": self.name, **options})

    def configure(self, options: Options, size: int, episodes: int | None) -> C:
        """Return the configuration of these texts, see `from_texts`; raises ValueError."""
        if self.from_texts:
            return self.from_texts(options, size, episodes)
        return self.config(**read_options(self.name, self.config, options))

    def load(self, device: str = "cpu") -> Callable[..., L]:
        """Import the class of its learners and return a function that makes one on a device."""
        made: Callable[..., L] = resolve_name(self.learner)
        return partial(made, device=device) if self.devices else made

    def read(self, stored: Stored, size: int) -> SavedPolicy[C]:
        """Return the policy of a checkpoint for boards of that size; raises CheckpointError."""
        config = config_of(stored, size, self.config)
        kind = self._policy()
        arrays = arrays_of(stored, kind.prefix, partial(kind.forms, config, size))
        return SavedPolicy(stored.path, size, config, arrays)

    def open(self, stored: Stored, size: int) -> Learned[C]:
        """Return the policy of a checkpoint as what plays and judges; raises CheckpointError."""
        return self._policy()(self.read(stored, size))

    def _policy(self) -> type[Learned[C]]:
        found: type[Learned[C]] = resolve_name(self.policy)
        return found


AnyMethod = Method[Any, Any]
GROUP = "othello.learners"
"""The entry points that announce methods: each has the name of one, and its object is a `Method`."""


def method_names() -> list[str]:
    """Return the names of all methods, those of other packages included.

    Raises RegistryError where even ours are missing.
    """
    found = sorted(entry.name for entry in announced(GROUP))
    if not found:
        raise RegistryError("this installation is older than its files: python -m pip install -e .")
    return found


def find_method(name: str) -> AnyMethod:
    """Return the method of that name; raise RegistryError if there is none."""
    for entry in announced(GROUP):
        if entry.name == name:
            method: AnyMethod = entry.load()
            return method
    raise RegistryError(f"there is no learner {name!r}{similar(name, method_names())}")
