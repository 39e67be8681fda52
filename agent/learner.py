"""The interface `Learner`, and `Method`, which configures, makes and loads the learners of one method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Stored, Values, config_of
from othello_lab.agent.options import Described, Schedule, described, read_options
from othello_lab.game.notation import SIZES
from othello_lab.game.registry import RegistryError, announced, compose, similar

if TYPE_CHECKING:  # a list of learners and their options must not load numba or torch
    from othello_lab.agent.memory.recorder import Recorder
    from othello_lab.agent.policy import Learned
    from othello_lab.agent.selfplay.games import GameBatch
    from othello_lab.agent.task import Task
    from othello_lab.game.batch import Positions

Options = dict[str, str]  # The options of an agent as key=value texts.


class Seeds(NamedTuple):
    """The seeds of a learner: one for its random draws, and one for its first weights."""

    draws: np.random.SeedSequence
    weights: np.random.SeedSequence


class Learner(Protocol):
    """The part of an agent that chooses moves and learns. It uses no sockets, texts or files.

    The agent makes the random moves, unless the method has its own way to explore.
    """

    config: Any  # The options of the method. The agent may replace them before the first decision.

    @property
    def numbers(self) -> dict[str, float]:
        """Return numbers for the log, such as updates and loss."""

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that turns the observations of a task into transitions for this learner."""

    def begin(self, best: bool) -> None:
        """Forget the current game, and play with the latest weights from now on.

        If `best` is True, play with the policy that `policy` returns, else with the weights that learn.
        """

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square to play.

        `stack`, uint8 [frames, squares / 2], holds the packed frames of this side's last decisions, newest
        first. `legal`, int64 [moves], holds at least one square.
        """

    def step(self, steps: int) -> None:
        """Learn if an update is due after `steps` decisions. The recorder already has these decisions."""
        return

    def end(self, games: int) -> None:
        """Learn if an update is due after `games` games. The recorder already has these games."""
        return

    def state(self) -> tuple[Arrays, Values]:
        """Return the full state, from which training can resume. The agent adds values with other names."""

    def restore(self, stored: Stored) -> None:
        """Restore a checkpoint into a new learner. After a CheckpointError, do not use the learner."""

    def policy(self) -> Arrays:
        """Return the policy that plays while exploring is frozen."""

    def take_policy(self, policy: Learned[Any]) -> None:
        """Replace the policy by the policy of a checkpoint. After a CheckpointError nothing has changed."""


class BatchLearner(Learner, Protocol):
    """A learner that can also learn from thousands of games at once, for `othello selfplay`.

    In these games it plays the best move or a random move, unless it has a method `decide` of the type
    `agent.selfplay.play.Decide`.
    """

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves in all positions, float64 [moves], by the latest weights.

        The moves of a position are in ascending order of squares. A won game has the value 1.
        """

    def learn(self, batch: GameBatch) -> None:
        """Learn from finished games."""

    def weights(self) -> Arrays:
        """Return copies of the arrays on which `move_values` depends. Other processes use them."""

    def take_weights(self, arrays: Arrays) -> None:
        """Load arrays that `weights` of a learner with the same configuration has returned."""


@dataclass(frozen=True)
class Method:
    """How to configure, make and load learners of one method. Most methods set only the first five fields.

    A text such as `agent.td.learner:TDLearner` names a class, which is imported only when it is used.
    """

    name: str  # The name in texts and checkpoints.
    # The class of the options, a frozen dataclass of JSON values. It raises ValueError for wrong values.
    config: type[Any]
    # The class of the learners. Its arguments are a configuration, a board size and Seeds. A configuration
    # may name another class in its attribute `learner`.
    learner: str
    policy: str  # The class of the policies, a subclass of `agent.policy.Learned`.
    line: str = ""  # One line about the method, for `othello players NAME`.
    # Returns the configuration for texts, a board size and a number of games, or None if this number is
    # unknown. It raises ValueError for wrong texts. By default each text sets one option.
    from_texts: Callable[[Options, int, int | None], Any] | None = None
    # Options that are not fields of the configuration, such as `preset`. `from_texts` reads them.
    texts: Mapping[str, Described] = field(default_factory=dict)
    # The values of the option `preset`, each with one line of description.
    presets: Mapping[str, str] = field(default_factory=dict)
    # Returns the names of the options that depend on the length of the run, given the options that the user
    # has set. A checkpoint may have other values of the returned options.
    follows_length: Callable[[Options], Iterable[str]] = lambda options: ()
    # Returns the schedule of a configuration. By default epsilon is constant.
    schedule: Callable[[Any], Schedule] = lambda config: Schedule(
        epsilon_start=config.epsilon, epsilon_end=config.epsilon
    )
    # An option such as `preset=NAME`. `othello selfplay` adds it if the user has not set this option.
    batched: str = ""
    largest: int = SIZES[-1]  # The largest board size that the learners support.
    # Whether the learners compute the legal moves from the discs. If True, the agent checks every
    # observation. If False, it checks only the first observation of each episode.
    finds_legal_moves: bool = True
    devices: bool = False  # Whether the learners accept the argument `device`, such as "cuda:0".

    def text(self, options: Options) -> str:
        """Return the text of a learner with these options, such as `dqn,frames=1`."""
        return compose({"name": self.name, **options})

    def configure(self, options: Options, size: int, episodes: int | None) -> Any:  # noqa: ANN401  a configuration
        """Return the configuration from the texts of options. Raises ValueError if a text is wrong."""
        if self.from_texts:
            return self.from_texts(options, size, episodes)
        return self.config(**read_options(self.name, self.config, options))

    def options(self, size: int, chosen: Options | None = None) -> dict[str, Described]:
        """Return a description of each option, by name. `chosen` replaces the default values."""
        chosen = chosen or {}
        rows = described(self.configure(chosen, size, None))
        texts = {
            name: row._replace(default=chosen.get(name, row.default)) for name, row in self.texts.items()
        }
        return {**{name: row for name, row in texts.items() if name not in rows}, **rows, **texts}

    def load(self, config: Any, device: str = "cpu") -> Callable[..., Any]:  # noqa: ANN401
        """Import the class of the learner for a configuration. Return a function that makes a learner."""
        make: Callable[..., Any] = resolve_name(getattr(config, "learner", self.learner))
        return partial(make, device=device) if self.devices else make

    def open(self, stored: Stored, size: int) -> Learned[Any]:
        """Return the policy of a checkpoint for boards of this size. Raises CheckpointError."""
        kind: type[Learned[Any]] = resolve_name(self.policy)
        config = config_of(stored, size, kind.options or self.config, partial=bool(kind.options))
        return kind(stored, size, config)


# The group of entry points for methods. The name of an entry point is the name of its `Method`.
GROUP = "othello.learners"


def method_names() -> list[str]:
    """Return the names of all methods. Raises RegistryError if not even our methods are installed."""
    names = sorted(entry.name for entry in announced(GROUP))
    if not names:
        raise RegistryError("this installation is older than its files: python -m pip install -e .")
    return names


def find_method(name: str) -> Method:
    """Return the method of this name. Raises RegistryError if there is none."""
    for entry in announced(GROUP):
        if entry.name == name:
            method: Method = entry.load()
            return method
    raise RegistryError(f"there is no learner {name!r}{similar(name, method_names())}")
