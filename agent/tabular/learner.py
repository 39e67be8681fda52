"""Q-learning in a table as a learning method, and a table as it plays."""

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Count,
    Forms,
    SavedPolicy,
    Stored,
    Values,
    differences,
    typed,
)
from othello_lab.agent.learner import Learner, Seeds
from othello_lab.agent.memory.frames import Frame, unpack
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import MovePolicy
from othello_lab.agent.tabular.method import TabularConfig
from othello_lab.agent.tabular.table import SQUARES, Entry, State, Table, arrays_of, entries_of, forms_of
from othello_lab.agent.task import Task
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions

_WATCHED = 1000
"""Updates that the loss is, more or less, the mean of."""


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    loss: float


class TabularLearner(Learner):
    """Q(s, a) += step * (reward + discount * max Q(s', .) - Q(s, a)), over the legal moves of s'.

    Sutton and Barto 2018, equation 6.8; the discount is negative where s' is the other side's. See
    `agent.learner.Learner`.
    """

    def __init__(self, config: TabularConfig, size: int, seeds: Seeds) -> None:
        self.config = config
        self.table = Table(config.symmetries)
        self._progress = SavedState(updates=0, loss=0.0)
        self._tried = 0
        self._seeks = False
        self._game: list[Transition] = []

    @property
    def numbers(self) -> dict[str, float]:
        """States met, moves tried in them, updates, and the mean square of the last errors."""
        progress = self._progress
        found = {"states": len(self.table.entries), "moves": self._tried, "updates": progress.updates}
        own = {"epsilon": self.config.epsilon} if self._seeks else {}
        return {**found, "loss": progress.loss, **own}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        gamma = task.gamma if self.config.gamma is None else self.config.gamma
        return Recorder(Transitions(self.take), SQUARES, gamma)

    def begin(self, best: bool) -> None:
        """See `Learner`: nothing is learned from a game that was cut off, where it is learned backward."""
        self._game.clear()
        self._seeks = not best and self.config.explore == "least-known"

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the legal square of the highest value, or with epsilon one of the least known."""
        state = self._find(stack)
        if self._seeks and rng.random() < self.config.epsilon:
            least = self.table.least(state)
            return int(legal[rng.choice(np.flatnonzero(least == least.min()))])
        return int(legal[self.table.values(state).argmax()])

    def _find(self, stack: NDArray[np.uint8]) -> State:
        return self.table.find(unpack(stack, SQUARES)[None])[0]

    def take(self, transition: Transition) -> None:
        """Learn from a transition, or from its game backward once that is over."""
        self._game.append(transition)
        if not self.config.backward or transition.next_state is None:
            for one in reversed(self._game):
                self._learn(one)
            self._game.clear()

    def _learn(self, t: Transition) -> None:
        state = self._find(t.state[None])
        entry, square = self.table.entries.setdefault(state.key, Entry()), state.places[t.action]
        tries = int(entry.tries[square]) + 1
        ahead, least = (0.0, tries) if t.next_state is None else self._ahead(t.next_state)
        error = t.reward + t.discount * ahead - entry.values[square]
        entry.values[square] += (self.config.learning_rate or 1 / tries) * error
        entry.tries[square], entry.least[square] = tries, min(tries, least)
        self._count(tries, float(error))

    def _ahead(self, frame: Frame) -> tuple[float, int]:
        """Return what the next state is worth to the side that decides there, and how well it is known."""
        state = self._find(frame[None])
        return float(self.table.values(state).max()), int(self.table.least(state).min())

    def _count(self, tries: int, error: float) -> None:
        progress = self._progress
        progress.updates += 1
        progress.loss += (error**2 - progress.loss) / min(progress.updates, _WATCHED)
        self._tried += tries == 1

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`."""
        return self.policy(), msgspec.structs.asdict(self._progress)

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        self._progress = typed(stored.path, stored.values, SavedState)
        self._take_table(stored.path, stored.arrays)

    def _take_table(self, path: Path, arrays: Arrays) -> None:
        self.table.entries = entries_of(path, arrays)
        self._tried = sum(int(np.count_nonzero(entry.tries)) for entry in self.table.entries.values())

    def policy(self) -> Arrays:
        """Return the whole table."""
        return arrays_of(self.table.entries)

    def take_policy(self, saved: SavedPolicy[TabularConfig]) -> None:
        """See `Learner`."""
        own, found = self.config, saved.config
        if found.symmetries != own.symmetries:
            raise CheckpointError(f"{saved.path} holds another table: {differences(found, own)}")
        self._take_table(saved.path, saved.arrays)


class TablePolicy(MovePolicy[TabularConfig]):
    """Plays the legal square of the highest value; in a position that was never met all are worth 0."""

    def __init__(self, saved: SavedPolicy[TabularConfig]) -> None:
        self._table = Table(saved.config.symmetries)
        self._table.entries = entries_of(saved.path, saved.arrays)

    @classmethod
    def forms(cls, config: TabularConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return forms_of(arrays, size)

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `MovePolicy`."""
        seen = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        return np.concatenate([self._table.values(state) for state in self._table.find(seen)])
