"""Q-learning in a table. Symmetric states share an entry."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms, SavedState, Stored, Values
from othello_lab.agent.learner import Learner, Seeds
from othello_lab.agent.memory.recorder import Frame, Recorder, Transition, Transitions, unpack
from othello_lab.agent.policy import Learned, MovePolicy
from othello_lab.agent.tabular.method import SIZE, TabularConfig
from othello_lab.agent.task import Task
from othello_lab.game import symmetry
from othello_lab.game.batch import Positions, planes

SQUARES = SIZE * SIZE
_LOSS_WINDOW = 1000  # The loss is a running mean over about this number of updates.
_KEYS = "keys"
# The fields of an entry with dtypes. A checkpoint has an array for each field.
_COLUMNS = {"values": np.float64, "tries": np.uint32, "least": np.uint32}
_MOST_TRIES = 2**31  # Maximum tries in a file, which training never reaches. Larger numbers could overflow.


class State(NamedTuple):
    """A state, and its entry in the table, which stores one of the symmetric boards."""

    key: int  # The discs of the side to move and then of the other side, as 32 bits.
    legal: NDArray[np.int64]  # The legal squares in ascending order, [moves].
    places: NDArray[np.int64]  # For each square of the board, the index in the entry, [squares].


@dataclass(frozen=True)
class Entry:
    """The data about the moves of a state, [squares]. Illegal squares have 0."""

    # The expected discounted return of each move, for the side that moves.
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(SQUARES))
    # For each move, the number of updates.
    tries: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(SQUARES, np.uint32))
    # For each move, the smallest number of tries among this move and the moves known to follow it.
    least: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(SQUARES, np.uint32))


_EMPTY = Entry()


class Table:
    """Maps the keys of states to entries."""

    def __init__(self, symmetries: bool) -> None:
        self._turns = symmetry.inverses(SIZE)[: symmetry.SYMMETRIES if symmetries else 1]
        self._places = symmetry.permutations(SIZE)
        self.entries: dict[int, Entry] = {}

    def find(self, planes: NDArray[np.uint8]) -> list[State]:
        """Return the states of observations, uint8 [n, 4, squares]. A key is the least of all symmetries."""
        turned = planes[:, :2, self._turns].swapaxes(1, 2)  # [n, symmetries, 2, squares]
        keys = np.packbits(turned.reshape(*turned.shape[:2], -1), axis=2).view(">u4")[..., 0]
        return [
            State(int(keys[i, turn]), np.flatnonzero(planes[i, 2]), self._places[turn])
            for i, turn in enumerate(keys.argmin(1).tolist())
        ]

    def values(self, state: State) -> NDArray[np.float64]:
        """Return the values of the legal moves, [moves]. A move without updates has the value 0."""
        return self.entries.get(state.key, _EMPTY).values[state.places[state.legal]]

    def least(self, state: State) -> NDArray[np.uint32]:
        """Return `Entry.least` for each legal move, [moves]."""
        return self.entries.get(state.key, _EMPTY).least[state.places[state.legal]]

    def arrays(self) -> Arrays:
        """Return the keys in ascending order, uint32 [states], and all fields, [states, squares]."""
        keys = sorted(self.entries)
        columns = {name: [getattr(self.entries[key], name) for key in keys] for name in _COLUMNS}
        arrays = {name: np.array(rows, _COLUMNS[name]).reshape(-1, SQUARES) for name, rows in columns.items()}
        return {_KEYS: np.array(keys, np.uint32), **arrays}

    def load(self, path: Path, arrays: Arrays) -> None:
        """Load arrays from the method `arrays`. Raises CheckpointError for impossible values."""
        keys = arrays[_KEYS]
        if not (np.diff(keys.astype(np.int64)) > 0).all():
            raise CheckpointError(f"{path} has states that are not in ascending order")
        if any((arrays[name] > _MOST_TRIES).any() for name in ("tries", "least")):
            raise CheckpointError(f"{path} counts more than {_MOST_TRIES:,} tries of a move")
        rows = zip(*(arrays[name].copy() for name in _COLUMNS), strict=True)
        self.entries = {key: Entry(*row) for key, row in zip(keys.tolist(), rows, strict=True)}


class TabularLearner(Learner):
    """Learns by Q(s, a) += step * (reward + discount * max Q(s', .) - Q(s, a)).

    The maximum is over the legal moves in s'. The discount is negative if the other side is to move in s'.
    Source: Sutton and Barto 2018, equation 6.8.
    """

    def __init__(self, config: TabularConfig, size: int, seeds: Seeds) -> None:
        self.config = config
        self.table = Table(config.symmetries)
        self._saved = SavedState(0, {"loss": 0.0}, {})
        self._tried = 0
        self._explores = False
        self._game: list[Transition] = []

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers of states, tried moves and updates, and the mean squared error of recent updates."""
        counts = {"states": len(self.table.entries), "moves": self._tried, "updates": self._saved.updates}
        epsilon = {"epsilon": self.config.epsilon} if self._explores else {}
        return {**counts, **self._saved.numbers, **epsilon}

    def recorder(self, task: Task) -> Recorder:
        """Return a recorder that passes each transition to `take`."""
        gamma = task.gamma if self.config.gamma is None else self.config.gamma
        return Recorder(Transitions(self.take), SQUARES, gamma)

    def begin(self, best: bool) -> None:
        """Forget the current game's transitions that are not learned yet."""
        self._game.clear()
        self._explores = not best and self.config.explore == "least-known"

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the best legal square, or with probability epsilon an exploring move."""
        state = self._find(stack)
        if self._explores and rng.random() < self.config.epsilon:
            least = self.table.least(state)
            return int(legal[rng.choice(np.flatnonzero(least == least.min()))])
        return int(legal[self.table.values(state).argmax()])

    def _find(self, stack: NDArray[np.uint8]) -> State:
        return self.table.find(unpack(stack, SQUARES)[None])[0]

    def take(self, transition: Transition) -> None:
        """Learn from a transition. With the option `backward`, learn a whole game from its end."""
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
        self._tried += tries == 1
        saved = self._saved
        saved.updates += 1
        saved.numbers["loss"] += (float(error) ** 2 - saved.numbers["loss"]) / min(
            saved.updates, _LOSS_WINDOW
        )

    def _ahead(self, frame: Frame) -> tuple[float, int]:
        state = self._find(frame[None])
        return float(self.table.values(state).max()), int(self.table.least(state).min())

    def state(self) -> tuple[Arrays, Values]:
        """Return the arrays of the table and the values of `SavedState`."""
        return self.policy(), msgspec.structs.asdict(self._saved)

    def restore(self, stored: Stored) -> None:
        """Restore the state from a checkpoint. Raises CheckpointError if it does not fit this learner."""
        self._saved = checkpoint.saved_state(stored, self._saved)
        self._load(stored.path, stored.arrays)

    def _load(self, path: Path, arrays: Arrays) -> None:
        self.table.load(path, arrays)
        self._tried = sum(int(np.count_nonzero(entry.tries)) for entry in self.table.entries.values())

    def policy(self) -> Arrays:
        """Return the arrays of the whole table."""
        return self.table.arrays()

    def take_policy(self, policy: Learned[TabularConfig]) -> None:
        """Load the table of a policy. Raises CheckpointError if the option `symmetries` differs."""
        if policy.config.symmetries != self.config.symmetries:
            raise policy.refusal(self.config)
        self._load(policy.path, policy.arrays)


class TablePolicy(MovePolicy[TabularConfig]):
    """A trained table. Its player chooses the legal square with the highest value."""

    def __init__(self, stored: Stored, size: int, config: TabularConfig) -> None:
        super().__init__(stored, size, config)
        self._table = Table(config.symmetries)
        self._table.load(self.path, self.arrays)

    @classmethod
    def forms(cls, config: TabularConfig, size: int, arrays: Arrays) -> Forms:
        """Return the shapes and dtypes of a table's arrays. Raises ValueError if `size` is not 4."""
        if size != SIZE:
            raise ValueError(f"it is for {size}x{size} boards, a table for {SIZE}x{SIZE} alone")
        states = len(arrays.get(_KEYS, ()))
        columns = {name: ((states, SQUARES), dtype) for name, dtype in _COLUMNS.items()}
        return {_KEYS: ((states,), np.uint32), **columns}

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves]. Moves in unknown states have 0."""
        inputs = planes(positions, np.uint8).reshape(-1, 4, SQUARES)
        return np.concatenate([self._table.values(state) for state in self._table.find(inputs)])
