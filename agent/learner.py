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
    """The seeds of a learner's random draws and of its first weights."""

    draws: np.random.SeedSequence
    weights: np.random.SeedSequence


class Learner(Protocol):
    """The part of an agent that chooses moves and learns. It uses no sockets, texts or files.

    The agent makes the random moves, unless the method has its own exploration.
    """

    config: Any  # The options of the method. The agent may replace them before the first decision.

    @property
    def numbers(self) -> dict[str, float]:
        """Return numbers for the log, such as updates and loss."""

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that converts the observations of a task to transitions for this learner."""

    def begin(self, best: bool) -> None:
        """Forget the game. Then play with the latest weights, or with `policy` if `best` is True."""

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square to play.

        `stack`, uint8 [frames, squares / 2], holds the packed frames of this side's last decisions, newest
        first. `legal`, int64 [moves], has at least one square.
        """

    def step(self, steps: int) -> None:
        """Learn if an update is due after `steps` decisions, which the recorder already has."""
        return

    def end(self, games: int) -> None:
        """Learn if an update is due after `games` games, which the recorder already has."""
        return

    def state(self) -> tuple[Arrays, Values]:
        """Return the full state for resuming. The agent adds values with other names."""

    def restore(self, stored: Stored) -> None:
        """Restore a checkpoint into a new learner. After a CheckpointError, discard the learner."""

    def policy(self) -> Arrays:
        """Return the policy that plays while exploring is frozen."""

    def take_policy(self, policy: Learned[Any]) -> None:
        """Replace the policy with the policy of a checkpoint. A CheckpointError changes nothing."""


class BatchLearner(Learner, Protocol):
    """A learner that can also learn from thousands of games at once, for `othello selfplay`.

    The learner then plays the best move or a random move, unless it has a method `decide`
    (`agent.selfplay.play.Decide`).
    """

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the latest weights' values of all legal moves in all positions, float64 [moves].

        The moves of a position are in ascending order of squares. A won game has the value 1.
        """

    def learn(self, batch: GameBatch) -> None:
        """Learn from finished games."""

    def weights(self) -> Arrays:
        """Return copies of the arrays that `move_values` needs, for other processes."""

    def take_weights(self, arrays: Arrays) -> None:
        """Load arrays from `weights` of a learner with the same configuration."""


@dataclass(frozen=True)
class Method:
    """How to configure, make and load learners of one method. Most methods set only the first five fields.

    A text such as `agent.td.learner:TDLearner` names a class, which is imported only when it is used.
    """

    name: str  # The name in texts and checkpoints.
    config: type[Any]  # The options' class, a frozen dataclass. It raises ValueError for wrong values.
    # The class of the learners. Its arguments are a configuration, a board size and Seeds. A configuration's
    # attribute `learner` may name another class.
    learner: str
    policy: str  # The class of the policies, a subclass of `agent.policy.Learned`.
    line: str = ""  # One line about the method, for `othello players NAME`.
    # Returns the configuration for texts, a board size and a number of games (None if unknown). Raises
    # ValueError for wrong texts. By default each text sets one option.
    from_texts: Callable[[Options, int, int | None], Any] | None = None
    # Options besides the fields of the configuration, such as `preset`. `from_texts` reads them.
    texts: Mapping[str, Described] = field(default_factory=dict)
    presets: Mapping[str, str] = field(default_factory=dict)  # The values of the option `preset`, described.
    # Returns the names of the options that depend on the length of the run. The argument has the user's
    # options. A checkpoint may have other values of the returned options.
    follows_length: Callable[[Options], Iterable[str]] = lambda options: ()
    # Returns the schedule of a configuration. By default epsilon is constant.
    schedule: Callable[[Any], Schedule] = lambda config: Schedule(
        epsilon_start=config.epsilon, epsilon_end=config.epsilon
    )
    batched: str = ""  # An option such as `preset=NAME`, the default of `othello selfplay`.
    largest: int = SIZES[-1]  # The largest supported board size.
    # Whether the learners compute the legal moves from the discs. Then the agent checks every observation,
    # otherwise only the first observation of each episode.
    finds_legal_moves: bool = True
    devices: bool = False  # Whether the learners accept the argument `device`, such as "cuda:0".

    def text(self, options: Options) -> str:
        """Return the text of a learner with these options, such as `dqn,frames=1`."""
        return compose({"name": self.name, **options})

    def configure(self, options: Options, size: int, episodes: int | None) -> Any:  # noqa: ANN401  a configuration
        """Convert the texts of options to a configuration. Raises ValueError if a text is wrong."""
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


GROUP = "othello.learners"  # The entry-point group of methods, by the name of the `Method`.


def method_names() -> list[str]:
    """Return the names of all methods. Raises RegistryError if not even our methods are installed."""
    names = sorted(entry.name for entry in announced(GROUP))
    if not names:
        raise RegistryError("this installation is older than its files: python -m pip install -e .")
    return names


def find_method(name: str) -> Method:
    """Return the method of this name. Raises RegistryError for an unknown name."""
    for entry in announced(GROUP):
        if entry.name == name:
            method: Method = entry.load()
            return method
    raise RegistryError(f"there is no learner {name!r}{similar(name, method_names())}")
