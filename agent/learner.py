"""A learning method as its agent sees it: `Learner`, and what makes one, `Method`.

A method stands in a folder of its own and is announced by an entry point `othello.learners`;
`agent/learning_agent.py` does for all of them whatever is not learning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Arrays, Stored, Values
from agent.memory.recorder import Recorder
from agent.schedule import Schedule
from agent.selfplay.played import Played
from agent.task import LARGEST, Task
from game.batch.positions import Positions
from game.registry_tables import compose

if TYPE_CHECKING:
    from game.evaluators import Evaluator
    from game.players import Player

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
        """What it says of itself, such as updates and loss."""

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

    def end(self, games: int) -> None:
        """Take note of the end of game number `games` while learning; it was handed on before."""

    def state(self) -> tuple[Arrays, Values]:
        """Return all that a resume needs; no value is named like one of the agent's own."""

    def restore(self, stored: Stored) -> None:
        """Become what `state` returned, from new; raise CheckpointError (it is then not used any more)."""

    def policy(self) -> Arrays:
        """Return what plays when exploring is frozen."""

    def take_policy(self, stored: Stored) -> None:
        """Play, and learn on, with the policy of a checkpoint; raise CheckpointError and change nothing."""


class BatchLearner(Learner, Protocol):
    """A learner that also learns from thousands of games at once: `othello selfplay`."""

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move is worth to its side, by all that was learned, float64 [moves].

        Those of the first position by ascending square, then those of the second: the order of
        `game.search.batched.children`. Every position has a legal move; a won game is worth 1.
        """

    def learn(self, played: Played) -> None:
        """Learn from games that are over."""

    def weights(self) -> Arrays:
        """Return copies of what `move_values` depends on, for past selves and other processes."""

    def take_weights(self, arrays: Arrays) -> None:
        """Judge moves by what `weights` of a learner with the same configuration returned."""


def differences(found: Any, own: Any) -> str:  # noqa: ANN401  two configurations of one method
    """Say which options differ, and how."""
    theirs, ours = asdict(found), asdict(own)
    return ", ".join(f"{key}={theirs[key]}, here {ours[key]}" for key in ours if theirs[key] != ours[key])


C = TypeVar("C")
L = TypeVar("L", bound=Learner)


def _nothing_follows(options: Options) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Method(Generic[C, L]):
    """How to configure, make and load the learners of one method.

    Nothing of it imports a heavy library before it is called; configuring never does.
    """

    name: str
    """What texts and checkpoints call it."""
    configure: Callable[[Options, int, int | None], C]
    """From texts, the size of the board and the games of the run, None if unknown, to a frozen dataclass of
    JSON values; raises ValueError."""
    schedule: Callable[[C], Schedule]
    """How much its agents explore."""
    load: Callable[[], Callable[..., L]]
    """Imports the libraries, and returns what makes a learner: of a configuration, for boards of a size, with
    Seeds; with `devices` also the keyword `device`."""
    recorder: Callable[[L, Task], Recorder]
    """What turns observations into transitions and hands them to the learner."""
    read: Callable[[Stored, int], C]
    """The configuration of a checkpoint for boards of that size, whose policy fits it; raises
    CheckpointError."""
    player: Callable[[Stored, int], Player]
    """The policy of a checkpoint as a player on boards of that size; raises CheckpointError."""
    evaluator: Callable[[Stored, int], Evaluator]
    """The same as an evaluator; raises CheckpointError, also where it can be none."""
    following: Callable[[Options], Iterable[str]] = _nothing_follows
    """The fields of a configuration that follow the length of the run with these options: a checkpoint brings
    its own."""
    batched: str = ""
    """Options such as `preset=NAME` for many games at once, where the text of a learner has none of that
    name."""
    largest: int = LARGEST
    """The largest board that its learners play on."""
    devices: bool = False
    """Whether its learners compute on a device that they are told (`agent.device`); else on the processor."""

    def text(self, options: Options) -> str:
        """Return the text that names a learner with these options."""
        return compose({"name": self.name, **options})

    def maker(self, device: str) -> Callable[..., L]:
        """Return what makes its learners on a device."""
        return partial(self.load(), device=device) if self.devices else self.load()
